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
import io.sfumato.record.RecordPart;
import io.sfumato.record.StrictUtf8;
import io.sfumato.record.TimeReading;
import io.sfumato.serde.FieldExtractor.ItemSource;
import io.sfumato.serde.FieldExtractor.RawFields;
import java.io.IOException;
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

  private final InputSpec spec;
  private final Optional<String> user;

  /** Items of one record, or units of its weight, that count. */
  private final OptionalInt most;

  private final Duration maxAhead;
  private final RecordPart timePart;
  private final FieldExtractor extractor;
  private final Surroundings.Filter filter;

  /** Of the subject's, the user's and the category's name, where these are no fields. */
  private final Optional<Surroundings> subjectPart;

  private final Optional<Surroundings> userPart;
  private final Optional<Surroundings> idPart;
  private final List<Optional<Surroundings>> categoryParts;
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
    return of(pipeline, pipeline.input(), schemas);
  }

  /**
   * Of those of a pipeline's records that a selection is about, with its category.
   *
   * @param selection one of the pipeline's
   * @param schemas of records that name theirs by an id
   */
  public static EventReader of(Pipeline pipeline, InputSpec selection, SchemaSource schemas) {
    boolean several = selection.isEach() || selection.weight().isPresent();
    return new EventReader(
        selection,
        pipeline.population().map(Population::user),
        pipeline
            .population()
            .filter(users -> several)
            .map(Population::items)
            .orElse(OptionalInt.empty()),
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
    this.timePart = spec.timePart();
    this.categories = new Categories(spec);
    ItemSource items = () -> each ? new FoundItems(categories, most.getAsInt()) : null;
    this.extractor =
        switch (spec.format()) {
          case JSON -> new JsonFields(spec, user, items);
          case AVRO -> new AvroFields(spec, user, items, schemas);
          case JSON_SCHEMA -> new RegisteredJson(new JsonFields(spec, user, items));
          case PROTOBUF -> new ProtobufFields(spec, user, items, schemas);
        };
    this.filter = new Surroundings.Filter(spec, schemas);
    this.subjectPart = unlessField(spec.subject(), schemas);
    this.userPart = user.flatMap(field -> unlessField(field, schemas));
    this.idPart = spec.id().flatMap(field -> unlessField(field, schemas));
    this.categoryParts =
        spec.categoryFields().stream().map(field -> unlessField(field, schemas)).toList();
  }

  private Optional<Surroundings> unlessField(String part, SchemaSource schemas) {
    return RecordPart.isField(part)
        ? Optional.empty()
        : Optional.of(Surroundings.of(spec, part, schemas));
  }

  /**
   * Reads one record.
   *
   * @return nothing if the file's filter does not select it, or it is a tombstone: then it counts
   *     for nothing, and nothing is wrong with it
   * @throws RejectedRecordException with the code of the first thing that is wrong
   */
  public Optional<Event> read(SourceRecord record) throws RejectedRecordException {
    return ForeignBytes.orReject(RejectionCode.MALFORMED, () -> event(record));
  }

  private Optional<Event> event(SourceRecord record) throws RejectedRecordException, IOException {
    byte[] value = record.value();
    if (value == null || !filter.selects(record)) {
      return Optional.empty();
    }
    if (value.length > spec.maxBytes()) {
      throw new RejectedRecordException(RejectionCode.TOO_LARGE);
    }
    Optional<RawFields> selected = fields(record);
    return selected.isEmpty() ? Optional.empty() : Optional.of(event(record, selected.get()));
  }

  private Optional<RawFields> fields(SourceRecord record) throws RejectedRecordException {
    try {
      return ForeignBytes.orReject(
          RejectionCode.MALFORMED, () -> extractor.extract(record.value()));
    } catch (RejectedRecordException e) {
      boolean registered = spec.format() != InputSpec.Format.JSON;
      throw OtherFraming.OF_VALUE.explained(e, registered, record.value(), record.headers());
    }
  }

  private Event event(SourceRecord record, RawFields fields)
      throws RejectedRecordException, IOException {
    String subject = name(record, subjectPart, fields.subject(), RejectionCode.NO_SUBJECT);
    Optional<String> person =
        user.isEmpty()
            ? Optional.empty()
            : Optional.of(name(record, userPart, fields.user(), RejectionCode.NO_USER));
    Optional<String> id =
        spec.id().isEmpty()
            ? Optional.empty()
            : Optional.of(name(record, idPart, fields.id(), RejectionCode.NO_ID));
    long time = time(reading(fields, record));
    checkRange(time, record.timestamp(), maxAhead);
    List<Double> numbers = numbers(fields);
    List<Event.Item> items = items(record, fields);
    return spec.weight().isEmpty()
        ? new Event(person, subject, time, items, numbers, id)
        : new Event(
            person, subject, time, weighed(items.get(0), fields.units()), values(numbers), id);
  }

  /**
   * A subject, user or id.
   *
   * @param part where it is, unless in a field
   * @param found in the field
   */
  private String name(
      SourceRecord record, Optional<Surroundings> part, String found, RejectionCode code)
      throws RejectedRecordException, IOException {
    String name = part.isEmpty() ? found : part.get().name(record);
    if (name == null) {
      throw part.isPresent() && record.key() != null && isInKey(code)
          ? RejectedRecordException.withHint(code, keyHint(record.key()))
          : new RejectedRecordException(code);
    }
    return name;
  }

  private boolean isInKey(RejectionCode code) {
    return switch (code) {
      case NO_SUBJECT -> InputSpec.isKey(spec.subject());
      case NO_USER -> user.filter(InputSpec::isKey).isPresent();
      default -> spec.id().filter(InputSpec::isKey).isPresent();
    };
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
    for (int i = 0; i < fields.numbers().size(); i++) {
      Double value = fields.numbers().get(i);
      if (value == null && mayLack(i)) {
        fields.numbers().set(i, Double.NaN);
        continue;
      }
      // Written so that NaN is refused too.
      if (value == null || !(Math.abs(value) <= RandomFeatures.LARGEST_INPUT)) {
        throw new RejectedRecordException(RejectionCode.BAD_VALUE);
      }
    }
    return fields.numbers();
  }

  /**
   * Whether a record counts without a number: where users are protected, each output about the
   * number says itself how many records had one. The weight, behind the values, says how often.
   */
  private boolean mayLack(int number) {
    return user.isPresent() && number < spec.values().size();
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

  private List<Event.Item> items(SourceRecord record, RawFields fields)
      throws RejectedRecordException, IOException {
    if (spec.category().isEmpty()) {
      return categories.none();
    }
    if (fields.items() != null) {
      return fields.items().counted();
    }
    for (int i = 0; i < categoryParts.size(); i++) {
      if (categoryParts.get(i).isPresent()) {
        fields.categories().set(i, categoryParts.get(i).get().name(record));
      }
    }
    return categories.of(fields.categories());
  }

  /** The event time as it was found; null where it is missing. */
  private TimeReading reading(RawFields fields, SourceRecord record)
      throws RejectedRecordException, IOException {
    if (timePart instanceof RecordPart.Timestamp) {
      // Brokers of old formats and producers without a clock write -1.
      return record.timestamp() < 0 ? null : new TimeReading.Time(record.timestamp());
    }
    if (timePart instanceof RecordPart.Header header) {
      byte[] text = Surroundings.header(record.headers(), header.name());
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
