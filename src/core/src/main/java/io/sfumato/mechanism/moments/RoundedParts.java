// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.moments;

import io.sfumato.mechanism.bounds.BoundedSums;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * The sums of records' {@link BernsteinParts} where t is summed first and rounded once: exact
 * fractions, then largest remainders. Of all records together no part is off by more than 2/3 of a
 * step, nor all of them by more than 4/3 (Theorem I of docs/theory/moments-and-quantiles.md).
 */
final class RoundedParts {
  private static final BigInteger STEPS = BigInteger.valueOf(BernsteinParts.STEPS);

  private RoundedParts() {}

  /**
   * Parts of a group's records.
   *
   * @param degree m, 1 or 2
   * @return m + 1 sums in whole steps, each at least 0, adding up to exactly N records
   * @throws ArithmeticException beyond 2^63 steps
   */
  static long[] of(BoundedSums sums, int degree) {
    BernsteinParts.requireDegree(degree);
    BigInteger w = sums.span();
    BigInteger t = sums.first();
    BigInteger n = sums.records();
    if (degree == 1) {
      return rounded(w, n.multiply(w).subtract(t), t);
    }
    // All times w^2: 1 - 2 t + t^2, 2 (t - t^2), t^2.
    BigInteger square = w.multiply(w);
    BigInteger tw = t.multiply(w);
    BigInteger tt = sums.second();
    return rounded(
        square,
        n.multiply(square).subtract(tw.shiftLeft(1)).add(tt),
        tw.subtract(tt).shiftLeft(1),
        tt);
  }

  /** Largest remainders; of equal ones the first. */
  private static long[] rounded(BigInteger unit, BigInteger... parts) {
    long[] steps = new long[parts.length];
    BigInteger[] rest = new BigInteger[parts.length];
    BigInteger left = BigInteger.ZERO;
    for (int k = 0; k < parts.length; k++) {
      BigInteger[] divided = parts[k].multiply(STEPS).divideAndRemainder(unit);
      steps[k] = divided[0].longValueExact();
      rest[k] = divided[1];
      left = left.add(rest[k]);
    }
    // The remainders add up to whole steps, of which each is less than one.
    for (long i = left.divide(unit).longValueExact(); i > 0; i--) {
      int largest = 0;
      for (int k = 1; k < parts.length; k++) {
        largest = rest[k].compareTo(rest[largest]) > 0 ? k : largest;
      }
      steps[largest] = Math.addExact(steps[largest], 1);
      rest[largest] = BigInteger.ONE.negate();
    }
    if (Arrays.stream(steps).anyMatch(step -> step < 0)) {
      throw new IllegalStateException("parts are at least 0");
    }
    return steps;
  }
}
