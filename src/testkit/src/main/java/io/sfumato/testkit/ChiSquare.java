// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;

/** Pearson's test at a false-alarm rate of 1e-9 (to the accuracy of its limit law). */
public final class ChiSquare {
  private static final double FALSE_ALARM = 1e-9;
  private static final double FEWEST_EXPECTED = 20;

  private ChiSquare() {}

  /**
   * Asserts that counts come from probabilities. Rare outcomes, and all that the probabilities do
   * not cover, are one cell.
   */
  public static void assertFollows(long[] observed, double[] probabilities) {
    long n = Arrays.stream(observed).sum();
    double statistic = 0;
    int cells = 0;
    double restExpected = n;
    long rest = n;
    for (int i = 0; i < probabilities.length; i++) {
      double expected = n * probabilities[i];
      if (expected >= FEWEST_EXPECTED) {
        statistic += (observed[i] - expected) * (observed[i] - expected) / expected;
        restExpected -= expected;
        rest -= observed[i];
        cells++;
      }
    }
    if (restExpected >= FEWEST_EXPECTED) {
      statistic += (rest - restExpected) * (rest - restExpected) / restExpected;
      cells++;
    } else {
      // Poisson-like: a few too many where next to none are expected would be 1e-9 news.
      assertThat((double) rest).isLessThan(restExpected + 60);
    }
    assertThat(statistic)
        .isLessThan(ChiSquaredDistribution.of(cells - 1).inverseSurvivalProbability(FALSE_ALARM));
  }
}
