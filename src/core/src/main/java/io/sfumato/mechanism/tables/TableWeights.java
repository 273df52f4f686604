// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.tables;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.additive.GridSensitivity;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * By how much each table is multiplied before noise, the same for all, is added: whole steps of
 * 2^-20. The larger, the more precise. Immutable.
 *
 * @param steps a_S, one a table, 0 to 2^20; 0 where a table is not measured, and at least one above
 *     0
 */
public record TableWeights(long... steps) {
  /** Steps of weight 1. */
  public static final long ONE = 1L << GridNoise.DIGITS;

  /**
   * @throws IllegalArgumentException if a weight is below 0 or above 2^20 steps, or all are 0
   */
  public TableWeights {
    steps = steps.clone();
    for (long step : steps) {
      if (step < 0 || step > ONE) {
        throw new IllegalArgumentException("a weight is 0 to 2^20 steps, was " + step);
      }
    }
    if (Arrays.stream(steps).sum() == 0) {
      throw new IllegalArgumentException("at least one table is measured");
    }
  }

  /**
   * Of precisions: p_S = a_S^2, rounded to whole steps.
   *
   * @param precisions of each table, at least 0
   */
  public static TableWeights ofPrecisions(double... precisions) {
    return new TableWeights(
        Arrays.stream(precisions).mapToLong(p -> Math.round(ONE * Math.sqrt(p))).toArray());
  }

  @Override
  public long[] steps() {
    return steps.clone();
  }

  /**
   * a_S in steps.
   *
   * @param table from 0
   */
  public long of(int table) {
    return steps[table];
  }

  /** Number of tables. */
  public int tables() {
    return steps.length;
  }

  /** p_S = a_S^2: the precision of a cell where the noise has standard deviation 1. */
  public double[] precisions() {
    return Arrays.stream(steps).mapToDouble(a -> (double) a * a / ((double) ONE * ONE)).toArray();
  }

  /**
   * A user's records are added or removed: each moves one cell of each table by a_S, so up to C of
   * them move all by at most C sqrt(sum of a_S^2), Theorem O of docs/theory/tables.md.
   *
   * @param records C, the most over all subjects, at least 1
   * @throws IllegalArgumentException if there is no record
   */
  public GridSensitivity addOrRemove(int records) {
    if (records < 1) {
      throw new IllegalArgumentException("a user contributes at least 1 record, was " + records);
    }
    return new GridSensitivity(
        "add-or-remove-" + records + word(),
        PrivacyUnit.USER,
        1,
        Math.multiplyExact(records, sum()),
        rootUp(squares().multiply(BigInteger.valueOf(records).pow(2))));
  }

  /**
   * One record is replaced: two cells of each table move by a_S, all by at most sqrt(2 sum of
   * a_S^2). The total does not move, and is not measured.
   *
   * @throws IllegalArgumentException if the total is measured
   */
  public GridSensitivity replaceOne() {
    if (steps[0] != 0) {
      throw new IllegalArgumentException("the total is public, so it is not measured");
    }
    return new GridSensitivity(
        "replace-one" + word(), PrivacyUnit.RECORD, 1, 2 * sum(), rootUp(squares().shiftLeft(1)));
  }

  /** What the distance is made of: part of a charge's identity. */
  private String word() {
    return " tables-" + steps.length + "-" + squares();
  }

  private long sum() {
    return Arrays.stream(steps).sum();
  }

  private BigInteger squares() {
    BigInteger squares = BigInteger.ZERO;
    for (long step : steps) {
      squares = squares.add(BigInteger.valueOf(step).pow(2));
    }
    return squares;
  }

  /** Exact: below 2^53. */
  private static long rootUp(BigInteger squares) {
    BigInteger[] root = squares.sqrtAndRemainder();
    return root[0].longValueExact() + root[1].signum();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TableWeights weights && Arrays.equals(steps, weights.steps);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(steps);
  }

  @Override
  public String toString() {
    return "TableWeights" + Arrays.toString(steps);
  }
}
