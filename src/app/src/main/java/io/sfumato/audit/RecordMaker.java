// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.mechanism.NumberBounds;
import io.sfumato.mechanism.abc.Summary;
import io.sfumato.pipeline.Columns;
import io.sfumato.pipeline.Crossing;
import io.sfumato.pipeline.FeatureSpec;
import io.sfumato.pipeline.FieldPath;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.RecordFilter.Condition;
import io.sfumato.pipeline.Selections;
import io.sfumato.record.WrittenTime;
import io.sfumato.release.abc.AbcSpec;
import io.sfumato.schema.UserRecord;
import io.sfumato.serde.Outputs;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Records of made-up people in a pipeline's own format. */
final class RecordMaker {
  private static final Set<String> FIELDS_OF_USER_RECORD = Set.of("subject", "at", "category");

  /** Where numbers may lie. */
  private static final int PLACES = 7;

  private static final Pattern PLACE = Pattern.compile("values\\.(\\d{1,3})");

  /** So many categories of very many are made up: far apart, and neighbours of these. */
  private static final int SOME = 6;

  /** Names, where nobody listed any: some of them few people have. */
  private static final List<String> NAMES = List.of("paris", "rome", "bonn", "oslo", "bern");

  /** A name of its own where a filter does not care which. */
  private static final String ANY = "x";

  private static final double[] WEIGHTS = {1e9, 1, 2.75};

  /** Of a public range: its ends, what lies beyond them, and where parts of numbers peak. */
  private static final double[] IN_RANGE = {0, 1, 0.5, 1.0 / 3, -1, 2, 0.2};

  private final InputSpec input;

  /** What outputs are about that do not take all records, or have a category of their own. */
  private final List<InputSpec> own;

  private final Optional<String> user;
  private final MadeUpKeys keys;
  private final List<List<String>> categories;
  private final double scale;
  private final List<List<NumberBounds>> ranges;

  /** Where each item of an array counts. */
  private final Optional<MadeUpItems> items;

  /**
   * @throws IllegalArgumentException if the file reads records of a schema that nobody but its
   *     registry knows
   */
  RecordMaker(Pipeline pipeline) {
    this(List.of(pipeline));
  }

  /**
   * Records that matter to each of several versions, written as the last one reads them.
   *
   * @throws IllegalArgumentException as above
   */
  RecordMaker(List<Pipeline> versions) {
    Pipeline pipeline = versions.get(versions.size() - 1);
    this.input = pipeline.input();
    this.own =
        versions.stream()
            .flatMap(version -> Selections.of(version).inputs().stream().skip(1))
            .distinct()
            .toList();
    this.user = pipeline.population().map(Population::user);
    this.keys = new MadeUpKeys(input.formats().keys());
    this.categories = categories(input);
    this.scale = scale(pipeline);
    this.ranges =
        IntStream.range(0, input.values().size())
            .mapToObj(
                place ->
                    versions.stream()
                        .flatMap(version -> version.ranges(place).stream())
                        .distinct()
                        .toList())
            .toList();
    this.items =
        input.isEach()
            ? Optional.of(
                new MadeUpItems(
                    FieldPath.of(input.category().orElseThrow()),
                    input.discovers() ? NAMES : input.allCategories()))
            : Optional.empty();
    if (input.format() == InputSpec.Format.PROTOBUF) {
      throw new IllegalArgumentException(
          "the records' schema is in a registry, which the replay does not read; in a copy of the "
              + "file, set input.format: json, and audit that");
    }
    if (input.format() == InputSpec.Format.AVRO) {
      requireUserRecord();
    }
  }

  /** In which numbers must differ for a distance to move by much. */
  private static double scale(Pipeline pipeline) {
    return pipeline
        .features()
        .map(FeatureSpec::bandwidth)
        .orElseGet(
            () ->
                AbcSpec.of(pipeline).stream()
                    .flatMapToDouble(
                        spec ->
                            spec.summaries().stream()
                                .filter(summary -> !(summary instanceof Summary.Share))
                                .mapToDouble(summary -> spec.clip() * summary.scale()))
                    .max()
                    .orElse(1.0));
  }

  private void requireUserRecord() {
    List<String> fields = new ArrayList<>(List.of(input.subject(), input.time()));
    user.ifPresent(fields::add);
    fields.addAll(input.categoryFields());
    fields.removeIf(InputSpec::isKey);
    input.where().onFields().forEach(condition -> fields.add(condition.part()));
    own.forEach(
        records -> {
          fields.addAll(records.categoryFields());
          records.where().onFields().forEach(condition -> fields.add(condition.part()));
        });
    input.id().ifPresent(fields::add);
    boolean known =
        FIELDS_OF_USER_RECORD.containsAll(fields)
            && input.numbers().stream().allMatch(field -> PLACE.matcher(field).matches());
    if (!known) {
      throw new IllegalArgumentException(
          "the file's fields are not those of UserRecord, and its schema is in a registry, "
              + "which the replay does not read; in a copy of the file, name the fields subject, "
              + "at, category and values.0, values.1, ..., or set input.format: json, and audit "
              + "that");
    }
  }

  /** Number of kinds of records, which differ in category, numbers, or both; at least 2. */
  int kinds() {
    return shownKinds() * (own.isEmpty() ? 1 : own.size() + 1);
  }

  /** The same, whichever output's conditions they meet. */
  private int shownKinds() {
    int shapes =
        items.isPresent() ? MadeUpItems.SHAPES : input.weight().isPresent() ? WEIGHTS.length : 1;
    int places = Math.max(1, categories.size());
    int most = ranges.stream().mapToInt(List::size).max().orElse(0);
    return Math.max(shapes * places, input.values().isEmpty() ? 2 : PLACES * Math.max(1, most));
  }

  /** What the fields of the category hold, one list a category; none where records have none. */
  private static List<List<String>> categories(InputSpec input) {
    if (!input.discovers()) {
      return places(input).mapToObj(input::valuesOf).toList();
    }
    return NAMES.stream()
        .map(
            name ->
                input
                    .columns()
                    .map(several -> withName(several, name))
                    .orElseGet(() -> List.of(name)))
        .toList();
  }

  private static LongStream places(InputSpec input) {
    long all = input.category().isPresent() ? input.places() : 0;
    return all <= Columns.MOST_COUNTED
        ? LongStream.range(0, all)
        : LongStream.range(0, SOME).flatMap(i -> LongStream.of(all / SOME * i, all / SOME * i + 1));
  }

  /** The first value of each column that is listed, and one name for the others. */
  private static List<String> withName(Columns columns, String name) {
    return ((Crossing) columns)
        .columns().stream()
            .map(column -> column.isListed() ? column.values().get(0) : name)
            .toList();
  }

  /** More than may count, just one, or some. */
  private double weight(int kind) {
    return WEIGHTS[kind / Math.max(1, categories.size()) % WEIGHTS.length];
  }

  /** The key of a record; null where nothing is named by it. */
  byte[] key(String who, String subject) {
    if (InputSpec.isKey(input.subject())) {
      return keys.of(subject, InputSpec.withinKey(input.subject()));
    }
    return user.filter(InputSpec::isKey)
        .map(field -> keys.of(who, InputSpec.withinKey(field)))
        .orElse(null);
  }

  /** The value of a record. Its category and its numbers go with its kind. */
  byte[] value(String who, String subject, long time, int kind) {
    return switch (input.format()) {
      case JSON -> json(who, subject, time, kind);
      case JSON_SCHEMA -> MadeUpKeys.registered(json(who, subject, time, kind));
      case AVRO -> avro(who, subject, time, kind);
      case PROTOBUF -> throw new IllegalStateException("refused before");
    };
  }

  private List<String> category(int kind) {
    return categories.get(kind % categories.size());
  }

  private byte[] json(String who, String subject, long time, int kind) {
    ObjectNode value = JsonNodeFactory.instance.objectNode();
    putTime(value, time);
    if (items.isPresent()) {
      items.get().put(value, kind);
    } else {
      List<String> fields = input.categoryFields();
      for (int i = 0; i < fields.size(); i++) {
        value.put(fields.get(i), category(kind).get(i));
      }
    }
    for (int i = 0; i < input.values().size(); i++) {
      value.put(input.values().get(i), number(kind, i));
    }
    input.weight().ifPresent(field -> value.put(field, weight(kind)));
    if (user.isPresent() && !InputSpec.isKey(user.get())) {
      value.put(user.get(), who);
    }
    if (!InputSpec.isKey(input.subject())) {
      value.put(input.subject(), subject);
    }
    input
        .id()
        .ifPresent(field -> value.put(field, "%s-%s-%d-%d".formatted(who, subject, time, kind)));
    input.where().onFields().forEach(condition -> meet(condition, value));
    putOwn(value, kind);
    return utf8(value.toString());
  }

  /**
   * What outputs look for that are about something of their own: of some kinds of records all of
   * one output's conditions are met, and of others' those that do not contradict them; of the last
   * kinds none's.
   */
  private void putOwn(ObjectNode value, int kind) {
    int first = kind / shownKinds() % (own.size() + 1);
    for (int i = 0; i < own.size(); i++) {
      InputSpec records = own.get((first + i) % own.size());
      if (first < own.size()) {
        records.where().onFields().forEach(condition -> meet(condition, value));
      }
      if (!records.categoryFields().equals(input.categoryFields())) {
        List<String> categories = records.allCategories();
        String field = records.categoryFields().get(0);
        if (!value.has(field)) {
          value.put(field, categories.get(kind % categories.size()));
        }
      }
    }
  }

  /** What meets a condition, unless the record has its field already. */
  private static void meet(Condition condition, ObjectNode value) {
    boolean isMissing = condition.exists().equals(Optional.of(false));
    if (!isMissing && !value.has(condition.part())) {
      value.put(condition.part(), met(condition));
    }
  }

  private static String met(Condition condition) {
    String any = ANY.repeat(1 + condition.not().stream().mapToInt(String::length).max().orElse(0));
    return condition.in().stream()
        .flatMap(Set::stream)
        .filter(name -> !condition.not().contains(name))
        .sorted()
        .findFirst()
        .orElse(any);
  }

  /** In the file's own form. */
  private void putTime(ObjectNode value, long time) {
    WrittenTime.unlessNumber(input.formats().times(), time)
        .ifPresentOrElse(
            written -> value.put(input.time(), written.text()),
            () -> value.put(input.time(), time));
  }

  /** What is read of a time: the format of a text may have no seconds, for example. */
  long held(long time) {
    return input.format() == InputSpec.Format.AVRO
        ? time
        : WrittenTime.of(input.formats().times(), time).map(WrittenTime::millis).orElse(time);
  }

  private byte[] avro(String who, String subject, long time, int kind) {
    Map<String, String> names = Map.of(input.subject(), subject, user.orElse(""), who);
    return Outputs.encode(
        UserRecord.newBuilder()
            .setSubject(names.getOrDefault("subject", subject))
            .setAt(Instant.ofEpochMilli(time))
            .setCategory(categories.isEmpty() ? null : category(kind).get(0))
            .setValues(input.numbers().isEmpty() ? null : inPlaces(kind))
            .build());
  }

  /** All numbers of a record, each where the file looks for it. */
  private List<Double> inPlaces(int kind) {
    List<Double> numbers = new ArrayList<>(numbers(kind));
    input.weight().ifPresent(field -> numbers.add(weight(kind)));
    List<Double> placed = new ArrayList<>();
    for (int i = 0; i < numbers.size(); i++) {
      Matcher place = PLACE.matcher(input.numbers().get(i));
      int at = place.matches() ? Integer.parseInt(place.group(1)) : i;
      while (placed.size() <= at) {
        placed.add(0.0);
      }
      placed.set(at, numbers.get(i));
    }
    return placed;
  }

  /** Numbers of one record, as pseudo-data has them too. */
  List<Double> numbers(int kind) {
    List<Double> numbers = new ArrayList<>();
    for (int i = 0; i < input.values().size(); i++) {
      numbers.add(number(kind, i));
    }
    return numbers;
  }

  /** Far apart in the kernel's bandwidth, or the summaries' scales, whatever they are. */
  private double number(int kind, int dimension) {
    List<NumberBounds> known = ranges.get(dimension);
    if (known.isEmpty()) {
      return scale * (1.25 * (kind % PLACES) - 2 + 0.5 * dimension);
    }
    NumberBounds range = known.get(kind / PLACES % known.size());
    return range.lo() + range.span() * IN_RANGE[kind % PLACES];
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
