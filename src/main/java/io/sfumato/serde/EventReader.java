// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.mechanism.abc.RandomFeatures;
import io.sfumato.pipeline.FieldLimits;
import io.sfumato.pipeline.FieldPath;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.WindowSpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** Turns a foreign record into an event, or into the code that says why it is none. */
public final class EventReader {
  /** 1900-01-01T00:00:00Z. */
  public static final long EARLIEST = Instant.parse("1900-01-01T00:00:00Z").toEpochMilli();

  /** The last millisecond of the year 9999: no sum of it and a window's size overflows. */
  public static final long LATEST = Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli();

  /** Refuses halves of surrogate pairs: they would all become one subject, "?". */
  private final CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();

  private final InputSpec spec;
  private final Optional<String> user;

  /** Items of one record, or units of its weight, that count. */
  private final OptionalInt most;

  private final Duration maxAhead;
  private final FieldExtractor extractor;
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
        };
  }

  /**
   * Reads one record.
   *
   * @param timestamp Kafka's timestamp of the record, milliseconds since 1970
   * @throws RejectedRecordException with the code of the first thing that is wrong
   */
  public Event read(byte[] key, byte[] value, long timestamp) throws RejectedRecordException {
    return ForeignBytes.orReject(RejectionCode.MALFORMED, () -> event(key, value, timestamp));
  }

  private Event event(byte[] key, byte[] value, long timestamp)
      throws RejectedRecordException, IOException {
    if (value == null) {
      throw new RejectedRecordException(RejectionCode.NULL_VALUE);
    }
    if (value.length > spec.maxBytes()) {
      throw new RejectedRecordException(RejectionCode.TOO_LARGE);
    }
    boolean keyed = isKey(spec.subject()) || user.isPresent() && isKey(user.get());
    if (keyed && key == null) {
      throw new RejectedRecordException(RejectionCode.NULL_KEY);
    }
    RawFields fields = extractor.extract(value);
    String subject = name(spec.subject(), key, fields.subject(), RejectionCode.NO_SUBJECT);
    Optional<String> person =
        user.isEmpty()
            ? Optional.empty()
            : Optional.of(name(user.get(), key, fields.user(), RejectionCode.NO_USER));
    long time = time(fields);
    checkRange(time, timestamp, maxAhead);
    List<Double> numbers = numbers(fields);
    List<Event.Item> items = items(fields);
    return spec.weight().isEmpty()
        ? new Event(person, subject, time, items, numbers)
        : new Event(person, subject, time, weighed(items.get(0), numbers), values(numbers));
  }

  private static boolean isKey(String field) {
    return field.equals(InputSpec.RECORD_KEY);
  }

  /** A subject or user: a field's text, or the record's key. */
  private String name(String field, byte[] key, String found, RejectionCode code)
      throws RejectedRecordException {
    String name = isKey(field) ? utf8(key, code) : found;
    if (name == null
        || name.isEmpty()
        || !encoder.canEncode(name)
        || name.getBytes(StandardCharsets.UTF_8).length > FieldLimits.SUBJECT) {
      throw new RejectedRecordException(code);
    }
    return name;
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
   */
  private List<Event.Item> weighed(Event.Item item, List<Double> numbers)
      throws RejectedRecordException {
    int units = (int) Math.min(numbers.get(numbers.size() - 1), most.getAsInt());
    if (units < 1) {
      throw new RejectedRecordException(RejectionCode.BAD_VALUE);
    }
    return IntStream.range(0, units)
        .mapToObj(place -> new Event.Item(place, item.category(), item.name()))
        .toList();
  }

  private List<Event.Item> items(RawFields fields) throws RejectedRecordException {
    if (spec.category().isEmpty()) {
      return categories.none();
    }
    return fields.items() == null ? categories.of(fields.categories()) : fields.items().counted();
  }

  private static long time(RawFields fields) throws RejectedRecordException {
    if (fields.millis() != null) {
      return fields.millis();
    }
    if (fields.time() == null) {
      throw new RejectedRecordException(RejectionCode.NO_TIME);
    }
    return parseTime(fields.time())
        .orElseThrow(() -> new RejectedRecordException(RejectionCode.NO_TIME));
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

  private static String utf8(byte[] bytes, RejectionCode code) throws RejectedRecordException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new RejectedRecordException(code);
    }
  }

  /**
   * The named fields as found; absent ones are null, and never leave this package.
   *
   * @param categories one for each field of the category, in order
   */
  record RawFields(
      String user,
      String subject,
      String time,
      Long millis,
      List<String> categories,
      FoundItems items,
      List<Double> numbers) {}

  /** Where the items of one record are collected; null where a record has one category. */
  interface ItemSource {
    FoundItems begin();
  }

  /** Finds the named fields in one format. */
  interface FieldExtractor {
    RawFields extract(byte[] value) throws RejectedRecordException, IOException;
  }
}
