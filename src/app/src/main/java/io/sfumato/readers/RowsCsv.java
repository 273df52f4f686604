// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.readers;

import io.sfumato.rows.CategoryColumns;
import io.sfumato.rows.OutputRow;
import io.sfumato.rows.PublishedRow;
import io.sfumato.serde.RowText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Rows as a file for spreadsheets, in the form of all rows: one line a number. */
final class RowsCsv {
  private final List<PublishedRow> rows = new ArrayList<>();
  private final CategoryColumns fields = CategoryColumns.of(List.of());

  void add(OutputRow row, Instant released) {
    PublishedRow published = new PublishedRow(row, released);
    rows.add(published);
    fields.addAll(published);
  }

  /** All of it, with a line of names first. */
  String text() {
    StringBuilder text = new StringBuilder(200 * (rows.size() + 1));
    text.append(RowText.csvHead(fields)).append('\n');
    rows.forEach(row -> text.append(RowText.csv(row, fields)).append('\n'));
    return text.toString();
  }
}
