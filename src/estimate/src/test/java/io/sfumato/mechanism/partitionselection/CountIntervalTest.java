// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.partitionselection;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.estimate.partitionselection.CountInterval;
import io.sfumato.mechanism.additive.GridGaussian;
import io.sfumato.mechanism.additive.GridLaplace;
import io.sfumato.mechanism.additive.GridNoise;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Intervals hold the truth as often as they say: by sums over the law, nothing is drawn. */
class CountIntervalTest {
  private static final int DIGITS = 8;
  private static final List<GridNoise> NOISES =
      List.of(new GridLaplace(DIGITS, 3 << DIGITS), new GridGaussian(DIGITS, 4 << DIGITS));

  /** Tails are those of continuous noise a step further out: a step is so small a part of it. */
  private static final double STEP = 0.005;

  private static final Threshold THRESHOLD = new Threshold(20);

  /** Further out noises have a probability below 1e-13. */
  private static long reach(GridNoise noise) {
    return (noise instanceof GridLaplace ? 31 : 8) * noise.steps();
  }

  @Test
  void thoseWhoPassedAreCoveredGivenThatTheyPassed() {
    for (GridNoise noise : NOISES) {
      for (long users : new long[] {1, 2, 5, 12, 19, 20, 21, 30, 60}) {
        double all = 0;
        double covered = 0;
        double plain = 0;
        long from = Math.max(20L << DIGITS, (users << DIGITS) - reach(noise));
        for (long y = from; y <= (users << DIGITS) + reach(noise); y++) {
          double weight = Math.exp(noise.logDensity(y - (users << DIGITS)));
          NoisyName noisy = new NoisyName(y, DIGITS);
          all += weight;
          CountInterval interval = CountInterval.ofPassed(noise, THRESHOLD, noisy);
          covered += interval.low() <= users && users <= interval.high() ? weight : 0;
          CountInterval unconditional = CountInterval.of(noise, noisy);
          plain += unconditional.low() <= users && users <= unconditional.high() ? weight : 0;
        }
        assertThat(covered / all)
            .as(noise.method() + " of " + users)
            .isGreaterThanOrEqualTo(0.95 - STEP);
        if (users < 12) {
          assertThat(plain / all).as("without the condition").isLessThan(0.9);
        }
      }
    }
  }

  @Test
  void thoseWhoArePublicAreCoveredWhateverTheirNoise() {
    for (GridNoise noise : NOISES) {
      for (long users : new long[] {0, 1, 7, 40}) {
        double all = 0;
        double covered = 0;
        for (long z = -reach(noise); z <= reach(noise); z++) {
          double weight = Math.exp(noise.logDensity(z));
          CountInterval interval =
              CountInterval.of(noise, new NoisyName((users << DIGITS) + z, DIGITS));
          all += weight;
          covered += interval.low() <= users && users <= interval.high() ? weight : 0;
        }
        assertThat(covered / all).isGreaterThanOrEqualTo(0.95 - 1e-9);
      }
    }
  }

  @Test
  void farAboveTheThresholdTheConditionIsNone() {
    for (GridNoise noise : NOISES) {
      NoisyName noisy = new NoisyName(1000L << DIGITS, DIGITS);
      CountInterval passed = CountInterval.ofPassed(noise, THRESHOLD, noisy);
      CountInterval known = CountInterval.of(noise, noisy);
      assertThat(passed.low()).isBetween(known.low() - 1, known.low() + 1);
      assertThat(passed.high()).isBetween(known.high() - 1, known.high() + 1);
    }
  }
}
