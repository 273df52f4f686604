// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sums of Laplace noises, each so many of them, against closed forms and convolutions. */
class IidLaplaceSumTest {
  /** Of equal weights it is a sum of as many noises as there are in all. */
  @ParameterizedTest
  @CsvSource({"1, 1", "1, 2", "2, 1", "2, 3", "5, 2", "7, 1", "30, 2", "100, 3"})
  void equalWeightsAreOneSum(int times, int weights) {
    double[] equal = DoubleStream.generate(() -> -0.7).limit(weights).toArray();
    double deviation = Math.sqrt(2.0 * times * weights);
    for (double z : new double[] {0.01, 0.3, 1, 1.9, 2, 2.1, 3, 5, 9}) {
      assertThat(WeightedIidLaplaceSums.tail(0.7 * z * deviation, times, equal))
          .as("%s deviations", z)
          .isCloseTo(LaplaceNoise.tail(z * deviation, times * weights), within(1e-11));
    }
  }

  /** Of single noises the closed form knows up to three weights. */
  @Test
  void singleNoisesAreAsBefore() {
    for (double second : new double[] {1, 0.999, 0.9, 0.5, 0.03, 1e-6, 0}) {
      for (double third : new double[] {1, 0.5, 1e-3, 0}) {
        for (double x : new double[] {0.05, 0.5, 1, 2, 3, 5, 8, 20}) {
          assertThat(WeightedIidLaplaceSums.tail(x, 1, 1, -second, third))
              .as("%s, %s, %s", x, second, third)
              .isCloseTo(WeightedLaplaceSum.tail(x, 1, second, third), within(1e-11));
        }
      }
    }
  }

  /**
   * Of different weights the law is that of one sum moved by the other: integrated over its
   * density, which is a difference quotient of the closed form of its tail, by Simpson's rule.
   */
  @ParameterizedTest
  @CsvSource({"2, 0.5", "2, 0.05", "3, 0.9", "7, 0.3", "20, 0.7"})
  void differentWeightsAreAConvolution(int times, double weight) {
    double deviation = Math.sqrt(2.0 * times * (1 + weight * weight));
    double reach = 14 * Math.sqrt(2.0 * times);
    int steps = 20_000;
    double h = reach / steps;
    double step = 1e-4;
    for (double z : new double[] {0.5, 1.5, 2, 2.2, 3}) {
      double x = z * deviation;
      double sum = 0;
      for (int i = 0; i <= steps; i++) {
        double at = Math.max(step, i * h);
        double density =
            (LaplaceNoise.tail(at - step, times) - LaplaceNoise.tail(at + step, times))
                / (4 * step);
        double beyond = upper((x - i * h) / weight, times) + upper((x + i * h) / weight, times);
        sum += (i == 0 || i == steps ? 1 : i % 2 == 0 ? 2 : 4) * 2 * density * beyond;
      }
      assertThat(WeightedIidLaplaceSums.tail(x, times, 1, weight))
          .as("%s deviations", z)
          .isCloseTo(sum * h / 3, within(2e-6));
    }
  }

  /** P[X > x]. */
  private static double upper(double x, int times) {
    double tail = LaplaceNoise.tail(Math.abs(x), times) / 2;
    return x >= 0 ? tail : 1 - tail;
  }

  /** Very many are normal: so is what lies within two deviations. */
  @Test
  void manyAreNormal() {
    IidLaplaceSum many = new IidLaplaceSum(new GridLaplace(20, 1L << 40), 1_000_000);
    double[] weights = {-0.3, 0.7};
    double norm = Math.sqrt(0.58) * many.deviation();
    assertThat(many.halfWidth(0.95, weights) / norm).isCloseTo(1.959964, within(1e-5));
    assertThat(many.deviation()).isCloseTo(1000 * Math.sqrt(2) * (1L << 40), within(1e6));
  }

  @Test
  void coversWhatIsRare() {
    assertThat(WeightedIidLaplaceSums.tail(1000, 3, 1, 0.5)).isBetween(0.0, 1e-12);
    assertThat(WeightedIidLaplaceSums.tail(0, 3, 1, 0.5)).isEqualTo(1);
    assertThat(WeightedIidLaplaceSums.tail(1, 3)).isZero();
    assertThat(WeightedIidLaplaceSums.tail(1, 3, 0, 0)).isZero();
    // One noise is as it always was; so many steps more are allowed as there are noises.
    GridLaplace one = new GridLaplace(20, 50);
    assertThat(new IidLaplaceSum(one, 1).tail(99, 1, 2)).isEqualTo(one.tail(99, 1, 2));
    assertThat(new IidLaplaceSum(one, 4).tail(99, 1, 2))
        .isEqualTo(WeightedIidLaplaceSums.tail((99 - 12) / 50.0, 4, 1, 2));
    assertThatThrownBy(() -> new IidLaplaceSum(one, 0)).hasMessageContaining("at least 1");
  }
}
