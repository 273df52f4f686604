// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.matrix;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.mechanism.additive.GridSensitivity;
import java.math.BigInteger;

/**
 * How far the rows C x of neighbouring datasets lie apart, all rows of all subjects together
 * (Theorem J of docs/theory/running-sums.md): whole steps of 2^-20, roots rounded up.
 */
public final class RootSensitivity {
  private RootSensitivity() {}

  /**
   * One record is moved from one row to another, of the same vector or of two: at most sqrt(2) |c|.
   */
  public static GridSensitivity replaceOne(ToeplitzRoot root) {
    return new GridSensitivity(
        word("replace-one", root),
        PrivacyUnit.RECORD,
        1,
        2 * root.columnSum(),
        rootUp(root.squaredNorm(1).shiftLeft(1)));
  }

  /**
   * A user's records are added or removed, who has records in at most W windows, and in each of
   * them at most C over all subjects: at most C times the norm of the sum of the first W columns,
   * whenever the sequences of n windows began that these are rows of. For W = 1 as well C records
   * in all, in whatever rows.
   *
   * @param records C, at least 1
   * @param windows W, at least 1
   * @throws IllegalArgumentException if there is no record or no window
   */
  public static GridSensitivity addOrRemove(ToeplitzRoot root, int records, int windows) {
    if (records < 1 || windows < 1) {
      throw new IllegalArgumentException(
          "a user contributes at least 1 record to 1 window, was " + records + ", " + windows);
    }
    return new GridSensitivity(
        word("add-or-remove-" + records + "-in-" + windows, root),
        PrivacyUnit.USER,
        1,
        Math.multiplyExact((long) records * windows, root.columnSum()),
        rootUp(squaredNorm(root, windows).multiply(BigInteger.valueOf(records).pow(2))));
  }

  /** In several sequences, if there are more windows than one has: by the worst norm a window. */
  private static BigInteger squaredNorm(ToeplitzRoot root, int windows) {
    if (windows <= root.rows()) {
      return root.squaredNorm(windows);
    }
    BigInteger worst = BigInteger.ZERO;
    for (int columns = 1; columns <= root.rows(); columns++) {
      BigInteger[] parts =
          root.squaredNorm(columns)
              .multiply(BigInteger.valueOf(windows))
              .divideAndRemainder(BigInteger.valueOf(columns));
      worst = worst.max(parts[0].add(BigInteger.valueOf(parts[1].signum())));
    }
    return worst;
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
