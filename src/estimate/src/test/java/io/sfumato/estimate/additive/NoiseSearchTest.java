// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.additive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongPredicate;
import java.util.function.LongToDoubleFunction;
import org.junit.jupiter.api.Test;

/** What is found by secants is what halving alone finds, with fewer tests. */
class NoiseSearchTest {
  private static final long MOST = 1L << 40;

  /** Halving alone. */
  private static long halved(LongPredicate coarse, LongPredicate fine) {
    long found = halved(coarse, 0, MOST + 1);
    long untested = Math.min(MOST + 1, found + found / 64 + 1);
    long fits = halved(fine, (long) (found * 0.98), untested);
    while (fits == untested && fits <= MOST && !fine.test(fits)) {
      untested = Math.min(MOST + 1, 2 * fits);
      fits = halved(fine, fits, untested);
    }
    return fits;
  }

  private static long halved(LongPredicate passes, long low, long high) {
    long fails = low;
    long fits = high;
    while (fits - fails > 1 + (fits >>> 20)) {
      long middle =
          fits / 4 > fails
              ? Math.max(fails + 1, (long) Math.sqrt((double) Math.max(1, fails) * fits))
              : (fails + fits) >>> 1;
      if (passes.test(middle)) {
        fits = middle;
      } else {
        fails = middle;
      }
    }
    return fits;
  }

  @Test
  void findsWhatHalvingFinds() {
    Random random = new Random(17);
    AtomicInteger tests = new AtomicInteger();
    int large = 0;
    for (int i = 0; i < 2_000; i++) {
      double place = Math.exp(random.nextDouble() * 26);
      double power = 0.5 + 30 * random.nextDouble();
      // A share of the tests is as far off as the coarse one may be, and further.
      double off = 1 + (random.nextDouble() - 0.5) * (i % 10 == 0 ? 0.08 : 0.02);
      LongToDoubleFunction fine = noise -> Math.pow(place / noise, power);
      int before = tests.get();
      long least =
          NoiseSearch.smallest(
              noise -> noise >= place * off ? 0.5 : 2,
              noise -> {
                tests.incrementAndGet();
                return fine.applyAsDouble(noise);
              },
              MOST);
      assertThat(least)
          .as("place " + place + ", power " + power + ", off " + off)
          .isEqualTo(
              halved(noise -> noise >= place * off, noise -> fine.applyAsDouble(noise) <= 1));
      assertThat(fine.applyAsDouble(least)).isLessThanOrEqualTo(1);
      if (place > 1e4 && i % 10 != 0) {
        assertThat(tests.get() - before).isLessThanOrEqualTo(8);
        large++;
      }
    }
    assertThat(large).isGreaterThan(900);
  }

  /** As a delta does where all losses together have a largest one: straight, and then gone. */
  @Test
  void followsWhatFallsStraightToNothing() {
    Random random = new Random(18);
    AtomicInteger tests = new AtomicInteger();
    for (int i = 0; i < 500; i++) {
      double place = 1e6 * (1 + random.nextDouble());
      double steepness = 1e3 + 1e5 * random.nextDouble();
      double softness = 1e-5 * random.nextDouble() * i % 3;
      double off = 1 + (random.nextDouble() - 0.5) * (i % 10 == 0 ? 0.08 : 0.02);
      // ln(1 + e^x) falls as a straight line does, and then as an exponential.
      LongToDoubleFunction fine =
          noise -> {
            double fallen = steepness * (1 - noise / place) + 1;
            double soft = softness * steepness;
            return soft < 0.01
                ? Math.max(1e-300, fallen)
                : fallen > 500 * soft ? fallen : soft * Math.log1p(Math.exp(fallen / soft));
          };
      long least =
          NoiseSearch.smallest(
              noise -> noise >= place * off ? 0.5 : 2,
              noise -> {
                tests.incrementAndGet();
                return fine.applyAsDouble(noise);
              },
              MOST);
      assertThat(least)
          .as("place " + place + ", steepness " + steepness + ", off " + off)
          .isEqualTo(
              halved(noise -> noise >= place * off, noise -> fine.applyAsDouble(noise) <= 1));
    }
    // Halving makes eighteen, and after a coarse test that was too bold forty.
    assertThat(tests.get()).isLessThan(500 * 11);
  }

  /** Where a test neither falls nor rises for a while, what is returned has passed it. */
  @Test
  void returnsWhatHasPassed() {
    for (double flat : new double[] {0.9, 1, 1.1}) {
      LongToDoubleFunction steps = noise -> noise > 1_000_000 ? flat : 2;
      long found = NoiseSearch.smallest(noise -> noise > 995_000 ? 1 : 2, steps, 2_000_000);
      assertThat(found > 2_000_000 || steps.applyAsDouble(found) <= 1).isTrue();
      assertThat(found > 2_000_000).isEqualTo(flat > 1);
    }
  }

  @Test
  void findsNothingWhereNothingPasses() {
    assertThat(NoiseSearch.smallest(noise -> 2, noise -> 2, 5_000)).isEqualTo(5_001);
    assertThat(NoiseSearch.smallest(noise -> false, 5_000)).isEqualTo(5_001);
  }
}
