// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.tables;

import java.util.Arrays;

/**
 * Whole numbers in a table of rows and lines with given margins, each the one below the real number
 * or the next, wherever there are such; else as few as need be are moved further. Largest
 * remainders first, then what is left over by augmenting paths.
 */
final class ControlledRounding {
  private final double[] x;
  private final int start;
  private final int lines;
  private final long[] whole;
  private final boolean[] raised;

  /** What rows and lines still miss. */
  private final long[] ofRow;

  private final long[] ofLine;

  /**
   * @param x real numbers, at least 0; the table's from {@code start}, row after row
   * @param rowSums whole margin of the rows, near the real ones
   * @param lineSums that of the lines, with the same sum
   */
  ControlledRounding(double[] x, int start, long[] rowSums, long[] lineSums) {
    this.x = x;
    this.start = start;
    this.lines = lineSums.length;
    this.ofRow = rowSums.clone();
    this.ofLine = lineSums.clone();
    this.whole = new long[rowSums.length * lines];
    this.raised = new boolean[whole.length];
  }

  /** Rounds into the same places as the real numbers have. */
  void into(long[] cells) {
    for (int cell = 0; cell < whole.length; cell++) {
      move(cell, LargestRemainders.floor(x[start + cell]));
    }
    int[] order = LargestRemainders.order(x, start, start + whole.length);
    lower(order);
    for (int place : order) {
      int cell = place - start;
      if (ofRow[cell / lines] > 0 && ofLine[cell % lines] > 0) {
        raise(cell);
      }
    }
    for (int row = 0; row < ofRow.length; row++) {
      while (ofRow[row] > 0) {
        if (!augment(row)) {
          beyond(row);
        }
      }
    }
    System.arraycopy(whole, 0, cells, start, whole.length);
  }

  private void move(int cell, long by) {
    whole[cell] += by;
    ofRow[cell / lines] -= by;
    ofLine[cell % lines] -= by;
  }

  private void raise(int cell) {
    raised[cell] = true;
    move(cell, 1);
  }

  private void drop(int cell) {
    raised[cell] = false;
    move(cell, -1);
  }

  /** Rows and lines that have too much already, by roundings of doubles: least remainders first. */
  private void lower(int[] order) {
    for (int i = order.length - 1; i >= 0; i--) {
      int cell = order[i] - start;
      long surplus = Math.max(-ofRow[cell / lines], -ofLine[cell % lines]);
      if (surplus > 0) {
        move(cell, -Math.min(surplus, whole[cell]));
      }
    }
  }

  /**
   * Gives a row one more: by cells that are not raised yet to lines, and back to other rows by
   * cells that are, until a line misses one. Breadth first.
   *
   * @return whether there is such a path
   */
  private boolean augment(int from) {
    int[] rowBefore = new int[lines];
    int[] lineBefore = new int[ofRow.length];
    Arrays.fill(rowBefore, -1);
    Arrays.fill(lineBefore, -1);
    int[] queue = new int[ofRow.length];
    queue[0] = from;
    int end = 1;
    for (int next = 0; next < end; next++) {
      int row = queue[next];
      for (int line = 0; line < lines; line++) {
        if (rowBefore[line] >= 0 || raised[row * lines + line]) {
          continue;
        }
        rowBefore[line] = row;
        if (ofLine[line] > 0) {
          follow(from, line, rowBefore, lineBefore);
          return true;
        }
        for (int other = 0; other < ofRow.length; other++) {
          if (raised[other * lines + line] && lineBefore[other] < 0 && other != from) {
            lineBefore[other] = line;
            queue[end++] = other;
          }
        }
      }
    }
    return false;
  }

  private void follow(int from, int last, int[] rowBefore, int[] lineBefore) {
    int line = last;
    int row = rowBefore[line];
    raise(row * lines + line);
    while (row != from) {
      line = lineBefore[row];
      drop(row * lines + line);
      row = rowBefore[line];
      raise(row * lines + line);
    }
  }

  /** Where no table is within one of the real one: one more where row and line both miss some. */
  private void beyond(int row) {
    int line = 0;
    while (ofLine[line] <= 0) {
      line++;
    }
    move(row * lines + line, 1);
  }
}
