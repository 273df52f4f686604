// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import io.sfumato.accounting.Bisection;
import io.sfumato.accounting.PrivacyCost;
import io.sfumato.accounting.PrivacyProfile;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.accounting.RenyiCurve;
import io.sfumato.accounting.RenyiDivergences;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.Sensitivity.Shift;
import io.sfumato.random.DiscreteLaplace;
import io.sfumato.random.KeyedRandom;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoublePredicate;
import java.util.function.ToLongFunction;

/**
 * Discrete Laplace noise: purely private.
 *
 * @param steps 1/scale in steps of 2^-20, 1 to 2^30
 */
public record LaplaceNoise(long steps) implements AdditiveNoise {
  /** Steps of 1/scale in one. */
  public static final long STEPS = 1L << 20;

  /** Covers the roundings of a shift over a scale. */
  private static final double UP = 1 + 0x1.0p-50;

  @Override
  public String method() {
    return "laplace";
  }

  @Override
  public Map<String, Double> parameters() {
    return Map.of("scale", scale());
  }

  @Override
  public ToLongFunction<KeyedRandom> sampler() {
    return new DiscreteLaplace(STEPS, steps)::sample;
  }

  /**
   * What one release costs, in the unit and for the neighbours of the sensitivity (Dwork, McSherry,
   * Nissim, Smith 2006; in whole numbers Ghosh, Roughgarden, Sundararajan 2009). Pure losses add
   * up. A noise that m releases may move, by k in all, costs each of them {@code RR(k/b) / m}, with
   * RR the curve of randomised response: since RR(x)/x does not fall, that covers every number of
   * them up to m (docs/theory/running-sums.md, Theorem E). Releases that share noise have no
   * profile: their losses do not compose like those of independent ones.
   */
  @Override
  public PrivacyCost charge(Sensitivity sensitivity) {
    if (sensitivity.equals(Sensitivity.replaceOne())) {
      return replaceOne();
    }
    String mechanism = "discrete-laplace" + sensitivity.word() + " 1/b=" + steps + "/2^20";
    double rate = steps / (double) STEPS;
    double pure = sensitivity.l1() * rate * UP;
    if (sensitivity.shifts().size() == 1 && !sensitivity.sharesNoise()) {
      return PrivacyCost.pure(mechanism, sensitivity.unit(), pure);
    }
    RenyiCurve curve = RenyiCurve.zero();
    for (Shift shift : sensitivity.shifts()) {
      RenyiCurve all = RenyiCurve.pure(shift.together() * rate * UP);
      curve = curve.plus(1, all.over(shift.releases()));
    }
    return new PrivacyCost(
        mechanism,
        sensitivity.unit(),
        curve.atMost(pure),
        OptionalDouble.of(pure),
        sensitivity.sharesNoise() ? Optional.empty() : Optional.of(PrivacyProfile.pure(pure)));
  }

  /**
   * Replacing one record moves two counts by 1, and each tells its neighbour by the loss +1/b or
   * -1/b: exactly two randomised responses of epsilon 1/b, so the pure epsilon is 2/b, and the
   * profile has losses 2/b, 0 and -2/b.
   */
  private PrivacyCost replaceOne() {
    double rate = steps / (double) STEPS;
    double lnTruth = -StrictMath.log1p(StrictMath.exp(-rate));
    PrivacyProfile profile =
        epsilon ->
            epsilon >= 2 * rate
                ? 0
                : StrictMath.exp(2 * lnTruth) * -StrictMath.expm1(epsilon - 2 * rate) * (1 + 1e-14);
    return new PrivacyCost(
        "discrete-laplace 1/b=" + steps + "/2^20",
        PrivacyUnit.RECORD,
        RenyiCurve.zero().plus(2, RenyiCurve.pure(rate)),
        OptionalDouble.of(2 * rate),
        Optional.of(profile));
  }

  @Override
  public double divergence(double order, long[] first, long[] second) {
    return RenyiDivergences.laplace(order, first, second, scale());
  }

  /** b. */
  public double scale() {
    return STEPS / (double) steps;
  }

  @Override
  public double deviation() {
    // Var = 2 p / (1 - p)^2 with p = e^(-1/b).
    double p = StrictMath.exp(-1 / scale());
    return Math.sqrt(2 * p) / -StrictMath.expm1(-1 / scale());
  }

  @Override
  public double continuousDeviation() {
    return Math.sqrt(2) * scale();
  }

  @Override
  public long halfWidth(int draws) {
    DoublePredicate tooNarrow = x -> tail(x, draws) > 1 - CONFIDENCE;
    double x =
        Bisection.doubling(1, Double.MAX_VALUE, tooNarrow)
            .orElseThrow()
            .halved(60, tooNarrow)
            .high();
    return (long) Math.ceil(x * scale());
  }

  /**
   * P[|X| > x] for the sum X of k standard Laplace variables, which is the difference of two
   * Gamma(k) variables: {@code 2 e^-x sum_(i<k) sum_(m<=i) x^(i-m)/(i-m)! C(k+m-1, m) / 2^(k+m)}.
   *
   * @param x in scales, at least 0
   * @param k number of variables, at least 1
   */
  public static double tail(double x, int k) {
    double sum = 0;
    double binomial = StrictMath.pow(2, -k);
    for (int m = 0; m < k; m++) {
      double power = 1;
      double inner = 0;
      for (int j = 0; j < k - m; j++) {
        inner += power;
        power *= x / (j + 1);
      }
      sum += inner * binomial;
      binomial *= (k + m) / (2.0 * (m + 1));
    }
    return 2 * StrictMath.exp(-x) * sum;
  }
}
