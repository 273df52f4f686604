// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import java.util.Optional;
import java.util.function.DoublePredicate;
import java.util.function.LongPredicate;

/**
 * Two numbers between which a monotone test changes: it holds at the lower end and below it, and
 * fails at the upper end and above it. Halved until it is narrow enough; which end is the safe one
 * is for whoever asks to say.
 *
 * @param low at which the test holds
 * @param high at which it fails, above {@code low}
 */
public record Bisection(double low, double high) {
  /**
   * From a number on, doubled until the test fails.
   *
   * @param start above 0; if the test fails there already, the bracket begins at 0
   * @param most nothing is found if the test still holds at more than this
   */
  public static Optional<Bisection> doubling(double start, double most, DoublePredicate holds) {
    double low = 0;
    double high = start;
    while (holds.test(high)) {
      low = high;
      high *= 2;
      if (high > most) {
        return Optional.empty();
      }
    }
    return Optional.of(new Bisection(low, high));
  }

  /**
   * Around a number, which is doubled or halved until the test changes.
   *
   * @param start above 0
   * @param least nothing is found if the test fails even below this
   * @param most nothing is found if the test holds even above this
   */
  public static Optional<Bisection> around(
      double start, double least, double most, DoublePredicate holds) {
    Optional<Bisection> found = doubling(start, most, holds);
    if (found.isEmpty() || found.get().low > 0) {
      return found;
    }
    double low = start / 2;
    while (!holds.test(low)) {
      if (low < least) {
        return Optional.empty();
      }
      low /= 2;
    }
    return Optional.of(new Bisection(low, 2 * low));
  }

  /**
   * Halved a fixed number of times.
   *
   * @param times number of halvings, at least 0
   */
  public Bisection halved(int times, DoublePredicate holds) {
    Bisection bracket = this;
    for (int i = 0; i < times; i++) {
      bracket = bracket.half(holds);
    }
    return bracket;
  }

  /**
   * Halved to a precision.
   *
   * @param precision largest width, relative to the upper end; 0 for ends that are neighbours
   */
  public Bisection narrowed(double precision, DoublePredicate holds) {
    Bisection bracket = this;
    while (bracket.high - bracket.low > precision * bracket.high
        && Math.nextUp(bracket.low) < bracket.high) {
      bracket = bracket.half(holds);
    }
    return bracket;
  }

  private Bisection half(DoublePredicate holds) {
    double middle = (low + high) / 2;
    return holds.test(middle) ? new Bisection(middle, high) : new Bisection(low, middle);
  }

  /**
   * The largest whole number at which a test holds.
   *
   * @param low at which it holds
   * @param high at which it fails, above {@code low}
   */
  public static long largest(long low, long high, LongPredicate holds) {
    long fits = low;
    long fails = high;
    while (fails - fits > 1) {
      long middle = (fits + fails) >>> 1;
      if (holds.test(middle)) {
        fits = middle;
      } else {
        fails = middle;
      }
    }
    return fits;
  }
}
