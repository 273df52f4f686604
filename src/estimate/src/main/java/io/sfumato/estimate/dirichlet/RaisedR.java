// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.dirichlet;

import java.util.HashMap;
import java.util.Map;
import java.util.function.DoublePredicate;
import java.util.function.DoubleUnaryOperator;

/**
 * The largest r that a smooth test allows: small ones pass, large ones do not. Doubling, then
 * halving, would find it by some twenty tests; secants guess where these would end, so that a few
 * tests are enough for the same r.
 */
final class RaisedR {
  /** Where the first guess is, and how far from it the second: most starts are so much too low. */
  private static final double ASIDE = 0.005;

  private static final int SECANTS = 3;

  private final DoubleUnaryOperator excess;
  private final Map<Double, Double> seen = new HashMap<>();
  private double largest = Double.NEGATIVE_INFINITY;
  private double tooMuch = Double.POSITIVE_INFINITY;

  private RaisedR(DoubleUnaryOperator excess) {
    this.excess = excess;
  }

  /**
   * The largest allowed r from a start that is allowed, or the start itself.
   *
   * @param excess by r: at most 1 where it is allowed
   * @param start above 0
   * @param precision to which it is found, relative
   */
  static double of(DoubleUnaryOperator excess, double start, double precision) {
    RaisedR raised = new RaisedR(excess);
    double guess = raised.guess(start, precision);
    Ends ends = raise(r -> r <= guess, start, precision);
    raised.allows(ends.tooMuch);
    if (ends.fits > start) {
      raised.allows(ends.fits);
    }
    double found = raise(raised::known, start, precision).fits;
    // Where a test neither rises nor falls, to the last digit, what was not seen is not sure.
    return found == start || raised.allows(found)
        ? found
        : raise(raised::allows, start, precision).fits;
  }

  private double at(double r) {
    double value = seen.computeIfAbsent(r, excess::applyAsDouble);
    if (value <= 1) {
      largest = Math.max(largest, r);
    } else {
      tooMuch = Math.min(tooMuch, r);
    }
    return value;
  }

  private boolean allows(double r) {
    return at(r) <= 1;
  }

  /** The same, without a look where more has passed, or less has failed. */
  private boolean known(double r) {
    return r <= largest || r < tooMuch && allows(r);
  }

  /** Where the test is 1, nearly. */
  private double guess(double start, double precision) {
    double former = start * (1 + ASIDE);
    double last = former * (allows(former) ? 1 + ASIDE : 1 - ASIDE);
    double near = Math.min(2 * ASIDE, 50 * precision);
    double guess = last;
    for (int i = 0; i < SECANTS; i++) {
      double log = StrictMath.log(at(last));
      double slope = (log - StrictMath.log(at(former))) / (last - former);
      guess = last - log / slope;
      if (!(guess > start / 2 && guess < 4 * start)) {
        return start; // The test hardly moves with r: nothing is guessed.
      }
      if (Math.abs(guess - last) <= near * last) {
        return guess;
      }
      former = last;
      last = guess;
    }
    return guess;
  }

  /** The largest r that passed, or the start; and one that is too much. */
  private record Ends(double fits, double tooMuch) {}

  private static Ends raise(DoublePredicate allowed, double start, double precision) {
    double fits = start;
    double step = 1 + precision * 64;
    double tooMuch = start * step;
    while (allowed.test(tooMuch)) {
      fits = tooMuch;
      step *= step;
      tooMuch = fits * Math.min(step, 2);
    }
    while (tooMuch > fits * (1 + precision)) {
      double middle = (fits + tooMuch) / 2;
      if (allowed.test(middle)) {
        fits = middle;
      } else {
        tooMuch = middle;
      }
    }
    return new Ends(fits, tooMuch);
  }
}
