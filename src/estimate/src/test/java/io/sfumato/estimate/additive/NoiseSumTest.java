// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.additive;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.mechanism.additive.AdditiveNoise;
import io.sfumato.mechanism.additive.GaussianNoise;
import io.sfumato.mechanism.additive.LaplaceNoise;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The interval of a sum of two noises, against sums over all pairs and against closed forms. */
class NoiseSumTest {
  private static final int REACH = 400;

  private static LaplaceNoise laplace(double scale) {
    return new LaplaceNoise(Math.round(LaplaceNoise.STEPS / scale));
  }

  private static GaussianNoise gaussian(double sigma) {
    return new GaussianNoise(Math.round(1024 * sigma * sigma));
  }

  /** By definition, up to {@link #REACH}. */
  private static double[] probabilities(AdditiveNoise noise) {
    double[] weights = new double[2 * REACH + 1];
    double all = 0;
    for (int x = -REACH; x <= REACH; x++) {
      double weight =
          noise instanceof LaplaceNoise laplace
              ? Math.exp(-Math.abs(x) / laplace.scale())
              : Math.exp(-x * (double) x / (2 * noise.deviation() * noise.deviation()));
      weights[x + REACH] = weight;
      all += weight;
    }
    for (int i = 0; i < weights.length; i++) {
      weights[i] /= all;
    }
    return weights;
  }

  private static double missed(AdditiveNoise one, AdditiveNoise other, long distance) {
    double[] first = probabilities(one);
    double[] second = probabilities(other);
    double sum = 0;
    for (int x = 0; x < first.length; x++) {
      for (int y = 0; y < second.length; y++) {
        if (Math.abs(x - REACH + y - REACH) > distance) {
          sum += first[x] * second[y];
        }
      }
    }
    return sum;
  }

  @Test
  void shouldBeTheLeastDistanceThatHoldsTheTruthOftenEnough() {
    List<AdditiveNoise> noises = new ArrayList<>();
    for (double scale : new double[] {0.1, 0.7, 2, 9, 14}) {
      noises.add(laplace(scale));
      noises.add(gaussian(scale));
    }
    for (AdditiveNoise one : noises) {
      for (AdditiveNoise other : noises) {
        long found = new NoiseSum(one, other).halfWidth();
        assertThat(missed(one, other, found)).as("%s, %s", one, other).isLessThanOrEqualTo(0.05);
        if (found > 0) {
          assertThat(missed(one, other, found - 1))
              .as("%s, %s: one less", one, other)
              .isGreaterThan(0.05 - 3e-5);
        }
      }
    }
  }

  @Test
  void shouldNotDependOnTheOrder() {
    assertThat(new NoiseSum(laplace(3), gaussian(50)).halfWidth())
        .isEqualTo(new NoiseSum(gaussian(50), laplace(3)).halfWidth());
  }

  /** Wide noise is summed up in blocks, outward: a little wider than needed, never narrower. */
  @Test
  void shouldBeHardlyWiderThanTheClosedFormsOfWideNoise() {
    for (double sigma : new double[] {250, 3_000, 100_000}) {
      double exact = 1.959964 * sigma * Math.sqrt(1 + 0.25);
      assertThat((double) new NoiseSum(gaussian(sigma), gaussian(sigma / 2)).halfWidth())
          .isBetween(exact - 1, exact * 1.003 + 1);
    }
    for (double scale : new double[] {500, 40_000, 1_000_000}) {
      LaplaceNoise noise = laplace(scale);
      long found = new NoiseSum(noise, noise).halfWidth();
      assertThat(LaplaceNoise.tail(found / noise.scale(), 2)).isBetween(0.0494, 0.0501);
    }
  }

  /** Half widths do not add up, and neither do their squares where the laws differ. */
  @Test
  void shouldLieBetweenTheWiderNoiseAndBothTogether() {
    for (double scale : new double[] {1, 4, 30}) {
      AdditiveNoise count = gaussian(10);
      AdditiveNoise lost = laplace(scale);
      assertThat(new NoiseSum(count, lost).halfWidth())
          .isBetween(
              Math.max(count.halfWidth(1), lost.halfWidth(1)) - 1,
              count.halfWidth(1) + lost.halfWidth(1));
    }
  }
}
