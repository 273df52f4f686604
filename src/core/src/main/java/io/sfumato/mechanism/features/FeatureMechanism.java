// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.features;

import io.sfumato.accounting.Charge;
import io.sfumato.accounting.PrivacyProfile;
import io.sfumato.accounting.RenyiCurve;
import io.sfumato.mechanism.Law;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.additive.GaussianNoise;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReplayableRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToLongFunction;

/**
 * Discrete Gaussian noise on a window's sums of features, in whole steps of 2^-16, and on the
 * number of its records where that is protected: Theorem H of docs/privacy.md.
 *
 * @param noise on every coordinate, in steps
 * @param sensitivity of all coordinates together
 */
public record FeatureMechanism(GaussianNoise noise, FeatureSensitivity sensitivity)
    implements Mechanism<RoundedSums, NoisySums> {
  /**
   * Theorem D of docs/privacy.md: discrete noise of this variance, in squared steps, is all that
   * separates discrete Gaussian noise from post-processed continuous one (to within e^-300).
   */
  public static final double BRIDGE = 16;

  private static final double UP = 1 + 0x1.0p-45;

  public FeatureMechanism {
    if (!(variance(noise) > 2 * BRIDGE)) {
      throw new IllegalArgumentException("noise has a variance above 32 squared steps");
    }
  }

  private static double variance(GaussianNoise noise) {
    return noise.deviation() * noise.deviation();
  }

  @Override
  public String method() {
    return noise.method();
  }

  /** Sensitivity over standard deviation, of the continuous noise that it is made of. */
  double mu() {
    return sensitivity.steps() / Math.sqrt(variance(noise) - BRIDGE) * UP;
  }

  @Override
  public Charge charge() {
    return Charge.of(
        "discrete-gaussian features "
            + sensitivity.word()
            + " m="
            + sensitivity.features()
            + " sigma^2="
            + noise.steps()
            + "/2^10 of 2^-16",
        sensitivity.unit(),
        RenyiCurve.gaussian(mu()),
        PrivacyProfile.gaussian(mu()));
  }

  /** Standard deviation of the noise of a sum, in records' norms. */
  public double deviation() {
    return noise.deviation() / RoundedSums.STEPS;
  }

  /** Standard deviation of the noise of the number of records; 0 where it is public. */
  public double recordsDeviation() {
    return sensitivity.sizeIsPublic() ? 0 : noise.deviation() / sensitivity.recordSteps();
  }

  @Override
  public Map<String, Double> parameters() {
    Map<String, Double> parameters = new LinkedHashMap<>();
    parameters.put("sigma", deviation());
    if (!sensitivity.sizeIsPublic()) {
      parameters.put("sigma_records", recordsDeviation());
    }
    return parameters;
  }

  @Override
  public Law<NoisySums> law(RoundedSums exact) {
    return new Law<>() {
      @Override
      public void frame(Framing framing) {
        framing
            .text("features")
            .text(noise.method())
            .number(noise.steps())
            .number(sensitivity.recordSteps())
            .number(exact.size())
            .numbers(exact.steps());
      }

      @Override
      public NoisySums draw(ReplayableRandom random) {
        return drawn(exact, random);
      }
    };
  }

  private NoisySums drawn(RoundedSums exact, ReplayableRandom random) {
    long[] noisy = exact.coordinates(sensitivity.recordSteps());
    ToLongFunction<ReplayableRandom> sampler = noise.sampler();
    for (int i = 0; i < noisy.length; i++) {
      noisy[i] = Math.addExact(noisy[i], sampler.applyAsLong(random));
    }
    double[] sums = new double[sensitivity.features()];
    for (int i = 0; i < sums.length; i++) {
      sums[i] = noisy[i] / (double) RoundedSums.STEPS;
    }
    return new NoisySums(
        sensitivity.sizeIsPublic()
            ? exact.size()
            : noisy[sums.length] / (double) sensitivity.recordSteps(),
        sums);
  }

  @Override
  public OptionalDouble divergence(double order, RoundedSums first, RoundedSums second) {
    long weight = sensitivity.recordSteps();
    return OptionalDouble.of(
        noise.divergence(order, first.coordinates(weight), second.coordinates(weight)));
  }
}
