// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.accounting.Bisection;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Outputs are made of it: what is found is what sixty halvings alone come to, to the last bit. */
class PosteriorShiftTest {
  private static double halved(double[] noisy, double size, double deviation, Bisection ends) {
    return ends.halved(60, c -> PostProcessing.sum(noisy, c, deviation) > size).high();
  }

  @Test
  void isWhatHalvingsComeTo() {
    Random random = new Random(29);
    for (int i = 0; i < 3_000; i++) {
      double deviation = Math.exp(random.nextDouble() * 14 - 4);
      double spread = Math.exp(random.nextDouble() * 12 - 4);
      double size = 1 + (long) Math.exp(random.nextDouble() * 14);
      double[] noisy = new double[1 + random.nextInt(i % 100 == 0 ? 200 : 6)];
      Arrays.setAll(noisy, k -> Math.rint(random.nextGaussian() * deviation * spread));
      assertSame(noisy, size, deviation);
    }
  }

  /** Where the mean of one count goes over to its series, which lies elsewhere. */
  @Test
  void isTheSameWhereTheMeanJumps() {
    Random random = new Random(30);
    for (int i = 0; i < 1_000; i++) {
      double deviation = 1 + random.nextInt(5);
      double size = 100 + random.nextInt(100);
      // The largest has all of N but for next to nothing: so much is taken off all of them.
      double far =
          PostProcessing.FAR + (random.nextDouble() - 0.5) * Math.pow(10, -random.nextInt(8));
      double[] noisy = {0, size + deviation / far - far * deviation};
      assertSame(noisy, size, deviation);
    }
  }

  private static void assertSame(double[] noisy, double size, double deviation) {
    double low = Arrays.stream(noisy).min().orElseThrow() - size - deviation;
    double high = Arrays.stream(noisy).max().orElseThrow() + 40 * deviation;
    while (PostProcessing.sum(noisy, high, deviation) > size) {
      high += high - low;
    }
    Bisection ends = new Bisection(low, high);
    assertThat(PosteriorShift.of(noisy, size, deviation, ends))
        .as("%s of %s, %s", size, deviation, Arrays.toString(noisy))
        .isEqualTo(halved(noisy, size, deviation, ends));
  }
}
