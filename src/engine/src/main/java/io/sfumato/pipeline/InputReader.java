// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.pipeline.InputSpec.Format;
import io.sfumato.record.KeyFormat;
import io.sfumato.record.RecordPart;
import io.sfumato.record.RecordPart.Header;
import io.sfumato.record.RecordPart.Key;
import io.sfumato.record.RecordPart.Timestamp;
import io.sfumato.record.RecordPart.Topic;
import io.sfumato.record.TimeFormat;
import io.sfumato.record.TimeReader;
import io.sfumato.record.ValueFormats;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads {@code input:} of a pipeline file, and the list of its subjects. */
public final class InputReader {
  private static final String DOLLARS =
      "the name of a field; $key as subject or user; $topic as subject or category; $timestamp as time; $header.NAME as each of these";

  /** Which parts of a record beside its value's fields may stand in a field of the file. */
  private static final Map<String, Set<Class<? extends RecordPart>>> PARTS =
      Map.of(
          "subject", Set.of(Key.class, Topic.class, Header.class),
          "user", Set.of(Key.class, Header.class),
          "time", Set.of(Timestamp.class, Header.class),
          "category", Set.of(Topic.class, Header.class),
          "where", Set.of(Key.class, Topic.class, Header.class),
          "id", Set.of(Key.class, Header.class));

  private InputReader() {}

  /** The field of the user, where many users feed one subject. */
  public static Optional<String> user(Fields fields) {
    Optional<String> user = fields.optional(InputFields.USER);
    user.ifPresent(field -> checkPart(fields, "user", field));
    return user;
  }

  /** Where records come from, and which of their fields count. */
  public static InputSpec input(Fields fields) {
    // Numbers alone will do; whoever names neither is told of the category.
    boolean categorised =
        fields.mentions("category") || fields.mentions("categories") || !fields.mentions("values");
    InputTopics topics = TopicsReader.read(fields);
    Format format = fields.get(InputFields.FORMAT);
    String subject = subject(fields);
    String time = fields.get(InputFields.TIME);
    boolean several = fields.isList("category") || fields.isMapping("category");
    Optional<String> other =
        fields
            .optional(InputFields.OTHER)
            .map(name -> ListedName.of(fields, "other", name).orElse("x"));
    Optional<Columns> columns = several ? ColumnsReader.read(fields, other) : Optional.empty();
    InputSpec input =
        new InputSpec(
            topics,
            format,
            subject,
            time,
            category(fields, categorised, several, columns),
            columns,
            several || !categorised || discovers(fields)
                ? columns.map(ColumnsReader::categories).orElse(List.of())
                : fields.list("categories").names(2, Columns.MOST_COUNTED),
            other,
            fields.list(InputFields.VALUES).optionalTexts(1000),
            fields.optional(InputFields.WEIGHT),
            fields.get(InputFields.MAX_BYTES),
            new ValueFormats(times(fields), keys(fields)),
            FilterReader.filter(fields),
            fields.optional(InputFields.ID));
    if (!several && discovers(fields)) {
      Fields categories = fields.open("categories");
      categories.has("discover");
      categories.refuseUnknown();
    }
    if (input.constantSubject().isEmpty()) {
      checkPart(fields, "subject", input.subject());
      checkKey(fields, "subject", input.subject(), input.formats().keys());
    }
    checkPart(fields, "time", input.time());
    input
        .where()
        .conditions()
        .forEach(one -> checkKey(fields, "where", one.part(), input.formats().keys()));
    input.values().forEach(name -> checkPath(fields, "values", name));
    input.weight().ifPresent(name -> checkPath(fields, "weight", name));
    if (!categorised && input.other().isPresent()) {
      fields.conflict("other", "found without 'category'", "only where records have a category");
    }
    return input;
  }

  /**
   * What records an output is about, and by which category: what the output says, or else the file.
   *
   * @param release that the output's section is
   * @param file of all outputs
   * @param users of the file, where it protects users
   */
  public static InputSpec own(Fields release, InputSpec file, Optional<Population> users) {
    List<String> found =
        InputFields.OF_OUTPUT.stream()
            .filter(field -> release.has(field))
            .<String>map(field -> field.name())
            .toList();
    if (found.isEmpty()) {
      return file;
    }
    if (users.isEmpty()) {
      release.conflict(
          found.get(0), "found without 'input.user'", "only where users are named; or 'input'");
    }
    if (file.discovers()) {
      release.conflict(
          found.get(0),
          "found with 'input.categories.discover'",
          "only where 'input.categories' are listed, or missing");
    }
    RecordFilter where = ownFilter(release, file);
    if (found.equals(List.of(InputFields.OWN_WHERE.name()))) {
      return file.asked(where, file.category(), file.columns(), file.categories(), file.other());
    }
    String category = release.get(InputFields.OWN_CATEGORY);
    if (FieldPath.namesEach(category)) {
      release.problem(
          "category",
          "found '" + category + "'",
          "one field; 'input.category' alone may count each item of an array");
    } else {
      checkPart(release, "category", category);
    }
    return file.asked(
        where,
        Optional.of(category),
        Optional.empty(),
        release.list(InputFields.OWN_CATEGORIES).names(2, Columns.MOST_COUNTED),
        release
            .optional(InputFields.OWN_OTHER)
            .map(name -> ListedName.of(release, "other", name).orElse("x")));
  }

  /** The file's conditions and the output's: all of them must hold. */
  private static RecordFilter ownFilter(Fields release, InputSpec file) {
    List<RecordFilter.Condition> all = new ArrayList<>(file.where().conditions());
    for (RecordFilter.Condition one : FilterReader.filter(release).conditions()) {
      checkKey(release, "where", one.part(), file.formats().keys());
      if (file.where().conditions().stream().anyMatch(other -> other.part().equals(one.part()))) {
        release.conflict(
            "where",
            "found '%s', of which 'input.where' says something too".formatted(one.part()),
            "one condition for each field: leave it out of 'input.where', or here");
      }
      all.add(one);
    }
    return new RecordFilter(all);
  }

  private static String subject(Fields fields) {
    if (!fields.isMapping("subject")) {
      return fields.get(
          InputFields.SUBJECT.as(
              FieldTypes.recordField(", $key, $topic or $header.NAME; or {constant: NAME}")));
    }
    Fields section = fields.open("subject");
    String name = section.get(InputFields.CONSTANT_NAME);
    section.refuseUnknown();
    return RecordPart.CONSTANT + ListedName.of(section, "constant", name).orElse("x");
  }

  private static TimeReader times(Fields fields) {
    String word = fields.get(InputFields.TIME_FORMAT);
    Optional<String> zone = fields.optional(InputFields.ZONE);
    TimeFormat format = new TimeFormat.Auto();
    try {
      format = TimeFormat.of(word);
    } catch (IllegalArgumentException e) {
      fields.problem("time-format", "found '" + word + "'", e.getMessage());
    }
    Optional<ZoneId> found = Optional.empty();
    try {
      found = zone.map(ZoneId::of);
    } catch (DateTimeException e) {
      fields.problem("zone", "found '" + zone.get() + "'", InputFields.ZONE_RULE);
    }
    if (format instanceof TimeFormat.Epoch && zone.isPresent()) {
      fields.conflict("zone", "found with 'time-format: " + word + "'", "only with times as text");
    }
    if (format instanceof TimeFormat.Pattern pattern && !pattern.hasZone() && zone.isEmpty()) {
      fields.conflict(
          "time-format",
          "found '" + word + "' without 'zone'",
          "a pattern with an offset (X), or the zone of the times: " + InputFields.ZONE_RULE);
    }
    return new TimeReader(format, found);
  }

  private static KeyFormat keys(Fields fields) {
    return fields.get(InputFields.KEY_FORMAT);
  }

  private static Optional<String> category(
      Fields fields, boolean categorised, boolean several, Optional<Columns> columns) {
    if (several) {
      // What is wrong with them is told: the rest of the file is read as if there were one.
      return Optional.of(columns.map(Columns::label).orElse("x"));
    }
    if (!categorised) {
      return Optional.empty();
    }
    String category =
        fields.get(
            InputFields.CATEGORY.as(
                FieldTypes.recordField(", a list of them to cross, or {path: [...]} of them")));
    // Its path is checked where it is known whether each item of an array may count.
    dollars("category", category)
        .ifPresent(allowed -> fields.problem("category", "found '" + category + "'", allowed));
    return Optional.of(category);
  }

  /** Whether categories are found, as a section of their own says. */
  private static boolean discovers(Fields fields) {
    return fields.mentions("categories.discover");
  }

  /**
   * What is found needs users whose records are bounded, and has no rest.
   *
   * @param user field of the user
   */
  public static void checkDiscovery(Fields fields, InputSpec input, Optional<String> user) {
    if (!input.discovers()) {
      return;
    }
    if (user.isEmpty()) {
      fields.conflict(
          "categories",
          "found 'discover' without 'input.user'",
          "a list; names are found only where 'contributions' bound what a user's records do together");
    }
    if (input.other().isPresent() && input.columns().filter(InputReader::listsSome).isEmpty()) {
      fields.conflict(
          "other", "found with 'categories.discover'", "only with a list: every name is its own");
    }
    if (!input.values().isEmpty()) {
      fields.conflict(
          "values", "found with 'categories.discover'", "only with a list of categories, or none");
    }
  }

  private static boolean listsSome(Columns columns) {
    return columns instanceof Crossing crossing
        && crossing.columns().stream().anyMatch(Crossing.Column::isListed);
  }

  /** A weight counts only where it is bounded, and a record has one thing that it weighs. */
  public static void checkWeight(Fields fields, InputSpec input, Optional<String> user) {
    if (input.weight().isEmpty()) {
      return;
    }
    String weight = input.weight().get();
    boolean other =
        weight.equals(input.subject())
            || weight.equals(input.time())
            || user.equals(input.weight())
            || input.categoryFields().contains(weight);
    if (other || !RecordPart.isField(weight)) {
      fields.conflict(
          "weight",
          "found '" + weight + "'",
          "a field of its own, which holds nothing but a number");
    }
    if (user.isEmpty()) {
      fields.conflict(
          "weight",
          "found without 'input.user'",
          "only where 'contributions' bound what a user's records do together: elsewhere one record would"
              + " change a release more than its noise hides");
    }
    if (input.isEach()) {
      fields.conflict(
          "weight", "found with '[]' in 'input.category'", "only where a record has one category");
    }
  }

  /** Copies of an event are known by its id, and by its time: that must be the event's own. */
  public static void checkId(Fields fields, InputSpec input) {
    if (input.id().isEmpty()) {
      return;
    }
    String id = input.id().get();
    checkPart(fields, "id", id);
    checkKey(fields, "id", id, input.formats().keys());
    if (input.timePart() instanceof RecordPart.Timestamp) {
      fields.conflict(
          "id",
          "found with 'input.time: $timestamp'",
          "a time that the event itself has: a copy that is sent later has another timestamp, and would count"
              + " in another window");
    }
  }

  /** Numbers are a record's: items of an array have none of their own. */
  public static void checkNumbers(Fields fields, InputSpec input) {
    if (input.isEach() && !input.values().isEmpty()) {
      fields.conflict(
          "values",
          "found with '[]' in 'input.category'",
          "only where a record counts as one, or by its weight");
    }
  }

  /** A field of the value alone. */
  static void checkPath(Fields fields, String field, String name) {
    dollars(field, name)
        .or(() -> FieldPath.refusal(name))
        .ifPresent(allowed -> fields.problem(field, "found '" + name + "'", allowed));
  }

  /** A field of the value, or another part of the record. */
  static void checkPart(Fields fields, String field, String name) {
    if (!isPart(field, name)) {
      checkPath(fields, field, name);
    }
  }

  /** Why a name with a dollar cannot be in a field of the file. */
  private static Optional<String> dollars(String field, String name) {
    return name.startsWith("$") && !name.startsWith("$.") && !isPart(field, name)
        ? Optional.of(DOLLARS)
        : Optional.empty();
  }

  /** Whether a name is that of a part beside the value that may stand in a field of the file. */
  private static boolean isPart(String field, String name) {
    return PARTS.getOrDefault(field, Set.of()).contains(RecordPart.of(name).getClass());
  }

  /** A field in the key needs a key that has fields. */
  public static void checkKey(Fields fields, String field, String name, KeyFormat keys) {
    Optional<String> path = InputSpec.withinKey(name);
    if (path.isEmpty()) {
      return;
    }
    if (!keys.hasFields()) {
      fields.conflict(
          field,
          "found '%s' with 'input.key-format: %s'".formatted(name, keys.word()),
          "a field of the key only with key-format json, avro, json-schema or protobuf");
    }
    if (FieldPath.of(path.get()).isEach()) {
      fields.problem(field, "found '" + name + "'", "one field of the key, without []");
    }
    FieldPath.refusal(path.get())
        .ifPresent(allowed -> fields.problem(field, "found '" + name + "'", allowed));
  }

  /** Subjects that the file lists, each short enough for a key. */
  public static List<String> listed(Fields file) {
    return file.list("subjects").names(1, SubjectsField.MOST_LISTED);
  }
}
