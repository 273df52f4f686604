// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.parquet;

import blue.strategic.parquet.Hydrator;
import blue.strategic.parquet.ParquetReader;
import io.sfumato.client.export.RowFiles;
import io.sfumato.runtime.RefusedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** The rows of a window's file, compared with those that an export would write. */
final class FoundWindow implements AutoCloseable {
  /** A category field in which a row takes all values together; a file need not have its column. */
  private static final String ALL = "";

  /** Makes a row of its columns, without those that are empty. */
  private static final Hydrator<Map<String, Object>, Map<String, Object>, String[]> ROWS =
      new Hydrator<>() {
        @Override
        public Map<String, Object> start() {
          return new LinkedHashMap<>();
        }

        @Override
        public Map<String, Object> add(Map<String, Object> row, String[] column, Object value) {
          if (value != null && !value.equals(ALL)) {
            row.put(column[0], value);
          }
          return row;
        }

        @Override
        public Map<String, Object> finish(Map<String, Object> row) {
          return row;
        }
      };

  private final Path file;
  private final boolean mayLack;
  private final Stream<Map<String, Object>> stream;
  private final Iterator<Map<String, Object>> rows;

  /**
   * @param mayLack whether the file may have rows that do not come
   */
  FoundWindow(Path file, boolean mayLack) throws IOException {
    this.file = file;
    this.mayLack = mayLack;
    stream = ParquetReader.streamContent(file.toFile(), ROWS);
    rows = stream.iterator();
  }

  /** Refuses a file that does not have this row next. */
  void require(Map<String, Object> row) throws RefusedException {
    Map<String, Object> wanted = new LinkedHashMap<>(row);
    wanted.values().removeIf(ALL::equals);
    boolean isFound = false;
    boolean isOver = false;
    while (!isFound && !isOver) {
      isOver = !rows.hasNext();
      isFound = !isOver && rows.next().equals(wanted);
      isOver |= !isFound && !mayLack;
    }
    if (!isFound) {
      throw RowFiles.refused(
          file,
          "it differs from the topics at output '%s', subject '%s'"
              .formatted(row.get("output"), row.get("subject")));
    }
  }

  /** Refuses a file that has more rows. */
  void requireEnd() throws RefusedException {
    if (!mayLack && rows.hasNext()) {
      throw RowFiles.refused(
          file,
          "it has rows that the topics do not have, such as one of output '%s'"
              .formatted(rows.next().get("output")));
    }
  }

  @Override
  public void close() {
    stream.close();
  }
}
