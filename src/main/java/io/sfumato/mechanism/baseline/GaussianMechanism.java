package io.sfumato.mechanism.baseline;

import io.sfumato.accounting.Charge;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.accounting.RenyiCurve;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.mechanism.HistogramRelease;
import io.sfumato.noise.DiscreteGaussian;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReplayableRandom;
import java.util.Map;

/** Discrete Gaussian noise on every count, then post-processing. Unit {@code record}. */
public final class GaussianMechanism implements HistogramMechanism {
  /** Replacing one record moves two counts by 1: the squared L2 sensitivity. */
  private static final double SQUARED_L2_SENSITIVITY = 2;

  private final long varianceSteps;
  private final DiscreteGaussian noise;
  private final PostProcessing postProcessing;
  private final Charge charge;

  /**
   * @param varianceSteps sigma^2 in steps of {@link DiscreteGaussian#STEPS}
   */
  public GaussianMechanism(long varianceSteps, PostProcessing postProcessing) {
    this.varianceSteps = varianceSteps;
    this.noise = new DiscreteGaussian(varianceSteps);
    this.postProcessing = postProcessing;
    this.charge = charge(varianceSteps);
  }

  /** The curve holds for the discrete noise too (Canonne, Kamath, Steinke 2020, Proposition 5). */
  static Charge charge(long varianceSteps) {
    double variance = varianceSteps / (double) DiscreteGaussian.STEPS;
    return Charge.of(
        "discrete-gaussian sigma^2=" + varianceSteps + "/2^10",
        PrivacyUnit.RECORD,
        RenyiCurve.gaussian(Math.sqrt(SQUARED_L2_SENSITIVITY / variance) * (1 + 0x1.0p-50)),
        new DiscreteGaussianProfile(variance));
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
    return postProcessing.apply(noisy, histogram.size(), sigma());
  }
}
