// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.quantile;

import io.sfumato.schema.QuantileRelease;
import io.sfumato.schema.QuantileRow;
import io.sfumato.text.Columns;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Quantiles of categories as a grid that fits a terminal of 80 columns: quantiles that find no room
 * beside the others stand in a further grid below.
 */
final class QuantileGrid {
  private static final int WIDTH = 80;

  /** So many categories are shown. */
  private static final int ROWS = 10;

  private static final String INDENT = "    ";
  private static final int FIRST = 20;
  private static final String GAP = "  ";

  private final QuantileRelease release;
  private final List<QuantileRow> shown;

  /**
   * @param release of several categories
   */
  QuantileGrid(QuantileRelease release) {
    this.release = release;
    this.shown = release.getCategories().subList(0, Math.min(ROWS, release.getCategories().size()));
  }

  /** Its lines. */
  List<String> lines() {
    List<List<String>> columns = new ArrayList<>();
    columns.add(
        column(
            "records",
            shown.stream()
                .map(row -> String.format(Locale.ROOT, "%,.0f", row.getCount().getValue()))
                .toList()));
    for (int i = 0; i < release.getQuantiles().size(); i++) {
      int quantile = i;
      columns.add(
          column(
              QuantileText.label(release.getQuantiles().get(i)),
              shown.stream()
                  .map(row -> QuantileText.brief(row.getQuantiles().get(quantile)))
                  .toList()));
    }
    List<String> names = column("", shown.stream().map(QuantileGrid::name).toList());
    List<String> lines = new ArrayList<>();
    List<String> block = names;
    for (List<String> column : columns) {
      if (block != names && Columns.of(block.get(0) + GAP + column.get(0)) > WIDTH) {
        lines.addAll(block);
        block = names;
      }
      block = beside(block, column);
    }
    lines.addAll(block);
    int rest = release.getCategories().size() - shown.size();
    if (rest > 0) {
      lines.add(INDENT + String.format(Locale.ROOT, "and %,d more", rest));
    }
    return lines.stream().map(String::stripTrailing).toList();
  }

  private static String name(QuantileRow row) {
    return INDENT + Columns.cut(Columns.shown(row.getCategory()), FIRST);
  }

  /** All of one width. */
  private static List<String> column(String head, List<String> cells) {
    List<String> all = new ArrayList<>(List.of(head));
    all.addAll(cells);
    int width = all.stream().mapToInt(Columns::of).max().orElse(0);
    return all.stream().map(cell -> Columns.padded(cell, width)).toList();
  }

  private static List<String> beside(List<String> left, List<String> right) {
    return IntStream.range(0, left.size()).mapToObj(i -> left.get(i) + GAP + right.get(i)).toList();
  }
}
