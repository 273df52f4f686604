// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.baseline;

import io.sfumato.accounting.Charge;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.accounting.RenyiCurve;
import io.sfumato.mechanism.ErrorBars;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.mechanism.HistogramRelease;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.noise.DiscreteGaussian;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReplayableRandom;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Discrete Gaussian noise on every count, then post-processing. */
public final class GaussianMechanism implements HistogramMechanism {
  private final long varianceSteps;
  private final DiscreteGaussian noise;
  private final PostProcessing postProcessing;
  private final Sensitivity sensitivity;
  private final Charge charge;

  /**
   * @param varianceSteps sigma^2 in steps of {@link DiscreteGaussian#STEPS}
   */
  public GaussianMechanism(
      long varianceSteps, PostProcessing postProcessing, Sensitivity sensitivity) {
    this.varianceSteps = varianceSteps;
    this.noise = new DiscreteGaussian(varianceSteps);
    this.postProcessing = postProcessing;
    this.sensitivity = sensitivity;
    this.charge = charge(varianceSteps, sensitivity);
  }

  /**
   * The curve holds for the discrete noise too (Canonne, Kamath, Steinke 2020, Proposition 5). An
   * exact profile is proved for one replaced record only.
   */
  public static Charge charge(long varianceSteps, Sensitivity sensitivity) {
    double variance = varianceSteps / (double) DiscreteGaussian.STEPS;
    return new Charge(
        "discrete-gaussian" + sensitivity.word() + " sigma^2=" + varianceSteps + "/2^10",
        sensitivity.unit(),
        RenyiCurve.gaussian(Math.sqrt(sensitivity.squaredL2() / variance) * (1 + 0x1.0p-50)),
        OptionalDouble.empty(),
        sensitivity.unit() == PrivacyUnit.RECORD
            ? Optional.of(new DiscreteGaussianProfile(variance))
            : Optional.empty());
  }

  @Override
  public Charge charge() {
    return charge;
  }

  @Override
  public String method() {
    return "gaussian";
  }

  /** Standard deviation of the noise, in records. */
  public double sigma() {
    return Math.sqrt(varianceSteps / (double) DiscreteGaussian.STEPS);
  }

  @Override
  public double halfWidth(double share, long records, int categories) {
    double noise = ErrorBars.gaussian(sigma());
    return postProcessing == PostProcessing.POSTERIOR_MEAN && sensitivity.sizeIsPublic()
        ? ErrorBars.ofKnownTotal(noise, records, categories)
        : ErrorBars.ofOwnTotal(noise, share, records, categories);
  }

  @Override
  public Map<String, Double> parameters() {
    return Map.of("sigma", sigma());
  }

  @Override
  public void frame(Histogram histogram, Framing framing) {
    framing
        .text("gaussian")
        .number(varianceSteps)
        .text(postProcessing.word())
        .numbers(histogram.counts());
  }

  @Override
  public HistogramRelease release(Histogram histogram, ReplayableRandom random) {
    double[] noisy = new double[histogram.categories()];
    for (int i = 0; i < noisy.length; i++) {
      noisy[i] = (double) histogram.count(i) + noise.sample(random);
    }
    long size = NoisySize.of(histogram, noisy, sensitivity);
    return postProcessing.apply(noisy, size, sigma()).ofRecords(size);
  }
}
