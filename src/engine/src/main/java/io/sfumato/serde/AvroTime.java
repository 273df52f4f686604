// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import static java.util.Map.entry;

import io.sfumato.record.Decimals;
import io.sfumato.record.TimeFormat;
import io.sfumato.record.TimeReader;
import io.sfumato.record.TimeReading;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.Schema.Type;

/**
 * How values of an Avro schema that are times are read. What a schema declares decides, whatever
 * the file's time format is; a declared type that is no known time is never read as a bare number.
 */
final class AvroTime {
  private static final long SECOND = 1_000_000_000L;
  private static final String DEBEZIUM = "io.debezium.";

  private static final TimeReader ISO = new TimeReader(new TimeFormat.Iso(), Optional.empty());

  /** A name that a hint may show. */
  private static final Pattern SHOWN = Pattern.compile("[A-Za-z0-9._-]{1,100}");

  /** What the values of a declared type say. */
  private enum Meaning {
    INSTANT,
    /** A time in a zone that the schema does not name. */
    LOCAL,
    /**
     * A database's time without a zone, written as if that were UTC. It is UTC unless the file
     * names a zone.
     */
    DATABASE,
    DATE,
    TEXT,
    /** {@link #DATABASE} as ISO-8601. */
    DATABASE_TEXT
  }

  /**
   * A type that is a time.
   *
   * @param type that carries it
   * @param units of a second; 0 where values count none
   */
  private record Declared(Type type, Meaning meaning, long units) {}

  private static final Map<String, Declared> TYPES =
      Map.ofEntries(
          entry("timestamp-millis", new Declared(Type.LONG, Meaning.INSTANT, 1_000)),
          entry("timestamp-micros", new Declared(Type.LONG, Meaning.INSTANT, 1_000_000)),
          entry("timestamp-nanos", new Declared(Type.LONG, Meaning.INSTANT, SECOND)),
          entry("local-timestamp-millis", new Declared(Type.LONG, Meaning.LOCAL, 1_000)),
          entry("local-timestamp-micros", new Declared(Type.LONG, Meaning.LOCAL, 1_000_000)),
          entry("local-timestamp-nanos", new Declared(Type.LONG, Meaning.LOCAL, SECOND)),
          entry("date", new Declared(Type.INT, Meaning.DATE, 0)),
          entry(
              "org.apache.kafka.connect.data.Timestamp",
              new Declared(Type.LONG, Meaning.INSTANT, 1_000)),
          entry("org.apache.kafka.connect.data.Date", new Declared(Type.INT, Meaning.DATE, 0)),
          entry("io.debezium.time.Timestamp", new Declared(Type.LONG, Meaning.DATABASE, 1_000)),
          entry(
              "io.debezium.time.MicroTimestamp",
              new Declared(Type.LONG, Meaning.DATABASE, 1_000_000)),
          entry(
              "io.debezium.time.NanoTimestamp", new Declared(Type.LONG, Meaning.DATABASE, SECOND)),
          entry("io.debezium.time.Date", new Declared(Type.INT, Meaning.DATE, 0)),
          entry("io.debezium.time.ZonedTimestamp", new Declared(Type.STRING, Meaning.TEXT, 0)),
          entry(
              "io.debezium.time.IsoTimestamp",
              new Declared(Type.STRING, Meaning.DATABASE_TEXT, 0)));

  private AvroTime() {}

  /** Reads values of a schema, no union; nothing where they can be no times. */
  static Optional<Function<Object, TimeReading>> of(Schema schema, TimeReader times) {
    Optional<String> refusal = refusal(schema);
    if (refusal.isPresent()) {
      TimeReading unreadable = new TimeReading.Unreadable(refusal.get());
      return Optional.of(value -> unreadable);
    }
    Optional<Declared> declared = declared(schema);
    if (declared.isPresent()) {
      return declared(declared.get(), times);
    }
    return switch (schema.getType()) {
      case STRING -> Optional.of(value -> times.text(value.toString()));
      case INT, LONG, DOUBLE -> epoch(times);
      default -> Optional.empty();
    };
  }

  /**
   * Why values are never read as times though their type could carry them: the end of a sentence
   * about the value.
   */
  static Optional<String> refusal(Schema schema) {
    return switch (schema.getType()) {
      case FLOAT -> Optional.of("is a float, which cannot hold a time: use a long or a double");
      case STRING, INT, LONG, DOUBLE ->
          declared(schema).isPresent()
              ? Optional.empty()
              : names(schema).stream()
                  .findFirst()
                  .map(
                      name ->
                          "is declared as %s, which is not read as a time"
                              .formatted(SHOWN.matcher(name).matches() ? name : "another type"));
      default -> Optional.empty();
    };
  }

  /** Whether a schema declares its values to be times that are counted: they are no names. */
  static boolean isCounted(Schema schema) {
    return schema.getType() != Type.STRING && declared(schema).isPresent();
  }

  /** A counted time as ISO-8601: without an offset where the schema does not say one. */
  static String shown(Schema schema, Object value) {
    Declared type = declared(schema).orElseThrow();
    return switch (type.meaning()) {
      case DATE -> LocalDate.ofEpochDay((int) value).atStartOfDay().toString();
      case LOCAL -> local(value, type.units()).toString();
      default -> Instant.ofEpochMilli(millis(value, type.units())).toString();
    };
  }

  /** The one time that all declarations of a schema mean. */
  private static Optional<Declared> declared(Schema schema) {
    List<String> names = names(schema);
    List<Declared> known =
        names.stream()
            .map(TYPES::get)
            .filter(type -> type != null && type.type() == schema.getType())
            .toList();
    return known.size() == names.size() && known.stream().distinct().count() == 1
        ? Optional.of(known.get(0))
        : Optional.empty();
  }

  /** What a schema declares its values to be. Of texts only what is no text as others are. */
  private static List<String> names(Schema schema) {
    return Stream.of(schema.getProp("connect.name"), schema.getProp("logicalType"))
        .filter(Objects::nonNull)
        .filter(
            name ->
                schema.getType() != Type.STRING
                    || name.startsWith(DEBEZIUM)
                    || name.equals(AvroValue.UUID_TYPE))
        .toList();
  }

  private static Optional<Function<Object, TimeReading>> declared(Declared type, TimeReader times) {
    boolean zoned = times.zone().isPresent();
    Function<Object, TimeReading> instant =
        value -> new TimeReading.Time(millis(value, type.units()));
    Function<Object, TimeReading> local = value -> times.local(local(value, type.units()));
    return switch (type.meaning()) {
      case INSTANT -> Optional.of(instant);
      case DATABASE -> Optional.of(zoned ? local : instant);
      case LOCAL -> zoned ? Optional.of(local) : Optional.empty();
      case DATE ->
          zoned
              ? Optional.of(value -> times.date(LocalDate.ofEpochDay((int) value)))
              : Optional.empty();
      case TEXT -> Optional.of(value -> ISO.text(value.toString()));
      case DATABASE_TEXT ->
          Optional.of(
              value -> {
                TimeReading read = ISO.text(value.toString());
                return zoned && read instanceof TimeReading.Time time
                    ? times.local(local(time.millis(), 1_000))
                    : read;
              });
    };
  }

  private static long millis(Object count, long units) {
    return Math.floorDiv((long) count, units / 1_000);
  }

  private static LocalDateTime local(Object count, long units) {
    return LocalDateTime.ofEpochSecond(
        Math.floorDiv((long) count, units),
        (int) (Math.floorMod((long) count, units) * (SECOND / units)),
        ZoneOffset.UTC);
  }

  /** A number without a unit: that of the file's time format. */
  private static Optional<Function<Object, TimeReading>> epoch(TimeReader times) {
    return times.format() instanceof TimeFormat.Auto || times.format() instanceof TimeFormat.Epoch
        ? Optional.of(value -> number((Number) value, times))
        : Optional.empty();
  }

  private static TimeReading number(Number value, TimeReader times) {
    return value instanceof Double real
        ? Decimals.of(real)
            .map(times::number)
            .orElseGet(() -> new TimeReading.Unreadable("is no number that a time can be"))
        : times.number(BigDecimal.valueOf(value.longValue()));
  }
}
