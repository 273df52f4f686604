// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.mechanism.abc.RandomFeatures;
import io.sfumato.runtime.RefusedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * PUBLIC example numbers from a CSV file, as a pipeline would read them of records: rows with a
 * number that it cannot read are left out, as dead letters are.
 *
 * @param rows one array a row, in the order of the columns
 * @param leftOut rows with a number that is missing, none or beyond 1e12
 */
public record ExampleNumbers(double[][] rows, long leftOut) {
  /**
   * Reads the named columns.
   *
   * @throws RefusedException if the file is missing, malformed or lacks a column
   */
  public static ExampleNumbers read(Path file, List<String> columns) throws RefusedException {
    List<double[]> rows = new ArrayList<>();
    long[] all = {0};
    CsvFile.read(
        file,
        columns,
        Long.MAX_VALUE,
        (number, cells, places) -> {
          all[0]++;
          double[] row = new double[places.length];
          boolean usable = true;
          for (int i = 0; i < row.length; i++) {
            row[i] = places[i] < cells.length ? number(cells[places[i]]) : Double.NaN;
            // Written so that NaN is left out too.
            usable &= Math.abs(row[i]) <= RandomFeatures.LARGEST_INPUT;
          }
          if (usable) {
            rows.add(row);
          }
        });
    return new ExampleNumbers(rows.toArray(double[][]::new), all[0] - rows.size());
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /** Rows of the file. */
  public long all() {
    return rows.length + leftOut;
  }
}
