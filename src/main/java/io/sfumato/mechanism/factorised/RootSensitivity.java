// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.factorised;

import io.sfumato.accounting.PrivacyUnit;
import java.math.BigInteger;

/**
 * How far neighbouring datasets' rows C x lie apart, all rows of all subjects together (Theorem J
 * of docs/privacy.md).
 *
 * @param word names the neighbours in a charge
 * @param unit what is protected
 * @param steps largest Euclidean distance, in steps of 2^-20, rounded up to a whole one
 */
public record RootSensitivity(String word, PrivacyUnit unit, long steps) {
  public RootSensitivity {
    if (steps < 1) {
      throw new IllegalArgumentException("a sensitivity is above 0, was " + steps);
    }
  }

  /** One record is moved from one row to another: at most sqrt(2) |c|. */
  public static RootSensitivity replaceOne(ToeplitzRoot root) {
    return new RootSensitivity(
        "replace-one", PrivacyUnit.RECORD, rootUp(root.squaredNorm(1).shiftLeft(1)));
  }

  /**
   * A user's records are added or removed, who has records in at most W rows, and in each of them
   * at most C, over all subjects: at most C times the norm of the sum of the first W columns. With
   * W = 1 also C records in all, in whatever rows.
   *
   * @param records C, at least 1
   * @param rows W, at least 1; no more than the root has count
   */
  public static RootSensitivity addOrRemove(ToeplitzRoot root, int records, int rows) {
    if (records < 1 || rows < 1) {
      throw new IllegalArgumentException(
          "a user contributes at least 1 record to 1 row, was " + records + ", " + rows);
    }
    int columns = Math.min(rows, root.rows());
    BigInteger squares = root.squaredNorm(columns).multiply(BigInteger.valueOf(records).pow(2));
    return new RootSensitivity(
        "add-or-remove-" + records + "-in-" + columns, PrivacyUnit.USER, rootUp(squares));
  }

  private static long rootUp(BigInteger squares) {
    BigInteger[] root = squares.sqrtAndRemainder();
    return root[0].longValueExact() + root[1].signum();
  }
}
