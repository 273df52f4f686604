// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.bounds;

import java.math.BigInteger;

/**
 * Exact sums over records of t and of t^2, each in [0, 1]. Secret.
 *
 * @param records N
 * @param span w, above 0
 * @param first sum of t, times w
 * @param second sum of t^2, times w^2
 */
public record BoundedSums(
    BigInteger records, BigInteger span, BigInteger first, BigInteger second) {
  /**
   * @throws IllegalArgumentException if the span is not above 0, or the sums are of no numbers in
   *     [0, 1]
   */
  public BoundedSums {
    boolean between =
        second.signum() >= 0
            && second.compareTo(first.multiply(span)) <= 0
            && first.compareTo(records.multiply(span)) <= 0;
    if (span.signum() <= 0 || !between) {
      throw new IllegalArgumentException("t lies in [0, 1], and its square below it");
    }
  }

  /** Never prints the numbers: they are what must stay private. */
  @Override
  public String toString() {
    return "BoundedSums[masked]";
  }
}
