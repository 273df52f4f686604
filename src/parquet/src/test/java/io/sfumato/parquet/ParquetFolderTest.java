// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import blue.strategic.parquet.Hydrator;
import blue.strategic.parquet.ParquetReader;
import io.sfumato.client.export.ExportWindow;
import io.sfumato.client.export.RowFile;
import io.sfumato.client.export.RowFiles;
import io.sfumato.rows.Group;
import io.sfumato.rows.Measure;
import io.sfumato.rows.NoiseScope;
import io.sfumato.rows.OutputHead;
import io.sfumato.rows.OutputRow;
import io.sfumato.rows.PublishedRow;
import io.sfumato.rows.Quantity;
import io.sfumato.rows.Stretch;
import io.sfumato.runtime.RefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Windows as Parquet files. */
class ParquetFolderTest {
  private static final Instant DAY = Instant.parse("2026-11-02T00:00:00Z");
  private static final Instant NEXT = Instant.parse("2026-11-03T00:00:00Z");
  private static final ExportWindow WINDOW = new ExportWindow(DAY, NEXT);

  @TempDir Path folder;

  private static PublishedRow row(Group group, Quantity quantity) {
    return new PublishedRow(
        new OutputRow(
            new OutputHead(
                "north", DAY, NEXT, "sold", OptionalDouble.empty(), 3, "discrete-laplace 1/b=1"),
            Stretch.own(DAY),
            group,
            Measure.of("count"),
            quantity,
            true,
            NoiseScope.ROW),
        Instant.parse("2026-11-03T00:00:01.5Z"));
  }

  private static void write(RowFile file, PublishedRow... rows) throws Exception {
    file.begin(WINDOW);
    for (PublishedRow row : rows) {
      file.see(row);
    }
    for (PublishedRow row : rows) {
      file.write(row);
    }
    file.end();
  }

  private static List<Map<String, Object>> read(Path file) throws IOException {
    Hydrator<Map<String, Object>, Map<String, Object>, String[]> rows =
        new Hydrator<>() {
          @Override
          public Map<String, Object> start() {
            return new TreeMap<>();
          }

          @Override
          public Map<String, Object> add(Map<String, Object> row, String[] column, Object value) {
            if (value != null) {
              row.put(column[0], value);
            }
            return row;
          }

          @Override
          public Map<String, Object> finish(Map<String, Object> row) {
            return row;
          }
        };
    try (Stream<Map<String, Object>> found = ParquetReader.streamContent(file.toFile(), rows)) {
      return found.toList();
    }
  }

  @Test
  void shouldWriteAFileForEachWindowWithTypedColumns() throws Exception {
    Path path = folder.resolve("rows.parquet");
    try (RowFile file = RowFiles.of(path, false)) {
      write(
          file,
          row(Group.ALL, Quantity.around(10, 4)),
          row(Group.of("value", "tea"), Quantity.of(1.5)));
    }
    Path written = path.resolve("20261102T000000Z_20261103T000000Z.parquet");
    List<Map<String, Object>> rows = read(written);
    assertThat(rows).hasSize(2);
    assertThat(rows.get(0))
        .containsEntry("subject", "north")
        .containsEntry("window_start", DAY.toEpochMilli())
        .containsEntry("category_value", "")
        .containsEntry("value", 10.0)
        .containsEntry("low", 6.0)
        .containsEntry("version", 3L)
        .containsEntry("unknown", false)
        .containsEntry("noise_scope", "row")
        .doesNotContainKey("deviation");
    assertThat(rows.get(1))
        .containsEntry("category_value", "tea")
        .containsEntry("value", 1.5)
        .doesNotContainKey("low");
    assertThat(Files.list(path)).containsExactly(written);
  }

  @Test
  void shouldCompareWindowsThatAreThereWhenItFollows() throws Exception {
    Path path = folder.resolve("rows.parquet");
    PublishedRow first = row(Group.ALL, Quantity.around(1, 2));
    PublishedRow second = row(Group.of("value", "tea"), Quantity.of(1.5));
    try (RowFile file = RowFiles.of(path, true)) {
      write(file, first, second);
      assertThat(file.wasWritten()).isFalse();
      write(file, first, second);
      assertThat(file.wasWritten()).isTrue();
    }
    try (RowFile file = RowFiles.of(path, true)) {
      assertThatThrownBy(() -> write(file, first)).hasMessageContaining("rows that the topics do");
    }
    try (RowFile file = RowFiles.of(path, true)) {
      assertThatThrownBy(() -> write(file, second, first))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("differs from the topics at output 'sold', subject 'north'")
          .hasMessageContaining("write to a new file");
    }
    try (RowFile file = RowFiles.of(path, true)) {
      file.mayLack(window -> true);
      write(file, row(Group.of("value", "tea"), Quantity.of(1.5)));
    }
    try (RowFile file = RowFiles.of(path, false)) {
      write(file, second);
      assertThat(file.wasWritten()).as("a new export writes all of them anew").isFalse();
    }
    assertThat(read(path.resolve("20261102T000000Z_20261103T000000Z.parquet"))).hasSize(1);
  }
}
