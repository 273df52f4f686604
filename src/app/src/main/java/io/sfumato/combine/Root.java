// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.combine;

import java.util.function.DoubleUnaryOperator;

/** A root, by the Illinois method. */
final class Root {
  private static final int MOST_STEPS = 200;
  private static final double CLOSE = 1e-12;
  private static final double FLAT = 1e-13;

  private Root() {}

  /**
   * Where a function is 0 that is negative at one end of a range and positive at the other; the
   * inner end where it is not negative there.
   */
  static double between(DoubleUnaryOperator function, double inner, double outer) {
    double one = inner;
    double other = outer;
    double low = function.applyAsDouble(one);
    double high = function.applyAsDouble(other);
    int last = 0;
    if (low >= 0) {
      return inner; // of numbers without noise, only rounded
    }
    for (int i = 0;
        i < MOST_STEPS && Math.abs(other - one) > CLOSE * Math.max(Math.abs(one), Math.abs(other));
        i++) {
      double middle = (one * high - other * low) / (high - low);
      double found = function.applyAsDouble(middle);
      if (Math.abs(found) < FLAT) {
        return middle;
      }
      if (found < 0 == low < 0) {
        one = middle;
        low = found;
        high = last == 1 ? high / 2 : high;
        last = 1;
      } else {
        other = middle;
        high = found;
        low = last == 2 ? low / 2 : low;
        last = 2;
      }
    }
    return other;
  }
}
