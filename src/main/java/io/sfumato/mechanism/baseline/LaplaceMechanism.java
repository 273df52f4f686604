// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.baseline;

import io.sfumato.accounting.Charge;
import io.sfumato.accounting.PrivacyProfile;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.accounting.RenyiCurve;
import io.sfumato.mechanism.ErrorBars;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.mechanism.HistogramRelease;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.Sensitivity.Shift;
import io.sfumato.noise.DiscreteLaplace;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReplayableRandom;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Discrete Laplace noise on every count, then the floor. Purely private. */
public final class LaplaceMechanism implements HistogramMechanism {
  /** Steps of 1/scale in one. */
  public static final long STEPS = 1L << 20;

  /** Covers the roundings of a shift over a scale. */
  private static final double UP = 1 + 0x1.0p-50;

  private final long rateSteps;
  private final DiscreteLaplace noise;
  private final Sensitivity sensitivity;
  private final Charge charge;

  /**
   * @param rateSteps 1/scale in steps of 2^-20, 1 to 2^30
   */
  public LaplaceMechanism(long rateSteps, Sensitivity sensitivity) {
    this.rateSteps = rateSteps;
    this.noise = new DiscreteLaplace(STEPS, rateSteps);
    this.sensitivity = sensitivity;
    this.charge = charge(rateSteps, sensitivity);
  }

  /**
   * What one release costs. Pure losses add up. A noise that m releases may move, by k in all,
   * costs each of them {@code RR(k/b) / m}, with RR the curve of randomised response: since RR(x)/x
   * does not fall, that covers every number of them up to m (docs/privacy.md, Theorem E). Releases
   * that share noise have no profile: their losses do not compose like those of independent ones.
   */
  public static Charge charge(long rateSteps, Sensitivity sensitivity) {
    if (sensitivity.unit() == PrivacyUnit.RECORD) {
      return replaceOne(rateSteps);
    }
    String mechanism = "discrete-laplace" + sensitivity.word() + " 1/b=" + rateSteps + "/2^20";
    double rate = rateSteps / (double) STEPS;
    double pure = sensitivity.l1() * rate * UP;
    if (sensitivity.shifts().size() == 1 && !sensitivity.sharesNoise()) {
      return Charge.pure(mechanism, sensitivity.unit(), pure);
    }
    RenyiCurve curve = RenyiCurve.zero();
    for (Shift shift : sensitivity.shifts()) {
      RenyiCurve all = RenyiCurve.pure(shift.together() * rate * UP);
      curve = curve.plus(1, all.over(shift.releases()));
    }
    return new Charge(
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
  private static Charge replaceOne(long rateSteps) {
    double rate = rateSteps / (double) STEPS;
    double lnTruth = -StrictMath.log1p(StrictMath.exp(-rate));
    PrivacyProfile profile =
        epsilon ->
            epsilon >= 2 * rate
                ? 0
                : StrictMath.exp(2 * lnTruth) * -StrictMath.expm1(epsilon - 2 * rate) * (1 + 1e-14);
    return new Charge(
        "discrete-laplace 1/b=" + rateSteps + "/2^20",
        PrivacyUnit.RECORD,
        RenyiCurve.zero().plus(2, RenyiCurve.pure(rate)),
        OptionalDouble.of(2 * rate),
        Optional.of(profile));
  }

  @Override
  public Charge charge() {
    return charge;
  }

  @Override
  public String method() {
    return "laplace";
  }

  /** Scale b of the noise, in records. */
  public double scale() {
    return STEPS / (double) rateSteps;
  }

  @Override
  public double halfWidth(double share, long records, int categories) {
    return ErrorBars.ofOwnTotal(ErrorBars.laplace(scale()), share, records, categories);
  }

  @Override
  public Map<String, Double> parameters() {
    return Map.of("scale", scale());
  }

  @Override
  public void frame(Histogram histogram, Framing framing) {
    framing.text("laplace").number(rateSteps).numbers(histogram.counts());
  }

  @Override
  public HistogramRelease release(Histogram histogram, ReplayableRandom random) {
    double[] noisy = new double[histogram.categories()];
    for (int i = 0; i < noisy.length; i++) {
      noisy[i] = (double) histogram.count(i) + noise.sample(random);
    }
    long size = NoisySize.of(histogram, noisy, sensitivity);
    return PostProcessing.FLOOR.apply(noisy, size, Math.sqrt(2) * scale()).ofRecords(size);
  }
}
