// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import io.sfumato.accounting.PrivacyCost;
import io.sfumato.accounting.PrivacyProfile;
import io.sfumato.accounting.RenyiCurve;
import io.sfumato.random.DiscreteLaplace;
import io.sfumato.random.KeyedRandom;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToLongFunction;

/**
 * Discrete Laplace noise on a grid: purely private.
 *
 * @param digits binary digits of the grid, 0 to 40
 * @param steps the scale b in whole steps of it, 1 to 2^40
 */
public record GridLaplace(int digits, long steps) implements GridNoise {
  /** Largest scale. */
  public static final long LARGEST = 1L << 40;

  private static final MathContext UPWARD = new MathContext(40, RoundingMode.CEILING);

  /**
   * @throws IllegalArgumentException if the grid has fewer than 0 or more than 40 digits, or the
   *     scale is not 1 to 2^40 steps
   */
  public GridLaplace {
    GridNoise.requireGrid(digits);
    if (steps < 1 || steps > LARGEST) {
      throw new IllegalArgumentException("a scale is 1 to 2^40 steps, was " + steps);
    }
  }

  @Override
  public String method() {
    return "laplace";
  }

  @Override
  public Map<String, Double> parameters() {
    return Map.of("scale", Math.scalb((double) steps, -digits));
  }

  @Override
  public ToLongFunction<KeyedRandom> sampler() {
    return new DiscreteLaplace(steps, 1)::sample;
  }

  /**
   * A part that is moved by k in all loses no more than randomised response of epsilon k/b (Mironov
   * 2017, Proposition 5), and parts have noises of their own: their losses are those of as many
   * independent randomised responses. Where nobody knows which coordinates make a part, since any
   * may be moved by k and all by n k, none does worse than n that are moved by k
   * (docs/theory/partition-selection.md, Theorem M).
   */
  @Override
  public PrivacyCost charge(GridSensitivity sensitivity) {
    String mechanism =
        "discrete-laplace " + sensitivity.word() + " b=" + steps + " of 2^-" + digits;
    double pure = quotient(sensitivity.l1());
    if (sensitivity.sharing() > 1) {
      return shared(mechanism, sensitivity, pure);
    }
    if (sensitivity.parts() == 1) {
      return PrivacyCost.pure(mechanism, sensitivity.unit(), pure);
    }
    double each = quotient(sensitivity.each());
    return new PrivacyCost(
        mechanism,
        sensitivity.unit(),
        RenyiCurve.zero().plus(sensitivity.parts(), RenyiCurve.pure(each)).atMost(pure),
        OptionalDouble.of(pure),
        Optional.of(responses(sensitivity.parts(), each)));
  }

  /**
   * Releases that share noises: all together move a part by so much, and since randomised
   * response's curve over how far it is moved does not fall, any number of them costs at most as
   * many of these parts (docs/theory/running-sums.md, Theorem E). They have no profile.
   */
  private PrivacyCost shared(String mechanism, GridSensitivity sensitivity, double pure) {
    double together = quotient(Math.multiplyExact(sensitivity.each(), sensitivity.sharing()));
    RenyiCurve all = RenyiCurve.zero().plus(sensitivity.parts(), RenyiCurve.pure(together));
    return new PrivacyCost(
        mechanism,
        sensitivity.unit(),
        all.over(sensitivity.sharing()).atMost(pure),
        OptionalDouble.of(pure),
        Optional.empty());
  }

  /** A distance over b: the least double that is not below it. */
  private double quotient(long distance) {
    BigDecimal exact = new BigDecimal(distance).divide(new BigDecimal(steps), UPWARD);
    double nearest = exact.doubleValue();
    return new BigDecimal(nearest).compareTo(exact) < 0 ? Math.nextUp(nearest) : nearest;
  }

  /**
   * n independent randomised responses of x: j lies among them, of probability C(n, j) q^j p^(n-j),
   * make the loss (n - 2j) x.
   */
  private static PrivacyProfile responses(int n, double x) {
    double p = 1 / (1 + StrictMath.exp(-x));
    double q = 1 / (1 + StrictMath.exp(x));
    return epsilon -> {
      double delta = 0;
      double choices = 1;
      for (int j = 0; j <= n && (n - 2 * j) * x > epsilon; j++) {
        delta +=
            choices
                * StrictMath.pow(q, j)
                * StrictMath.pow(p, n - j)
                * -StrictMath.expm1(epsilon - (n - 2 * j) * x);
        choices *= (n - j) / (j + 1.0);
      }
      return Math.min(1, delta * (1 + n * 1e-13));
    };
  }

  @Override
  public double divergence(double order, long[] first, long[] second) {
    double sum = 0;
    for (int i = 0; i < first.length; i++) {
      sum += divergence(order, Math.abs(Math.subtractExact(first[i], second[i])));
    }
    return sum;
  }

  /**
   * Two of these a whole number d apart. With q = e^(-1/b) the loss is d/b with probability
   * 1/(1+q), -d/b with q^d/(1+q), and (d - 2x)/b at each x between, with (1-q)/(1+q) q^x: so the
   * moment E e^((L-1) loss) has a geometric sum of quotient e^(-(2L-1)/b) in its middle.
   */
  private double divergence(double order, double d) {
    if (d == 0) {
      return 0;
    }
    double b = steps;
    double q = StrictMath.exp(-1 / b);
    double r = (2 * order - 1) / b;
    double ends = 1 + StrictMath.exp(-r * d);
    double between =
        StrictMath.expm1(-1 / b)
            * StrictMath.exp(-r)
            * StrictMath.expm1(-r * (d - 1))
            / -StrictMath.expm1(-r);
    double lnMoment = (order - 1) * d / b + StrictMath.log((ends + between) / (1 + q));
    return Math.max(0, lnMoment / (order - 1));
  }

  @Override
  public double logDensity(double x) {
    return -Math.abs(x) / steps;
  }

  @Override
  public double deviation() {
    // Var = 2 p / (1 - p)^2 with p = e^(-1/b).
    double p = StrictMath.exp(-1.0 / steps);
    return Math.sqrt(2 * p) / -StrictMath.expm1(-1.0 / steps);
  }

  @Override
  public ErrorLaw summed(long times) {
    return new IidLaplaceSum(this, times);
  }

  @Override
  public double tail(double x, double... weights) {
    return WeightedLaplaceSum.tail(Math.max(0, x - GridNoise.wholeSteps(weights)) / steps, weights);
  }
}
