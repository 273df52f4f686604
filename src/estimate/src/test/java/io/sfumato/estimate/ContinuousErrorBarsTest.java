// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.mechanism.additive.GaussianNoise;
import io.sfumato.mechanism.additive.LaplaceNoise;
import io.sfumato.random.DiscreteGaussian;
import org.junit.jupiter.api.Test;

/** Error bars of one count, beside the quantiles of continuous noise. */
class ContinuousErrorBarsTest {
  @Test
  void shouldBeTheQuantileOfTheNormalLaw() {
    GaussianNoise noise = new GaussianNoise(64L * DiscreteGaussian.STEPS);
    assertThat(ShareErrorBars.of(noise)).isCloseTo(8 * 1.96, within(1e-3));
  }

  @Test
  void shouldBeTheQuantileOfTheLaplaceLaw() {
    LaplaceNoise noise = new LaplaceNoise(1 << 18);
    assertThat(ShareErrorBars.of(noise)).isCloseTo(4 * Math.log(20), within(1e-9));
  }
}
