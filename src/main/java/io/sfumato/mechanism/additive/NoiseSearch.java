// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.function.LongToDoubleFunction;

/** Looks for the least noise, in whole steps, that passes a test: more noise passes as well. */
final class NoiseSearch {
  /** Below it halving is as quick as anything else. */
  private static final long FEW = 1 << 11;

  /** Secants before a cell is guessed: each has twice the digits of the last one, or nearly. */
  private static final int SECANTS = 2;

  /** A guess may miss the right one by one. */
  private static final int CELLS = 2;

  /** Of a guess: so near to the last one it is good enough. */
  private static final double NEAR = 0x1.0p-16;

  /** How far from the first place the second one of a secant is. */
  private static final double ASIDE = 1.0 / 256;

  private NoiseSearch() {}

  /** About the smallest noise that passes; more than {@code most} if none does. */
  static long smallest(LongPredicate passes, long most) {
    return smallest(bisect(passes, 0, most + 1).fits, passes, most);
  }

  /**
   * About the smallest noise that passes the fine test, and one that has passed it; more than
   * {@code most} if none does. What is found is what halving would find; where a test passes is
   * guessed by secants, so that a third of the halvings' tests are made.
   *
   * @param coarse at most 1 where the coarse test passes
   * @param fine at most 1 where the fine test passes: smooth, and falling with noise
   */
  static long smallest(LongToDoubleFunction coarse, LongToDoubleFunction fine, long most) {
    long found = bisect(noise -> coarse.applyAsDouble(noise) <= 1, 0, most + 1).fits;
    Seen seen = new Seen(fine);
    if (found > FEW && found <= most) {
      seen.lookAt(seen.guess(found), least(found), untested(found, most));
    }
    long noise = smallest(found, seen::allows, most);
    // Where a test neither rises nor falls, to the last digit, what was not seen is not sure.
    return noise > most || seen.passes(noise) ? noise : smallest(found, seen::passes, most);
  }

  private static long least(long found) {
    return (long) (found * 0.98);
  }

  private static long untested(long found, long most) {
    return Math.min(most + 1, found + found / 64 + 1);
  }

  private static long smallest(long found, LongPredicate fine, long most) {
    long untested = untested(found, most);
    long noise = bisect(fine, least(found), untested).fits;
    // The coarse search only says where to look: where it was too bold, nothing passed so far.
    while (noise == untested && noise <= most && !fine.test(noise)) {
      untested = Math.min(most + 1, 2 * noise);
      noise = bisect(fine, noise, untested).fits;
    }
    return noise;
  }

  /** Between which the test begins to pass. */
  private record Ends(long fails, long fits) {}

  /** Smallest in (low, high] that passes, where high stands for "none before". */
  private static Ends bisect(LongPredicate passes, long low, long high) {
    long fails = low;
    long fits = high;
    while (fits - fails > 1 + (fits >>> 20)) {
      // Geometric while far apart: the answer may be of any magnitude.
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
    return new Ends(fails, fits);
  }

  /** What a test has said so far. */
  private static final class Seen {
    private final LongToDoubleFunction test;
    private final Map<Long, Double> values = new HashMap<>();
    private long fails;
    private long fits = Long.MAX_VALUE;

    Seen(LongToDoubleFunction test) {
      this.test = test;
    }

    private double at(long noise) {
      double value = values.computeIfAbsent(noise, test::applyAsDouble);
      if (value <= 1) {
        fits = Math.min(fits, noise);
      } else {
        fails = Math.max(fails, noise);
      }
      return value;
    }

    boolean passes(long noise) {
      return at(noise) <= 1;
    }

    /** The same, without a look where less noise has passed, or more has failed. */
    boolean allows(long noise) {
      return noise >= fits || noise > fails && passes(noise);
    }

    /** At both ends of where halving would end for a guess, and beside them where it is wrong. */
    void lookAt(double guess, long low, long high) {
      double place = guess;
      for (int i = 0; i < CELLS; i++) {
        double from = place;
        Ends ends = bisect(noise -> noise >= from, low, high);
        if (passes(ends.fails)) {
          place = ends.fails;
        } else if (!passes(ends.fits)) {
          place = ends.fits + 1.0;
        } else {
          return;
        }
      }
    }

    /** Where the test is 1, nearly. */
    double guess(long found) {
      long former = found;
      long last = Math.round(found * (passes(found) ? 1 - ASIDE : 1 + ASIDE));
      double guess = last;
      for (int i = 0; i <= SECANTS; i++) {
        double log = StrictMath.log(at(last));
        double slope = (log - StrictMath.log(at(former))) / (last - former);
        guess = last - log / slope;
        double nearest = Math.max(least(found), Math.min(found * (1 + 1.0 / 64), guess));
        if (i == SECANTS
            || guess != nearest
            || Math.abs(guess - last) <= Math.max(1, NEAR * last)) {
          return nearest;
        }
        former = last;
        last = Math.round(guess);
      }
      return guess;
    }
  }
}
