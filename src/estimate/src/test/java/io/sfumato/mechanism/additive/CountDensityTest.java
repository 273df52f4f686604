// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.estimate.HistogramDensity;
import io.sfumato.estimate.additive.CountDensity;
import org.junit.jupiter.api.Test;

class CountDensityTest {
  private static final long[] NOISY = {40, -3, 12};

  /** P(x) is in proportion to e^(-x^2 / 2 s^2), with s^2 = 9, and to e^(-|x| / 4). */
  @Test
  void shouldBeTheProbabilityOfTheNoise() {
    long[] first = {38, 1, 10};
    long[] second = {30, 9, 10};
    HistogramDensity gaussian = CountDensity.of(NOISY, new GaussianNoise(9L << 10));
    assertThat(gaussian.records()).isEqualTo(49);
    assertThat(gaussian.log(first) - gaussian.log(second))
        .isCloseTo((100 + 144 - 4 - 16) / 18.0, within(1e-12));
    HistogramDensity laplace = CountDensity.of(NOISY, new LaplaceNoise((1L << 20) / 4));
    assertThat(laplace.log(first) - laplace.log(second))
        .isCloseTo((10 + 12 - 2 - 4) / 4.0, within(1e-12));
  }

  @Test
  void shouldRefuseCountsOfNobody() {
    assertThatThrownBy(() -> CountDensity.of(new long[] {3, -4}, new GaussianNoise(9L << 10)))
        .hasMessageContaining("add up to -1");
    assertThatThrownBy(
            () -> CountDensity.of(new long[] {Long.MIN_VALUE, 4}, new GaussianNoise(9L << 10)))
        .hasMessageContaining("2^30");
  }
}
