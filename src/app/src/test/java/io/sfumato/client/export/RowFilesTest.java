// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.release.Releases;
import io.sfumato.rows.CategoryColumns;
import io.sfumato.rows.PublishedRow;
import io.sfumato.runtime.RefusedException;
import io.sfumato.schema.CountRow;
import io.sfumato.schema.CountTable;
import io.sfumato.schema.Guarantees;
import io.sfumato.schema.TableRelease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is stopped and begun again, files have the rows of each window once. */
class RowFilesTest {
  private static final Instant DAY = Instant.parse("2026-11-02T00:00:00Z");
  private static final Instant RELEASED = Instant.parse("2026-11-09T00:00:01.5Z");

  @TempDir Path folder;

  private static ExportWindow window(int day) {
    return new ExportWindow(DAY.plus(Duration.ofDays(day)), DAY.plus(Duration.ofDays(day + 1)));
  }

  /** Rows of a day: from the third one on with a field more. */
  private static List<PublishedRow> rows(int day) {
    return rows("sold", day);
  }

  private static List<PublishedRow> rows(String output, int day) {
    List<String> columns = day < 2 ? List.of("kind") : List.of("kind", "=region, \"new\"\nline");
    List<String> cell = day < 2 ? List.of("tea, \"green\"\nleaf") : List.of("tea", "west");
    TableRelease release =
        TableRelease.newBuilder()
            .setReleaseId("r" + day)
            .setPipeline("shop")
            .setOutput(output)
            .setSubject("north")
            .setWindowStart(window(day).start())
            .setWindowEnd(window(day).end())
            .setPart(0)
            .setParts(1)
            .setTables(
                List.of(
                    new CountTable(List.of(), List.of(new CountRow(List.of(), 9L, 4L, 12L, false))),
                    new CountTable(columns, List.of(new CountRow(cell, 7L + day, 0L, 9L, true)))))
            .setGuarantee(Guarantees.any().setMechanism("discrete-gaussian tables").build())
            .build();
    return PublishedRow.of(
        Releases.viewOf(release).orElseThrow().rows(release, Optional.empty()), RELEASED);
  }

  private static void write(RowFile file, int from, int until) throws Exception {
    for (int day = from; day < until; day++) {
      write(file, day, rows(day));
    }
    file.caughtUp();
  }

  private static void write(RowFile file, int day, List<PublishedRow> rows) throws Exception {
    file.begin(window(day));
    for (PublishedRow row : rows) {
      file.write(row);
    }
    file.end();
  }

  private Path written(String name, int days) throws Exception {
    Path path = folder.resolve(name);
    try (RowFile file = RowFiles.of(path, false)) {
      write(file, 0, days);
    }
    return path;
  }

  private List<List<String>> table(Path path) throws SQLException {
    List<List<String>> rows = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + path);
        Statement statement = connection.createStatement();
        ResultSet found =
            statement.executeQuery("SELECT * FROM rows ORDER BY window_start, kind, measure")) {
      while (found.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= found.getMetaData().getColumnCount(); i++) {
          row.add(found.getString(i));
        }
        rows.add(row);
      }
    }
    return rows;
  }

  @Test
  void shouldWriteCsvWithAColumnForEachField() throws Exception {
    assertThat(Files.readString(written("rows.csv", 1)))
        .isEqualTo(
            """
            subject,window_start,window_end,output,kind,measure,value,low,high,deviation,noise,unknown,clamped,left_out,version,released,noise_scope
            north,2026-11-02T00:00:00Z,2026-11-03T00:00:00Z,sold,,count,9,4,12,,discrete-gaussian,false,false,,1,2026-11-09T00:00:01.500Z,window
            north,2026-11-02T00:00:00Z,2026-11-03T00:00:00Z,sold,"tea, ""green""
            leaf",count,7,0,9,,discrete-gaussian,false,true,,1,2026-11-09T00:00:01.500Z,window
            """);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rows.csv", "rows.jsonl"})
  void shouldGiveTheSameBytesHoweverOftenItIsStopped(String name) throws Exception {
    byte[] whole = Files.readAllBytes(written(name, 5));
    Path path = folder.resolve("followed-" + name);
    for (int days = 1; days <= 5; days++) {
      try (RowFile file = RowFiles.of(path, true)) {
        write(file, 0, days);
      }
      // A run that is killed leaves half a line, or half a window.
      Files.writeString(path, "north,2026-11-0", StandardOpenOption.APPEND);
      if (days == 3) {
        cutLastLine(path);
      }
    }
    try (RowFile file = RowFiles.of(path, true)) {
      write(file, 0, 5);
    }
    assertThat(Files.readAllBytes(path)).isEqualTo(whole);
    assertThat(Files.list(folder).map(Path::getFileName).map(Path::toString))
        .as("nothing is left beside the files")
        .containsExactlyInAnyOrder(name, "followed-" + name);
  }

  private static void cutLastLine(Path path) throws IOException {
    String text = Files.readString(path);
    String lines = text.substring(0, text.lastIndexOf('\n'));
    Files.writeString(path, lines.substring(0, lines.lastIndexOf('\n') + 1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"rows.csv", "rows.jsonl"})
  void shouldKeepTheLastWindowOfAFileWhenTheTopicHasItNoLonger(String name) throws Exception {
    byte[] whole = Files.readAllBytes(written(name, 3));
    Path path = folder.resolve("kept-" + name);
    try (RowFile file = RowFiles.of(path, true)) {
      write(file, 0, 2);
    }
    try (RowFile file = RowFiles.of(path, true)) {
      assertThatThrownBy(() -> write(file, 2, 3))
          .hasMessageContaining("the topics have none of it");
    }
    try (RowFile file = RowFiles.of(path, true)) {
      file.mayLack(window -> true);
      write(file, 2, 3);
    }
    assertThat(Files.readAllBytes(path)).isEqualTo(whole);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rows.csv", "rows.jsonl"})
  void shouldKeepTheRowsOfAWindowWhosePartIsDeletedFromTheTopic(String name) throws Exception {
    Path path = folder.resolve("kept-" + name);
    try (RowFile file = RowFiles.of(path, false)) {
      write(file, 0, joined(rows("returned", 0), rows("sold", 0)));
      file.caughtUp();
    }
    byte[] before = Files.readAllBytes(path);
    try (RowFile file = RowFiles.of(path, true)) {
      file.mayLack(window -> true);
      write(file, 0, rows("sold", 0));
      assertThat(file.wasWritten()).isTrue();
    }
    assertThat(Files.readAllBytes(path)).isEqualTo(before);
    try (RowFile file = RowFiles.of(path, true)) {
      file.mayLack(window -> true);
      assertThatThrownBy(() -> write(file, 0, rows("bought", 0)))
          .as("what belongs before the file's end is not added behind it")
          .hasMessageContaining("differs from the topics at output 'bought'");
    }
    assertThat(Files.readAllBytes(path)).isEqualTo(before);
  }

  private static List<PublishedRow> joined(List<PublishedRow> first, List<PublishedRow> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"rows.csv", "rows.jsonl"})
  void shouldRefuseToContinueAFileOfOtherRows(String name) throws Exception {
    Path path = written(name, 3);
    assertRefused(path, 0, rows("returned", 0), "output 'returned'");
    assertRefused(path, 0, rows("sold", 0).subList(0, 1), "has rows of the window");
    assertRefused(path, 0, joined(rows("sold", 0), rows("stolen", 0)), "output 'stolen'");
    assertRefused(path, -1, rows("sold", 0), "differs from the topics");
    assertRefused(path, 1, rows("sold", 1), "the topics have none of it");
    Files.writeString(
        path, Files.readString(path).replaceFirst("discrete-gaussian", "discrete-laplace"));
    assertRefused(path, 0, rows("sold", 0), "output 'sold', subject 'north'");
  }

  private static void assertRefused(Path path, int day, List<PublishedRow> rows, String why)
      throws Exception {
    byte[] before = Files.readAllBytes(path);
    try (RowFile file = RowFiles.of(path, true)) {
      assertThatThrownBy(() -> write(file, day, rows))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining(why)
          .hasMessageContaining("write to a new file");
    }
    assertThat(Files.readAllBytes(path)).as("left as it was").isEqualTo(before);
  }

  @Test
  void shouldRefuseToContinueAFileWhoseColumnsMayBeOfTwoFields() throws Exception {
    Path path = written("rows.csv", 1);
    Files.writeString(path, Files.readString(path).replaceFirst("kind", "Kind,kind_2"));
    assertThatThrownBy(() -> RowFiles.of(path, true))
        .isInstanceOf(CategoryColumns.AmbiguousException.class)
        .hasMessageContaining("'kind_2' may be of a category field 'kind_2', or of 'kind'")
        .hasMessageContaining("Write to a new file");
  }

  @Test
  void shouldLeaveAFileAloneUntilAllWindowsAreThere() throws Exception {
    Path path = written("rows.csv", 1);
    byte[] before = Files.readAllBytes(path);
    try (RowFile file = RowFiles.of(path, false)) {
      file.begin(window(0));
      file.write(rows(0).get(0));
      file.end();
      assertThat(Files.readAllBytes(path)).isEqualTo(before);
    }
    assertThat(Files.readAllBytes(path)).isEqualTo(before);
    assertThat(Files.list(folder)).hasSize(1);
  }

  @Test
  void shouldRefuseAFileWithOtherColumns() throws Exception {
    Path path = Files.writeString(folder.resolve("other.csv"), "a,b\n1,2\n");
    assertThatThrownBy(() -> RowFiles.of(path, true))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("its columns are not those of rows");
    assertThat(Files.readString(path)).isEqualTo("a,b\n1,2\n");
  }

  @Test
  void shouldReplaceRowsOfTheSameKeyInSqlite() throws Exception {
    Path path = written("rows.sqlite", 2);
    List<List<String>> before = table(path);
    assertThat(before).hasSize(4);
    written("rows.sqlite", 2);
    assertThat(table(path)).isEqualTo(before);
    written("rows.sqlite", 4);
    assertThat(table(path)).hasSize(8);
    assertThat(table(path).get(7))
        .contains("tea", "west", "10", "discrete-gaussian", "2026-11-05T00:00:00Z");
  }

  @Test
  void shouldLeaveOutAWindowThatWasNotFinishedInSqlite() throws Exception {
    Path path = written("rows.sqlite", 1);
    try (RowFile file = RowFiles.of(path, true)) {
      file.begin(window(1));
      file.write(rows(1).get(0));
    }
    assertThat(table(path)).hasSize(2);
  }

  @Test
  void shouldSayWhatFilesThereAre() {
    assertThatThrownBy(() -> RowFiles.of(folder.resolve("rows.xlsx"), false))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining(".csv, .jsonl, .sqlite or .parquet");
    assertThatThrownBy(() -> RowFiles.of(folder.resolve("rows.parquet"), false))
        .hasMessageContaining("DuckDB");
  }
}
