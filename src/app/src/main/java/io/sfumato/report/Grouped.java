// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Rows of which those that say the same stand together, in the order of the first. */
final class Grouped {
  private final Map<List<String>, Inline> about = new LinkedHashMap<>();
  private final Map<List<String>, List<Inline>> cells = new LinkedHashMap<>();

  /**
   * Adds a row.
   *
   * @param first what it is about
   * @param said the other cells
   * @param same rows with these texts say the same
   */
  void add(Inline first, List<Inline> said, List<String> same) {
    about.merge(same, first, (before, now) -> before.and(", ").and(now));
    cells.putIfAbsent(same, said);
  }

  List<List<Inline>> rows() {
    List<List<Inline>> rows = new ArrayList<>();
    about.forEach(
        (same, first) -> {
          List<Inline> row = new ArrayList<>(List.of(first));
          row.addAll(cells.get(same));
          rows.add(row);
        });
    return rows;
  }
}
