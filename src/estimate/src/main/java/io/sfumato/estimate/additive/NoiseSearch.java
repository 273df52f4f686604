// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.additive;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.function.LongToDoubleFunction;

/** Looks for the least noise, in whole steps, that passes a test: more noise passes as well. */
final class NoiseSearch {
  /** Below it halving is as quick as anything else. */
  private static final long FEW = 1 << 11;

  /** Secants before a cell is guessed, at most. */
  private static final int SECANTS = 8;

  /** A guess may miss the right one by one. */
  private static final int CELLS = 2;

  /** Of a guess: so near to the last one it is good enough, if the test is not straight at all. */
  private static final double NEAR = 0x1.0p-19;

  /** How far from the first place the second one of a secant is. */
  private static final double ASIDE = 1.0 / 256;

  private NoiseSearch() {}

  /** About the smallest noise that passes; more than {@code most} if none does. */
  static long smallest(LongPredicate passes, long most) {
    Ends coarse = bisect(passes, 0, most + 1);
    return smallest(coarse.fits, passes, (low, high) -> bisect(passes, low, high), most);
  }

  /**
   * About the smallest noise that passes the fine test, and one that has passed it; more than
   * {@code most} if none does. What is found is what halving would find; where a test passes is
   * guessed by secants, so that a third of the halvings' tests are made: they follow the test, or
   * its logarithm, whichever is the straighter one.
   *
   * @param coarse at most 1 where the coarse test passes
   * @param fine at most 1 where the fine test passes: smooth, and falling with noise
   */
  static long smallest(LongToDoubleFunction coarse, LongToDoubleFunction fine, long most) {
    long found = bisect(noise -> coarse.applyAsDouble(noise) <= 1, 0, most + 1).fits;
    Seen seen = new Seen(fine, found);
    long noise = smallest(found, seen::allows, seen::between, most);
    // Where a test neither rises nor falls, to the last digit, what was not seen is not sure.
    return noise > most || seen.passes(noise)
        ? noise
        : smallest(found, seen::passes, (low, high) -> bisect(seen::passes, low, high), most);
  }

  private static long least(long found) {
    return (long) (found * 0.98);
  }

  private static long untested(long found, long most) {
    return Math.min(most + 1, found + found / 64 + 1);
  }

  private static long smallest(long found, LongPredicate fine, Search search, long most) {
    long untested = untested(found, most);
    long noise = search.between(least(found), untested).fits;
    // The coarse search only says where to look: where it was too bold, nothing passed so far.
    while (noise == untested && noise <= most && !fine.test(noise)) {
      untested = Math.min(most + 1, 2 * noise);
      noise = search.between(noise, untested).fits;
    }
    return noise;
  }

  /** How the first that passes is found in (low, high], where high stands for "none before". */
  private interface Search {
    Ends between(long low, long high);
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

    /** Where the next guess begins. */
    private long from;

    private long fails;
    private long fits = Long.MAX_VALUE;

    Seen(LongToDoubleFunction test, long from) {
      this.test = test;
      this.from = from;
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

    /** What halving finds: at the ends of where it would end for a guess, this has been seen. */
    Ends between(long low, long high) {
      if (low < from && from < high && high > FEW) {
        lookAt(guess(low, high), low, high);
      }
      from = Math.min(high + high / 2, Long.MAX_VALUE / 2);
      return bisect(this::allows, low, high);
    }

    /**
     * At both ends of where halving would end for a guess, and beside them where it is wrong. The
     * ends of the range halving takes on trust.
     */
    private void lookAt(double guess, long low, long high) {
      double place = guess;
      for (int i = 0; i < CELLS; i++) {
        double from = place;
        Ends ends = bisect(noise -> noise >= from, low, high);
        if (ends.fails > low && passes(ends.fails)) {
          place = ends.fails;
        } else if (ends.fits < high && !passes(ends.fits)) {
          place = ends.fits + 1.0;
        } else {
          return;
        }
      }
    }

    /** Where the test is 1, nearly; an end of the range where it is beyond. */
    private double guess(long low, long high) {
      long former = from;
      long last = Math.round(from * (passes(from) ? 1 - ASIDE : 1 + ASIDE));
      Secant secant = Secant.LOGARITHM;
      for (int i = 0; i < SECANTS && low < last && last < high; i++) {
        double next = secant.root(former, at(former), last, at(last));
        double least = Math.max(low, fails);
        double most = Math.min(high, fits);
        if (!(next > least && next < most)) {
          if (least == low || most == high) {
            return next <= low ? low : high;
          }
          next = (least + most) / 2;
        }
        if (Math.abs(next - last) <= Math.max(1, last * NEAR)) {
          return next;
        }
        long place = Math.round(next);
        secant = Secant.thatForetold(place, at(place), former, at(former), last, at(last));
        former = last;
        last = place;
      }
      return Math.max(low, Math.min(high, last));
    }
  }

  /** Of the test, or of its logarithm: either may be the straighter one. */
  private enum Secant {
    TEST,
    LOGARITHM;

    private double of(double value) {
      return this == TEST ? value - 1 : StrictMath.log(Math.max(Double.MIN_VALUE, value));
    }

    private double at(double place, long first, double a, long second, double b) {
      return of(b) + (place - second) * (of(b) - of(a)) / (second - first);
    }

    double root(long first, double a, long second, double b) {
      return second - of(b) * (second - first) / (of(b) - of(a));
    }

    static Secant thatForetold(
        long place, double value, long first, double a, long second, double b) {
      double test = 1 + TEST.at(place, first, a, second, b);
      double logarithm = StrictMath.exp(LOGARITHM.at(place, first, a, second, b));
      return Math.abs(test - value) < Math.abs(logarithm - value) ? TEST : LOGARITHM;
    }
  }
}
