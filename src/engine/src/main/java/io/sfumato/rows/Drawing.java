// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

import java.util.List;

/** A table of counts on a card: of several, a reader of the operators' page chooses one. */
public sealed interface Drawing {
  /** What is counted: fields of the records. */
  String title();

  /**
   * A count with noise.
   *
   * @param low end of its 95% interval, at most the count
   * @param high end of it, at least the count
   */
  record Cell(long count, long low, long high) {}

  /**
   * The values of one field.
   *
   * @param values those that are shown, in the file's order
   * @param more how many are not, each of them smaller
   */
  record Side(String field, List<String> values, long more) {
    public Side {
      values = List.copyOf(values);
    }
  }

  /**
   * A table of two fields.
   *
   * @param cells row by row
   * @param held which part of all that is counted lies in the cells that are shown, 0 to 1
   */
  record Grid(Side down, Side across, List<Cell> cells, double held) implements Drawing {
    public Grid {
      cells = List.copyOf(cells);
      if (cells.size() != (long) down.values().size() * across.values().size()) {
        throw new IllegalArgumentException("a grid has a cell for each row and column");
      }
    }

    @Override
    public String title() {
      return down.field() + " × " + across.field();
    }
  }

  /**
   * A bar.
   *
   * @param within what it is part of, the outermost first: each has a bar of its own before this
   */
  record Bar(List<String> within, String label, Cell cell) {
    public Bar {
      within = List.copyOf(within);
    }
  }

  /**
   * Counts of one field, or of all levels of a path, each behind what it lies in.
   *
   * @param more how many are not shown, none of them larger than one beside it that is
   */
  record Bars(String title, List<Bar> bars, long more) implements Drawing {
    public Bars {
      bars = List.copyOf(bars);
    }
  }
}
