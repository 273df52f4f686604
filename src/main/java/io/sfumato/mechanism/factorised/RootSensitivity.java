// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.factorised;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.mechanism.additive.GridSensitivity;
import java.math.BigInteger;

/**
 * How far the rows C x of neighbouring datasets lie apart, all rows of all subjects together
 * (Theorem J of docs/privacy.md): whole steps of 2^-20, roots rounded up.
 */
public final class RootSensitivity {
  private RootSensitivity() {}

  /** One record is moved from one row to another: at most sqrt(2) |c|. */
  public static GridSensitivity replaceOne(ToeplitzRoot root) {
    return new GridSensitivity(
        word("replace-one", root),
        PrivacyUnit.RECORD,
        1,
        2 * root.sum(1),
        rootUp(root.squaredNorm(1).shiftLeft(1)));
  }

  /**
   * A user's records are added or removed, who has records in at most W rows, and in each of them
   * at most C, over all subjects: at most C times the norm of the sum of the first W columns. For W
   * = 1 as well C records in all, in whatever rows.
   *
   * @param records C, at least 1
   * @param rows W, at least 1; no more than the root has count
   */
  public static GridSensitivity addOrRemove(ToeplitzRoot root, int records, int rows) {
    if (records < 1 || rows < 1) {
      throw new IllegalArgumentException(
          "a user contributes at least 1 record to 1 row, was " + records + ", " + rows);
    }
    int columns = Math.min(rows, root.rows());
    return new GridSensitivity(
        word("add-or-remove-" + records + "-in-" + columns, root),
        PrivacyUnit.USER,
        1,
        Math.multiplyExact(records, root.sum(columns)),
        rootUp(root.squaredNorm(columns).multiply(BigInteger.valueOf(records).pow(2))));
  }

  /** Names it in charges: part of their identity. */
  private static String word(String neighbours, ToeplitzRoot root) {
    return neighbours + " root-" + root.rows() + "-" + root.band();
  }

  /** Exact: below 2^53. */
  private static long rootUp(BigInteger squares) {
    BigInteger[] root = squares.sqrtAndRemainder();
    return root[0].longValueExact() + root[1].signum();
  }
}
