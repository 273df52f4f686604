// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

import io.sfumato.text.TerminalColumns;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Columns of text side by side. On a terminal those that find no room beside the others stand in a
 * further grid below.
 */
final class GridText {
  private static final String GAP = "  ";

  private final TextLength length;
  private final List<String> first;
  private final List<String> lines = new ArrayList<>();
  private List<String> block;

  /**
   * @param first column, which each grid begins with: its head, and then the names of the lines
   */
  GridText(List<String> first, TextLength length) {
    this.length = length;
    this.first = padded(first.stream().map(name -> Flow.INDENT + name).toList());
    this.block = this.first;
  }

  /** The next column: its head, and then a cell a line. */
  void add(List<String> cells) {
    List<String> column = padded(cells);
    if (block != first && !hasRoom(column)) {
      lines.addAll(block);
      block = first;
    }
    List<String> left = block;
    block =
        IntStream.range(0, left.size()).mapToObj(i -> left.get(i) + GAP + column.get(i)).toList();
  }

  /**
   * Whether a column finds room beside those that were added.
   *
   * @param column whose cells are all as wide
   */
  boolean hasRoom(List<String> column) {
    return length == TextLength.WHOLE
        || TerminalColumns.of(block.get(0) + GAP + column.get(0)) <= Flow.TERMINAL;
  }

  /** All of it. */
  List<String> lines() {
    List<String> all = new ArrayList<>(lines);
    all.addAll(block);
    return all.stream().map(String::stripTrailing).toList();
  }

  /** Cells with blanks before them, all as wide: numbers below each other. */
  static List<String> rightAligned(List<String> cells) {
    int width = cells.stream().mapToInt(TerminalColumns::of).max().orElse(0);
    return cells.stream().map(cell -> " ".repeat(width - TerminalColumns.of(cell)) + cell).toList();
  }

  private static List<String> padded(List<String> cells) {
    int width = cells.stream().mapToInt(TerminalColumns::of).max().orElse(0);
    return cells.stream().map(cell -> TerminalColumns.padded(cell, width)).toList();
  }
}
