// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.modeller;

import java.util.Arrays;

/** What a simulator gives: public. */
public sealed interface PseudoData {
  /**
   * Records of numbers.
   *
   * @param values record by record
   * @param dimensions numbers of a record, at least 1
   */
  record Numbers(double[] values, int dimensions) implements PseudoData {
    public Numbers {
      if (dimensions < 1 || values.length < 1 || values.length % dimensions != 0) {
        throw new IllegalArgumentException(
            "found %d numbers, allowed are one or more records of %d"
                .formatted(values.length, dimensions));
      }
    }

    /**
     * Of rows.
     *
     * @param rows one a record, at least one, of equal length
     */
    public static Numbers of(double[][] rows) {
      return new Numbers(
          Arrays.stream(rows).flatMapToDouble(Arrays::stream).toArray(),
          rows.length == 0 ? 1 : rows[0].length);
    }

    /** How many there are. */
    public int records() {
      return values.length / dimensions;
    }

    /** A row a record. */
    public double[][] rows() {
      double[][] rows = new double[records()][];
      Arrays.setAll(rows, i -> Arrays.copyOfRange(values, i * dimensions, (i + 1) * dimensions));
      return rows;
    }
  }

  /**
   * Records counted by category.
   *
   * @param byCategory in the pipeline file's order
   */
  record Counts(long[] byCategory) implements PseudoData {}
}
