// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import static io.sfumato.serde.SourceRecords.record;
import static io.sfumato.serde.UserRecords.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.InputSpec.Format;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.property.ForAll;
import io.sfumato.property.Property;
import io.sfumato.record.KeyFormat;
import io.sfumato.record.TimeFormat;
import io.sfumato.record.TimeReader;
import io.sfumato.record.ValueFormats;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.avro.Schema;
import org.apache.avro.Schema.Type;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a schema declares of a time decides, and no number is read as another unit. */
class AvroTimeTest {
  private static final Schema TEXT = Schema.create(Type.STRING);
  private static final TimeReader AUTO = TimeReader.auto();

  private static TimeReader times(String format, String zone) {
    return new TimeReader(TimeFormat.of(format), Optional.ofNullable(zone).map(ZoneId::of));
  }

  private static Schema declared(Type type, String property, String name) {
    Schema schema = Schema.create(type);
    schema.addProp(property, name);
    return schema;
  }

  private static InputSpec spec(TimeReader times) {
    return UserRecords.spec(Format.AVRO, "at", new ValueFormats(times, KeyFormat.TEXT));
  }

  private static Instant read(Schema at, Object value, TimeReader times) throws Exception {
    Schema schema = UserRecords.schema(TEXT, at);
    EventReader reader =
        new EventReader(
            spec(times), Optional.of("user"), id -> Optional.of(schema), WindowSpec.MAX_AHEAD);
    return Instant.ofEpochMilli(
        reader.read(record(null, UserRecords.avro(schema, "7", value), NOW)).orElseThrow().time());
  }

  @ParameterizedTest
  @CsvSource({
    "LONG, connect.name, io.debezium.time.NanoTime",
    "LONG, connect.name, io.debezium.time.MicroDuration",
    "LONG, connect.name, io.debezium.time.MicroTime",
    "LONG, connect.name, com.example.Money",
    "LONG, logicalType, time-micros",
    "LONG, logicalType, date",
    "INT, logicalType, time-millis",
    "INT, logicalType, timestamp-millis",
    "INT, connect.name, io.debezium.time.Time",
    "DOUBLE, connect.name, io.debezium.data.geometry.Point",
    "STRING, connect.name, io.debezium.data.Uuid",
    "STRING, logicalType, uuid",
  })
  void shouldRefuseOtherDeclaredTypesWhenTheyAreNoTimes(Type type, String property, String name) {
    Schema at = declared(type, property, name);
    Object value =
        switch (type) {
          case INT -> 1_704_448_800;
          case LONG -> NOW;
          case DOUBLE -> (double) NOW;
          default -> "2024-01-05T10:00:00Z";
        };
    for (TimeReader times : List.of(AUTO, times("epoch-s", null), times("epoch-ms", null))) {
      assertThatThrownBy(() -> read(at, value, times))
          .isInstanceOfSatisfying(
              RejectedRecordException.class,
              e -> {
                assertThat(e.code()).isEqualTo(RejectionCode.TIME_UNREADABLE);
                assertThat(e.hint().orElseThrow()).contains(name);
              });
    }
    assertThat(SchemaCheck.problems(UserRecords.schema(TEXT, at), spec(AUTO), Optional.of("user")))
        .singleElement()
        .asString()
        .contains("'at'", name);
  }

  @Test
  void shouldRefuseTypesWhenTheirDeclarationsDisagree() {
    Schema at = declared(Type.LONG, "logicalType", "timestamp-millis");
    at.addProp("connect.name", "io.debezium.time.MicroTimestamp");
    assertThatThrownBy(() -> read(at, NOW, AUTO)).hasMessage("TIME_UNREADABLE");
    assertThatThrownBy(() -> read(Schema.create(Type.FLOAT), (float) NOW, AUTO))
        .hasMessage("TIME_UNREADABLE");
  }

  @ParameterizedTest
  @CsvSource({"auto, ", "iso, ", "epoch-s, ", "epoch-ms, ", "dd.MM.yyyy HH:mm, Europe/Berlin"})
  void shouldReadDeclaredTimesWhateverTheFormatIs(String format, String zone) throws Exception {
    Instant expected = Instant.parse("2024-01-05T10:00:00Z");
    TimeReader times = times(format, zone);
    Schema zoned = declared(Type.STRING, "connect.name", "io.debezium.time.ZonedTimestamp");
    assertThat(read(zoned, "2024-01-05T10:00:00Z", times)).isEqualTo(expected);
    Schema micros = declared(Type.LONG, "logicalType", "timestamp-micros");
    assertThat(read(micros, expected.toEpochMilli() * 1_000, times)).isEqualTo(expected);
    Schema both = declared(Type.LONG, "logicalType", "timestamp-millis");
    both.addProp("connect.name", "org.apache.kafka.connect.data.Timestamp");
    assertThat(read(both, expected.toEpochMilli(), times)).isEqualTo(expected);
  }

  @Test
  void shouldReadADatabasesTimeInTheZoneOfTheFile() throws Exception {
    TimeReader berlin = times("auto", "Europe/Berlin");
    Schema count = declared(Type.LONG, "connect.name", "io.debezium.time.Timestamp");
    Schema text = declared(Type.STRING, "connect.name", "io.debezium.time.IsoTimestamp");
    assertThat(read(count, 1_704_448_800_000L, berlin)).isEqualTo("2024-01-05T09:00:00Z");
    assertThat(read(text, "2024-01-05T10:00:00Z", berlin)).isEqualTo("2024-01-05T09:00:00Z");
    assertThat(read(count, 1_704_448_800_000L, AUTO)).isEqualTo("2024-01-05T10:00:00Z");
    assertThat(read(text, "2024-01-05T10:00:00Z", AUTO)).isEqualTo("2024-01-05T10:00:00Z");
    Schema date = declared(Type.INT, "logicalType", "date");
    int day = (int) LocalDate.parse("2025-04-25").toEpochDay();
    assertThat(read(date, day, times("auto", "Africa/Cairo"))).isEqualTo("2025-04-24T22:00:00Z");
  }

  /**
   * Doubles near a millisecond were expanded exactly, and half of them floored to the one before.
   */
  @Property(seed = "9")
  void shouldReadDoublesAsTheirShortestDecimal(@ForAll Random random) throws Exception {
    long millis = 1_600_000_000_000L + random.nextLong(100_000_000_000L);
    Schema at = Schema.create(Type.DOUBLE);
    assertThat(read(at, millis / 1_000.0, times("epoch-s", null)).toEpochMilli()).isEqualTo(millis);
    assertThat(read(at, (double) millis, AUTO).toEpochMilli()).isEqualTo(millis);
    assertThat(read(at, millis * 1_000.0, times("epoch-us", null)).toEpochMilli())
        .isEqualTo(millis);
  }

  @ParameterizedTest
  @CsvSource({
    "INT, date, 20000, 2024-10-04T00:00",
    "LONG, local-timestamp-millis, 1704448800000, 2024-01-05T10:00",
    "LONG, timestamp-millis, 1704448800000, 2024-01-05T10:00:00Z",
  })
  void shouldShowATimeWithoutAnOffsetAsOne(Type type, String name, long value, String shown)
      throws Exception {
    Schema schema = UserRecords.schema(TEXT, declared(type, "logicalType", name));
    Object at = type == Type.INT ? (Object) (int) value : value;
    assertThat(
            new RecordTrees(id -> Optional.of(schema), true)
                .of(UserRecords.avro(schema, "7", at))
                .orElseThrow()
                .get("at")
                .asText())
        .isEqualTo(shown);
  }
}
