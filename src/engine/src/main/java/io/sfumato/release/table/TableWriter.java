// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.table;

import io.sfumato.estimate.tables.TablesEstimate;
import io.sfumato.mechanism.tables.Tables;
import io.sfumato.pipeline.EncodedBytes;
import io.sfumato.pipeline.OutputFormat;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.schema.CountRow;
import io.sfumato.schema.CountTable;
import io.sfumato.schema.TableRelease;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/** Writes tables down, in several records where one would be too long. */
final class TableWriter {
  /** Where a record's tables are cut: four of them fit into what brokers take by default. */
  private static final int PART_BYTES = 200_000;

  private final Tables tables;
  private final List<List<String>> fields = new ArrayList<>();
  private final List<List<List<String>>> values = new ArrayList<>();

  /** Bytes of a row at most, by table and cell. */
  private final List<long[]> bytes = new ArrayList<>();

  TableWriter(TableShape shape, Tables tables, OutputFormat format) {
    this.tables = tables;
    EncodedBytes sizes = new EncodedBytes(format);
    for (int table = 0; table < tables.tables(); table++) {
      fields.add(shape.fieldsOf(tables, table));
      List<List<String>> ofTable = shape.valuesOf(tables, table);
      values.add(ofTable);
      // A row may begin a table.
      long head = sizes.ofTexts(fields.get(table)) + sizes.ofFields("columns", "rows") + 20;
      long each =
          head
              + 3 * sizes.ofWhole()
              + sizes.ofTruth()
              + sizes.ofFields("values", "count", "low", "high", "clamped")
              + 20;
      bytes.add(ofTable.stream().mapToLong(row -> each + sizes.ofTexts(row)).toArray());
    }
  }

  /** Most bytes of a record's tables: one row alone may be longer than all others are together. */
  long partBytes() {
    return bytes.stream().flatMapToLong(Arrays::stream).reduce(PART_BYTES, Math::max);
  }

  /** One record of a window's tables. */
  record Part(int part, int parts, OptionalLong records, List<CountTable> tables) {
    TableRelease on(OutputLabel label) {
      TableRelease release = label.on(new TableRelease());
      release.setPart(part);
      release.setParts(parts);
      release.setRecords(records.isPresent() ? (Long) records.getAsLong() : null);
      release.setTables(tables);
      release.setExampleLeftOut(label.exampleLeftOut());
      return release;
    }
  }

  /**
   * All of them: where they are cut goes by public facts.
   *
   * @param records N, where that is public
   */
  List<Part> parts(TablesEstimate estimate, OptionalLong records) {
    List<List<CountTable>> cut = new ArrayList<>(List.of(new ArrayList<>()));
    long left = PART_BYTES;
    long[] counts = estimate.counts();
    long[] low = estimate.low();
    long[] high = estimate.high();
    boolean[] clamped = estimate.clamped();
    for (int table = 0; table < tables.tables(); table++) {
      CountTable open = null;
      for (int row = 0; row < tables.size(table); row++) {
        left -= bytes.get(table)[row];
        if (left < 0) {
          cut.add(new ArrayList<>());
          left = PART_BYTES - bytes.get(table)[row];
          open = null;
        }
        if (open == null) {
          open = new CountTable(fields.get(table), new ArrayList<>());
          cut.get(cut.size() - 1).add(open);
        }
        int cell = tables.start(table) + row;
        open.getRows()
            .add(
                new CountRow(
                    values.get(table).get(row),
                    counts[cell],
                    low[cell],
                    high[cell],
                    clamped[cell]));
      }
    }
    List<Part> parts = new ArrayList<>();
    for (List<CountTable> of : cut) {
      parts.add(new Part(parts.size(), cut.size(), records, of));
    }
    return parts;
  }
}
