// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.mechanism.NumberBounds;
import io.sfumato.mechanism.additive.GridGaussian;
import io.sfumato.mechanism.additive.GridLaplace;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.modeller.MixtureOfUniforms;
import io.sfumato.modeller.Posterior;
import io.sfumato.modeller.PseudoData;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.random.KeyedRandom;
import io.sfumato.release.Plans;
import io.sfumato.testkit.Numerical;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Numerical
class MomentLikelihoodTest {
  private static final List<MomentLikelihood.Measured> X =
      List.of(new MomentLikelihood.Measured(1, new NumberBounds(0, 2)));

  private static PseudoData numbers(double... second) {
    double[][] rows = new double[second.length][];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = new double[] {99, second[i]};
    }
    return PseudoData.Numbers.of(rows);
  }

  private static MomentLikelihood of(
      int degree, int firstPart, GridNoise noise, OptionalLong records, double... sums) {
    return new MomentLikelihood(X, degree, 2, firstPart, sums, noise, records);
  }

  /** Two records at 1 and 3, of which the latter counts as 2: t = 0.5 and 1. */
  @Test
  void shouldBeTheDensityOfNoiseWhereTheNumberOfRecordsIsPublic() {
    GridNoise laplace = new GridLaplace(20, 3 << 20);
    MomentLikelihood likelihood = of(1, 1, laplace, OptionalLong.of(2), 4.5);
    assertThat(likelihood.records()).isEqualTo(2);
    assertThat(likelihood.log(numbers(1, 3))).isCloseTo(-(4.5 - 1.5) / 3, within(1e-12));
    GridNoise gaussian = new GridGaussian(20, 2 << 20);
    MomentLikelihood square = of(2, 1, gaussian, OptionalLong.of(2), 1, 2);
    // B_1 = 0.5 and 0, B_2 = 0.25 and 1.
    double away = (1 - 0.5) * (1 - 0.5) + (2 - 1.25) * (2 - 1.25);
    assertThat(square.log(numbers(1, 3))).isCloseTo(-away / 8, within(1e-12));
  }

  /**
   * Of Gaussian noise the integral over N is known: N's own law is a Gaussian around S p / p p.
   * Candidates lie up to 30 nats apart, where the sum over sizes lacks a ten thousandth.
   */
  @Test
  void shouldIntegrateOverTheNumberOfRecords() {
    double sigma = 4;
    MomentLikelihood likelihood =
        of(1, 0, new GridGaussian(20, 4 << 20), OptionalLong.empty(), 130, 70);
    double[] logs = new double[3];
    double[] exact = new double[3];
    double[] places = {0.5, 0.7, 1.0};
    for (int i = 0; i < places.length; i++) {
      double t = places[i] / 2;
      double[] p = {1 - t, t};
      double along = 130 * p[0] + 70 * p[1];
      double norm = p[0] * p[0] + p[1] * p[1];
      exact[i] =
          -(130.0 * 130 + 70 * 70 - along * along / norm) / (2 * sigma * sigma)
              - Math.log(norm) / 2;
      logs[i] = likelihood.log(numbers(places[i]));
    }
    assertThat(logs[1] - logs[0]).isCloseTo(exact[1] - exact[0], within(1e-3));
    assertThat(logs[2] - logs[1]).isCloseTo(exact[2] - exact[1], within(1e-3));
  }

  @Test
  void shouldRefuseOtherDataAndHostileReleases() {
    GridNoise noise = new GridLaplace(20, 1 << 20);
    MomentLikelihood likelihood = of(1, 0, noise, OptionalLong.empty(), 5, 5);
    assertThatThrownBy(() -> likelihood.log(new PseudoData.Counts(new long[] {1, 2})))
        .hasMessageContaining("records of 2 numbers");
    assertThatThrownBy(() -> of(1, 0, noise, OptionalLong.empty(), 1e9, 0))
        .hasMessageContaining("more than 1,000,000 records");
    assertThatThrownBy(() -> of(1, 0, noise, OptionalLong.empty(), Double.NaN, 0))
        .hasMessageContaining("not finite");
    assertThatThrownBy(() -> of(1, 1, noise, OptionalLong.of(0), 0))
        .hasMessageContaining("without");
    assertThatThrownBy(() -> of(1, 0, noise, OptionalLong.empty(), 1))
        .hasMessageContaining("parts");
  }

  /**
   * What the pipeline draws tells the mean of a mixture of uniforms within a quarter: the standard
   * deviation of the data's mean is 0.04, of noise 0.01 and of the posterior's draws below that, so
   * that a miss by chance, six deviations off, is rarer than 1e-9; the seed is fixed.
   */
  @ParameterizedTest
  @ValueSource(strings = {"moments: 1, method: laplace", "moments: 2, method: gaussian"})
  void shouldFindTheMeanOfAModel(String drawn) throws Exception {
    PlannedRelease release =
        Plans.plan(
                """
                    pipeline: p
                    input: { topic: in, subject: ward, user: who, time: at, values: [x] }
                    contributions: { per-window: 1 }
                    subjects: [north]
                    window: { size: 10s, clock: ticks, begin: 2026-06-01 }
                    budget: { name: p, unit: user, epsilon: 8, delta: 1e-6, period: window }
                    releases:
                      - mean: { name: m, value: x, bounds: [0, 5], %s, share: { epsilon: 8, delta: 1e-6 }, plan-size: 1500 }
                    """
                    .formatted(drawn))
            .releases()
            .get(0);
    MixtureOfUniforms simulator = new MixtureOfUniforms(5);
    double[] truth = {0.5, 0.1, 0.3, 0, 0.1};
    KeyedRandom random = KeyedRandom.ofPublicSeed("mean of a model");
    PseudoData window = simulator.simulate(truth, 1500, random);
    assertThat(release.hasLikelihood()).isTrue();
    Posterior posterior = release.inference(null).orElseThrow().of(window, simulator, random);
    double mean = 0;
    double wanted = 0;
    for (int i = 0; i < truth.length; i++) {
      mean += (i + 0.5) * posterior.mean(i);
      wanted += (i + 0.5) * truth[i];
    }
    assertThat(mean).isCloseTo(wanted, within(0.27));
  }
}
