// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.testkit.KolmogorovSmirnov;
import java.util.Arrays;
import java.util.function.DoubleSupplier;
import java.util.function.DoubleUnaryOperator;
import org.apache.commons.statistics.distribution.GammaDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.Test;

class NoiseTest {
  @Test
  void streamIsTheChaCha20KeyStreamOfRfc8439() {
    // RFC 8439, appendix A.1, test vector 1: key 0, nonce 0, counter 0.
    KeyedRandom random = KeyedRandom.ofKey(new byte[32]);
    assertThat(Long.toHexString(random.nextLong())).isEqualTo("76b8e0ada0f13d90");
    assertThat(Long.toHexString(random.nextLong())).isEqualTo("405d6ae55386bd28");
  }

  @Test
  void framingIsPrefixFree() {
    assertThat(new CanonicalEncoder().text("ab").text("c").toBytes())
        .isNotEqualTo(new CanonicalEncoder().text("a").text("bc").toBytes());
  }

  /** Kolmogorov-Smirnov at false-alarm rate 2e-10 each (2 exp(-2 n D^2)), fixed seed. */
  @Test
  void gaussianAndGammaDrawsFollowTheirLaws() {
    KeyedRandom random = KeyedRandom.ofPublicSeed("laws of draws");
    assertFollows(random::nextStandardGaussian, NormalDistribution.of(0, 1)::cumulativeProbability);
    for (double shape : new double[] {0.5, 0.9, 1, 1.5, 4.27, 40, 12345}) {
      assertFollows(
          () -> GammaSampler.sample(random, shape),
          GammaDistribution.of(shape, 1)::cumulativeProbability);
    }
  }

  @Test
  void gammaRefusesShapesThatUnderflow() {
    KeyedRandom random = KeyedRandom.ofPublicSeed("laws of draws");
    for (double shape : new double[] {0.49, 0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> GammaSampler.sample(random, shape)).hasMessageContaining("shape");
    }
  }

  private static void assertFollows(DoubleSupplier draw, DoubleUnaryOperator cdf) {
    double[] sample = new double[200_000];
    Arrays.setAll(sample, i -> draw.getAsDouble());
    KolmogorovSmirnov.assertFollows(sample, cdf);
  }
}
