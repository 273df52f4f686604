// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.client.CsvEvents.Encoding;
import io.sfumato.client.CsvEvents.Order;
import io.sfumato.runtime.RefusedException;
import io.sfumato.schema.UserRecord;
import io.sfumato.serde.Outputs;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvEventsTest {
  private static final String CSV =
      """
      who,note,at,what
      ann,"two, words",2026-01-02T00:00:00Z,009
      bob,,,a
      eve,,2026-01-01T00:00:00+00:00,b
      ,x,2026-01-01T00:00:00Z,c
      tim,short
      """;
  private static final EventFields COLUMNS =
      EventFields.of("who", "at", Optional.of("what"), List.of(), Optional.empty());

  @TempDir Path folder;

  @Test
  void shouldSortByEventTimeAndRejectWithLineAndReason() throws Exception {
    CsvEvents events = read(CSV, Order.EVENT_TIME, Encoding.JSON);
    assertThat(events.events())
        .extracting(row -> row.line() + " " + new String(row.value(), StandardCharsets.UTF_8))
        .containsExactly(
            "4 {\"who\":\"eve\",\"at\":\"2026-01-01T00:00:00+00:00\",\"what\":\"b\"}",
            "2 {\"who\":\"ann\",\"at\":\"2026-01-02T00:00:00Z\",\"what\":\"009\"}",
            "3 {\"who\":\"bob\",\"at\":\"\",\"what\":\"a\"}");
    assertThat(events.rejects())
        .extracting(CsvEvents.Reject::toString)
        .containsExactly(
            "Reject[line=3, reason=column 'at' is empty, sent as it is for the dead letters, fate=SENT]",
            "Reject[line=5, reason=column 'who' is empty, not sent, fate=NOT_SENT]",
            "Reject[line=6, reason=has 2 cells, not sent, fate=NOT_SENT]");
    assertThat(events.rejected(CsvEvents.Fate.SENT)).isEqualTo(1);
    assertThat(events.rejected(CsvEvents.Fate.NOT_SENT)).isEqualTo(2);
  }

  @Test
  void shouldKeepTheFilesOrderWhenAsked() throws Exception {
    assertThat(read(CSV, Order.AS_IS, Encoding.JSON).events())
        .extracting(CsvEvents.Row::line)
        .containsExactly(2L, 3L, 4L);
  }

  @Test
  void shouldReadGzippedFilesAndWriteUserRecords() throws Exception {
    Path file = folder.resolve("events.csv.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(CSV.getBytes(StandardCharsets.UTF_8));
    }
    CsvEvents events = CsvEvents.read(file, COLUMNS, Order.EVENT_TIME, Encoding.AVRO);
    UserRecord first = (UserRecord) Outputs.decodeAny(events.events().get(0).value());
    assertThat(first.getSubject()).isEqualTo("eve");
    assertThat(first.getCategory()).isEqualTo("b");
  }

  /** Where a header is expected, lines of JSON hold somebody's record. */
  @Test
  void shouldNotRepeatARecordThatStandsWhereTheHeaderShould() {
    assertThatThrownBy(() -> read("{\"who\":\"ann\",\"at\":1}\n{}\n", Order.AS_IS, Encoding.JSON))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("holds lines of JSON, not CSV")
        .hasMessageNotContaining("ann");
  }

  @Test
  void shouldSayWhatIsWrongWithAFile() {
    assertThatThrownBy(() -> read("a,b\n1,2\n", Order.AS_IS, Encoding.JSON))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("has no column 'who'; its columns are a, b");
    assertThatThrownBy(() -> read("", Order.AS_IS, Encoding.JSON)).hasMessageContaining("is empty");
    assertThatThrownBy(
            () -> CsvEvents.read(folder.resolve("none"), COLUMNS, Order.AS_IS, Encoding.JSON))
        .hasMessageContaining("no such file");
  }

  @Test
  void shouldParseSpeeds() {
    for (String good : List.of("max", "500/s", "0.5/s", "3600x")) {
      assertThat(Speed.parse(good)).isNotNull();
    }
    for (String bad : List.of("", "fast", "0/s", "0x", "-1/s", "10")) {
      assertThatThrownBy(() -> Speed.parse(bad)).hasMessageContaining("a rate such as 500/s");
    }
  }

  private CsvEvents read(String csv, Order order, Encoding encoding) throws Exception {
    Path file = Files.writeString(folder.resolve("events.csv"), csv);
    return CsvEvents.read(file, COLUMNS, order, encoding);
  }
}
