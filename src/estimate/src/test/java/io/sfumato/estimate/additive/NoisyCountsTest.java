// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.additive;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.mechanism.Distribution;
import io.sfumato.mechanism.additive.PostProcessing;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Noisy counts are among those that their shares can have been made of. */
class NoisyCountsTest {
  private static final int TRIALS = 20_000;
  private static final long RECORDS = 25;

  /** Many of few records: often two are the largest, and one of them takes what rounding leaves. */
  @ParameterizedTest
  @CsvSource({"0.7071067811865476, 2", "1.4142135623730951, 1"})
  void shouldFindThoseOfAFloor(double deviation, double rate) {
    Random random = new Random(5);
    int ties = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
      double[] noisy = noisy(random, 5 + random.nextInt(10), rate);
      double largest = Arrays.stream(noisy).max().orElseThrow();
      ties += Arrays.stream(noisy).filter(z -> z == largest).count() > 1 ? 1 : 0;
      Distribution shares = PostProcessing.FLOOR.apply(noisy, RECORDS, deviation);
      assertThat(new NoisyCounts(shares, deviation).ofFloor(RECORDS))
          .as(Arrays.toString(noisy))
          .anyMatch(found -> isOf(found, noisy));
    }
    assertThat(ties).as("trials in which two are the largest").isGreaterThan(TRIALS / 50);
  }

  private static boolean isOf(NoisyCounts.Found found, double[] noisy) {
    for (int i = 0; i < noisy.length; i++) {
      if (found.isFloored(i) ? noisy[i] > found.count(i) : noisy[i] != found.count(i)) {
        return false;
      }
    }
    return true;
  }

  private static double[] noisy(Random random, int categories, double rate) {
    double[] counts = new double[categories];
    for (int i = 0; i < RECORDS; i++) {
      counts[(int) (categories * Math.pow(random.nextDouble(), 2.5))]++;
    }
    for (int i = 0; i < categories; i++) {
      counts[i] += geometric(random, rate) - geometric(random, rate);
    }
    return counts;
  }

  private static int geometric(Random random, double rate) {
    int more = 0;
    while (random.nextDouble() < Math.exp(-rate)) {
      more++;
    }
    return more;
  }
}
