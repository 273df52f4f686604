// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.mechanism.abc.RandomFeatures;
import io.sfumato.pipeline.FieldPath;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.record.KeyFormat;
import io.sfumato.record.StrictUtf8;
import io.sfumato.record.TimeReading;
import io.sfumato.record.TimeSource;
import io.sfumato.serde.FieldExtractor.ItemSource;
import io.sfumato.serde.FieldExtractor.RawFields;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Turns a foreign record into an event, or into the code that says why it is none. */
public final class EventReader {
  /** 1900-01-01T00:00:00Z. */
  public static final long EARLIEST = Instant.parse("1900-01-01T00:00:00Z").toEpochMilli();

  /** The last millisecond of the year 9999: no sum of it and a window's size overflows. */
  public static final long LATEST = Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli();

  private final InputSpec spec;
  private final Optional<String> user;

  /** Items of one record, or units of its weight, that count. */
  private final OptionalInt most;

  private final Duration maxAhead;
  private final FieldExtractor extractor;

  /** Of the subject's and the user's name, where these are in the key. */
  private final KeyReader subjectKey;

  private final Optional<KeyReader> userKey;
  private final Categories categories;

  /** Of records whose subject is the user, and whose schemas are known. */
  public EventReader(InputSpec spec) {
    this(spec, Optional.empty(), SchemaSource.none(), WindowSpec.MAX_AHEAD);
  }

  /**
   * Of a pipeline's records.
   *
   * @param schemas of records that name theirs by an id
   */
  public static EventReader of(Pipeline pipeline, SchemaSource schemas) {
    return new EventReader(
        pipeline.input(),
        pipeline.population().map(Population::user),
        pipeline.population().map(Population::items).orElse(OptionalInt.empty()),
        schemas,
        pipeline.window().maxAhead());
  }

  /**
   * Of records that have one category, or none.
   *
   * @param user field of the user, or {@link InputSpec#RECORD_KEY}, where records have one beside
   *     their subject
   * @param schemas of records that name theirs by an id
   * @param maxAhead how far an event time may lie after the record's Kafka timestamp
   */
  public EventReader(
      InputSpec spec, Optional<String> user, SchemaSource schemas, Duration maxAhead) {
    this(spec, user, OptionalInt.empty(), schemas, maxAhead);
  }

  private EventReader(
      InputSpec spec,
      Optional<String> user,
      OptionalInt most,
      SchemaSource schemas,
      Duration maxAhead) {
    boolean each = spec.isEach();
    if ((each || spec.weight().isPresent()) != most.isPresent()) {
      throw new IllegalArgumentException(
          "items and weights count only where users' records are bounded");
    }
    this.most = most;
    this.spec = spec;
    this.user = user;
    this.maxAhead = maxAhead;
    this.categories = new Categories(spec);
    ItemSource items = () -> each ? new FoundItems(categories, most.getAsInt()) : null;
    this.extractor =
        switch (spec.format()) {
          case JSON -> new JsonFields(spec, user, items);
          case AVRO -> new AvroFields(spec, user, items, schemas);
          case JSON_SCHEMA -> new RegisteredJson(new JsonFields(spec, user, items));
        };
    this.subjectKey = KeyReader.of(spec, spec.subject(), schemas);
    this.userKey = user.map(field -> KeyReader.of(spec, field, schemas));
  }

  /**
   * Reads one record.
   *
   * @param timestamp Kafka's timestamp of the record, milliseconds since 1970
   * @throws RejectedRecordException with the code of the first thing that is wrong
   */
  public Event read(byte[] key, byte[] value, long timestamp) throws RejectedRecordException {
    return read(key, value, timestamp, new RecordHeaders());
  }

  /** The same of a record with headers. */
  public Event read(byte[] key, byte[] value, long timestamp, Headers headers)
      throws RejectedRecordException {
    return ForeignBytes.orReject(
        RejectionCode.MALFORMED, () -> event(key, value, timestamp, headers));
  }

  private Event event(byte[] key, byte[] value, long timestamp, Headers headers)
      throws RejectedRecordException, IOException {
    if (value == null) {
      throw new RejectedRecordException(RejectionCode.NULL_VALUE);
    }
    if (value.length > spec.maxBytes()) {
      throw new RejectedRecordException(RejectionCode.TOO_LARGE);
    }
    boolean keyed =
        InputSpec.isKey(spec.subject()) || user.isPresent() && InputSpec.isKey(user.get());
    if (keyed && key == null) {
      throw new RejectedRecordException(RejectionCode.NULL_KEY);
    }
    RawFields fields = extractor.extract(value);
    String subject =
        InputSpec.isKey(spec.subject())
            ? name(key, subjectKey, RejectionCode.NO_SUBJECT)
            : found(fields.subject(), RejectionCode.NO_SUBJECT);
    Optional<String> person =
        user.isEmpty()
            ? Optional.empty()
            : Optional.of(
                InputSpec.isKey(user.get())
                    ? name(key, userKey.orElseThrow(), RejectionCode.NO_USER)
                    : found(fields.user(), RejectionCode.NO_USER));
    long time = time(reading(fields, timestamp, headers));
    checkRange(time, timestamp, maxAhead);
    List<Double> numbers = numbers(fields);
    List<Event.Item> items = items(fields);
    return spec.weight().isEmpty()
        ? new Event(person, subject, time, items, numbers)
        : new Event(person, subject, time, weighed(items.get(0), fields.units()), values(numbers));
  }

  /** A subject or user in the record's key. */
  private String name(byte[] key, KeyReader reader, RejectionCode code)
      throws RejectedRecordException, IOException {
    String name = reader.name(key);
    if (name == null) {
      throw RejectedRecordException.withHint(code, keyHint(key));
    }
    return name;
  }

  /** A subject or user in a field. */
  private static String found(String name, RejectionCode code) throws RejectedRecordException {
    if (name == null) {
      throw new RejectedRecordException(code);
    }
    return name;
  }

  /** What the first bytes of a key that cannot be read say of its format. */
  private String keyHint(byte[] key) {
    KeyFormat format = spec.formats().keys();
    String read = "input.key-format: " + format.word();
    return RegistryFrame.hasContent(key) && !format.hasFields()
        ? "the key starts with a schema registry's id, which is not valid for " + read
        : "the key is not valid for %s, which expects %s".formatted(read, format.expected());
  }

  /**
   * Refuses event times before 1900, after the year 9999, or more than a bound after the record's
   * Kafka timestamp.
   */
  public static void checkRange(long time, long timestamp, Duration maxAhead)
      throws RejectedRecordException {
    if (time < EARLIEST || time > LATEST || time - maxAhead.toMillis() > timestamp) {
      throw new RejectedRecordException(RejectionCode.TIME_OUT_OF_RANGE);
    }
  }

  private List<Double> numbers(RawFields fields) throws RejectedRecordException {
    for (Double value : fields.numbers()) {
      // Written so that NaN is refused too.
      if (value == null || !(Math.abs(value) <= RandomFeatures.LARGEST_INPUT)) {
        throw new RejectedRecordException(RejectionCode.BAD_VALUE);
      }
    }
    return fields.numbers();
  }

  /** All numbers but the weight, which is the last. */
  private static List<Double> values(List<Double> numbers) {
    return List.copyOf(numbers.subList(0, numbers.size() - 1));
  }

  /**
   * A record of weight w counts as so many records of its category, w rounded down, up to a bound.
   *
   * @param units the weight, rounded down
   */
  private List<Event.Item> weighed(Event.Item item, Long units) throws RejectedRecordException {
    if (units == null || units < 1) {
      throw new RejectedRecordException(RejectionCode.BAD_VALUE);
    }
    return IntStream.range(0, (int) Math.min(units, most.getAsInt()))
        .mapToObj(place -> new Event.Item(place, item.category(), item.name()))
        .toList();
  }

  private List<Event.Item> items(RawFields fields) throws RejectedRecordException {
    if (spec.category().isEmpty()) {
      return categories.none();
    }
    return fields.items() == null ? categories.of(fields.categories()) : fields.items().counted();
  }

  /** The event time as it was found; null where it is missing. */
  private TimeReading reading(RawFields fields, long timestamp, Headers headers)
      throws RejectedRecordException, IOException {
    if (spec.timeSource() instanceof TimeSource.Timestamp) {
      // Brokers of old formats and producers without a clock write -1.
      return timestamp < 0 ? null : new TimeReading.Time(timestamp);
    }
    if (spec.timeSource() instanceof TimeSource.Header header) {
      Iterator<Header> found = headers.headers(header.name()).iterator();
      if (!found.hasNext()) {
        return null;
      }
      byte[] text = found.next().value();
      if (found.hasNext()) {
        throw RejectedRecordException.withHint(
            RejectionCode.MALFORMED, "two headers have the same name");
      }
      return text == null ? null : spec.formats().times().text(StrictUtf8.decode(text));
    }
    return fields.time();
  }

  private static long time(TimeReading found) throws RejectedRecordException {
    if (found instanceof TimeReading.Time time) {
      return time.millis();
    }
    if (found instanceof TimeReading.Implausible other) {
      throw RejectedRecordException.withHint(
          RejectionCode.TIME_IMPLAUSIBLE,
          other
              .fits()
              .map(format -> "input.time-format: %s would fit".formatted(format.word()))
              .orElse("no unit since 1970 makes it a time from 1990 to 2100"));
    }
    if (found instanceof TimeReading.Unreadable unreadable) {
      throw RejectedRecordException.withHint(
          RejectionCode.TIME_UNREADABLE, "the time " + unreadable.reason());
    }
    throw new RejectedRecordException(RejectionCode.NO_TIME);
  }

  /** ISO-8601 with an offset or Z, to the millisecond below. A time without offset is a guess. */
  public static Optional<Long> parseTime(String text) {
    try {
      return Optional.of(OffsetDateTime.parse(text).toInstant().toEpochMilli());
    } catch (DateTimeParseException | ArithmeticException e) {
      return Optional.empty();
    }
  }

  /** Whether a field's name can stand between dots in the path to a field within it. */
  public static boolean isStep(String field) {
    return FieldPath.isStep(field);
  }
}
