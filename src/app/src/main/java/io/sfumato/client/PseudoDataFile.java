// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.runtime.RefusedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** PUBLIC pseudo-data as a CSV file of numbers. */
public final class PseudoDataFile {
  private PseudoDataFile() {}

  /**
   * Reads the named columns.
   *
   * @return one array a line
   * @throws RefusedException if the file is missing, lacks a column or holds what is no number
   */
  public static double[][] read(Path file, List<String> columns) throws RefusedException {
    List<double[]> rows = new ArrayList<>();
    CsvFile.read(
        file,
        columns,
        Long.MAX_VALUE,
        (number, cells, places) -> {
          double[] row = new double[places.length];
          for (int i = 0; i < row.length; i++) {
            try {
              row[i] = Double.parseDouble(cells[places[i]]);
            } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
              throw CsvFile.refused(
                  file, "line " + number + ": column '" + columns.get(i) + "' is no number");
            }
          }
          rows.add(row);
        });
    return rows.toArray(double[][]::new);
  }
}
