// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.combine;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Selects rows by their cells. A column or a text that no row has is refused, not passed over. */
public final class RowSelection {
  private RowSelection() {}

  /**
   * Rows that have one of the wanted texts in each column.
   *
   * @param wanted texts by column
   * @throws InvalidCombinationException if the rows have no such column or text; names those that
   *     there are
   */
  public static List<FileRow> where(List<FileRow> rows, Map<String, Set<String>> wanted) {
    wanted.forEach(
        (column, texts) -> {
          requireColumn(rows, column);
          texts.forEach(text -> requireText(rows, column, text));
        });
    return matching(rows, wanted);
  }

  /**
   * The rows that have one of the texts in each column, which may be none.
   *
   * @param wanted texts by column
   */
  public static List<FileRow> matching(List<FileRow> rows, Map<String, Set<String>> wanted) {
    return rows.stream()
        .filter(
            row ->
                wanted.entrySet().stream()
                    .allMatch(entry -> entry.getValue().contains(row.cell(entry.getKey()))))
        .toList();
  }

  /**
   * @throws InvalidCombinationException if there are rows, and none has such a column
   */
  public static void requireColumn(Collection<FileRow> rows, String column) {
    Set<String> columns =
        rows.stream()
            .flatMap(row -> row.columns().stream())
            .collect(Collectors.toCollection(LinkedHashSet::new));
    if (!rows.isEmpty() && !columns.contains(column)) {
      throw new InvalidCombinationException(
          "no column %s.%s The columns are %s",
          Suggestions.quoted(column),
          Suggestions.question(column, columns),
          String.join(", ", columns));
    }
  }

  /**
   * @throws InvalidCombinationException if there are rows, and none has this text in the column
   */
  public static void requireText(Collection<FileRow> rows, String column, String text) {
    Set<String> texts =
        rows.stream().map(row -> row.cell(column)).collect(Collectors.toCollection(TreeSet::new));
    if (!rows.isEmpty() && !texts.contains(text)) {
      throw new InvalidCombinationException(
          "no row has %s in the column %s.%s The values are %s",
          Suggestions.quoted(text),
          column,
          Suggestions.question(text, texts),
          Suggestions.list(texts));
    }
  }
}
