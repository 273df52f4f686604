// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.tables;

import io.sfumato.mechanism.tables.CrossTables;
import java.util.Arrays;

/** Possible and whole numbers in the tables of columns: first the margins, then the pairs. */
final class CrossRounding implements ConsistentRounding {
  private final CrossTables tables;

  CrossRounding(CrossTables tables) {
    this.tables = tables;
  }

  /**
   * Margins become possible by scaling. A pair is scaled down where a row or column has more than
   * its margin, and what is missing then is spread by the product of what rows and columns miss
   * (Altschuler, Weed, Rigollet 2017, Algorithm 2).
   */
  @Override
  public void makePossible(double[] cells, double total) {
    cells[0] = total;
    for (int i = 0; i < tables.columns(); i++) {
      int from = tables.start(tables.ofColumn(i));
      int to = from + tables.values(i);
      double sum = 0;
      for (int cell = from; cell < to; cell++) {
        cells[cell] = Math.max(0, cells[cell]);
        sum += cells[cell];
      }
      for (int cell = from; cell < to; cell++) {
        cells[cell] = sum > 0 ? cells[cell] * (total / sum) : total / (to - from);
      }
    }
    for (int pair = 0; pair < tables.pairs(); pair++) {
      makePossible(cells, pair);
    }
  }

  private void makePossible(double[] cells, int pair) {
    int start = tables.start(tables.ofPair(pair));
    int rowStart = tables.start(tables.ofColumn(tables.first(pair)));
    int lineStart = tables.start(tables.ofColumn(tables.second(pair)));
    int rows = tables.values(tables.first(pair));
    int lines = tables.values(tables.second(pair));
    double[] ofLine = new double[lines];
    for (int v = 0; v < rows; v++) {
      int at = start + v * lines;
      double sum = 0;
      for (int w = 0; w < lines; w++) {
        cells[at + w] = Math.max(0, cells[at + w]);
        sum += cells[at + w];
      }
      double scale = sum > cells[rowStart + v] ? cells[rowStart + v] / sum : 1;
      for (int w = 0; w < lines; w++) {
        cells[at + w] *= scale;
        ofLine[w] += cells[at + w];
      }
    }
    double[] scales = new double[lines];
    double missing = 0;
    for (int w = 0; w < lines; w++) {
      double margin = cells[lineStart + w];
      scales[w] = ofLine[w] > margin ? margin / ofLine[w] : 1;
      ofLine[w] = Math.max(0, margin - ofLine[w] * scales[w]);
      missing += ofLine[w];
    }
    for (int v = 0; v < rows; v++) {
      int at = start + v * lines;
      double left = cells[rowStart + v];
      for (int w = 0; w < lines; w++) {
        cells[at + w] *= scales[w];
        left -= cells[at + w];
      }
      double share = missing > 0 ? Math.max(0, left) / missing : 0;
      for (int w = 0; w < lines; w++) {
        cells[at + w] += share * ofLine[w];
      }
    }
  }

  /** The total to the nearest, columns by largest remainders, pairs within their new margins. */
  @Override
  public long[] rounded(double[] cells) {
    long[] whole = new long[cells.length];
    whole[0] = Math.round(cells[0]);
    for (int i = 0; i < tables.columns(); i++) {
      int from = tables.start(tables.ofColumn(i));
      LargestRemainders.round(cells, from, from + tables.values(i), whole[0], whole);
    }
    for (int pair = 0; pair < tables.pairs(); pair++) {
      new ControlledRounding(
              cells,
              tables.start(tables.ofPair(pair)),
              margin(whole, tables.first(pair)),
              margin(whole, tables.second(pair)))
          .into(whole);
    }
    return whole;
  }

  private long[] margin(long[] whole, int column) {
    int from = tables.start(tables.ofColumn(column));
    return Arrays.copyOfRange(whole, from, from + tables.values(column));
  }
}
