// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.pipeline.InputSpec.Format;
import io.sfumato.pipeline.ValueType.Shape;
import io.sfumato.pipeline.ValueType.Text;
import io.sfumato.pipeline.ValueType.Word;
import io.sfumato.record.KeyFormat;
import java.util.List;
import java.util.regex.Pattern;

/** The fields of {@code input:}. */
public final class InputFields {
  static final String ZONE_RULE = "a zone's name, such as Europe/Berlin";

  static final Pattern ANY = Pattern.compile(".{1,200}");

  static final FieldSpec<String> PATTERN =
      FieldSpec.typed(
              "pattern", new Text(ANY, "a Java regular expression of at most 200 characters"))
          .means("A Java regular expression that whole topic names match.")
          .example("'clicks-.*'");

  /** {@code topic: {pattern: …}}. */
  static final Section TOPICS = Section.of("Every topic whose name a pattern matches.", PATTERN);

  static final FieldSpec<?> TOPIC =
      FieldSpec.typed(
              "topic",
              FieldTypes.either(
                      FieldTypes.TOPIC.allowed()
                          + "; a list of 2 to 100 of them; or {pattern: ...}",
                      FieldTypes.TOPIC.schema(),
                      FieldTypes.array(FieldTypes.TOPIC.schema())
                          .put("minItems", 2)
                          .put("maxItems", InputTopics.MOST),
                      TOPICS.schema())
                  .part("", TOPICS))
          .means(
              "The topic of the records, a list of topics, or a pattern of their names"
                  + " ([several topics](records.md#several-topics)). Topics of budgets"
                  + " (`sfumato-...-changelog`, `-repartition`, `-registry`, `sfumato-accounts`) and"
                  + " of the cluster are refused.")
          .example("clicks");

  static final FieldSpec<Format> FORMAT =
      FieldSpec.word(
              "format",
              new Word<>(EnumWords.of(Format.values()))
                  .means("json", "JSON objects.")
                  .means(
                      "avro",
                      "any record of a schema registry, or `UserRecord` in single-object encoding;"
                          + " the first byte tells them apart.")
                  .means("json-schema", "JSON that follows the id of its schema.")
                  .means(
                      "protobuf",
                      "Protobuf that follows the id of its schema"
                          + " ([Protobuf](records.md#protobuf))."))
          .byDefault(Format.JSON, "json")
          .means("How records' values are encoded.")
          .example("avro");

  static final FieldSpec<String> CONSTANT_NAME =
      FieldSpec.typed("constant", FieldTypes.text("the subject's name"))
          .means("The name of the one subject.")
          .example("all");

  private static final Section CONSTANT = Section.of("One subject for all records.", CONSTANT_NAME);

  static final FieldSpec<?> SUBJECT =
      FieldSpec.typed(
              "subject",
              FieldTypes.either(
                      "the name of a field in the records, $key, $topic or $header.NAME; or {constant: NAME}",
                      FieldTypes.recordField("").schema(),
                      CONSTANT.schema())
                  .part("", CONSTANT))
          .means(
              "The field that names the subject, 1 to 256 bytes, or [another part of the"
                  + " record](records.md#parts-of-a-record). With `{constant: all}`, all records have one"
                  + " subject.")
          .example("ward");

  static final FieldSpec<String> USER =
      FieldSpec.typed("user", FieldTypes.recordField(""))
          .optional("none; required with unit user")
          .means(
              "The field that names the user, `$key` or `$header.NAME`. Many users feed one subject.")
          .units(PrivacyUnit.USER)
          .example("patient");

  static final FieldSpec<String> TIME =
      FieldSpec.typed("time", FieldTypes.recordField(", $timestamp or $header.NAME"))
          .means(
              "The event time: a field, `$timestamp` (the record's Kafka timestamp) or `$header.NAME`"
                  + " (a header's text, read like a field).")
          .example("admitted_at");

  static final FieldSpec<String> TIME_FORMAT =
      FieldSpec.typed("time-format", new Text(ANY, "a time format"))
          .byDefault("auto")
          .means(
              "How times are written: `auto`, `iso`, `epoch-s`, `epoch-ms`, `epoch-us`, `epoch-ns`, or"
                  + " a pattern ([times](records.md#times)).")
          .example("dd.MM.yyyy HH:mm");

  static final FieldSpec<String> ZONE =
      FieldSpec.typed("zone", new Text(ANY, ZONE_RULE))
          .optional()
          .means("The time zone of times that are written without an offset.")
          .where("with times as text")
          .example("Europe/Berlin");

  static final FieldSpec<KeyFormat> KEY_FORMAT =
      FieldSpec.word(
              "key-format",
              new Word<>(EnumWords.of(KeyFormat.values()))
                  .means("int", "4 bytes, big-endian.")
                  .means("long", "8 bytes, big-endian.")
                  .means("uuid", "16 bytes."))
          .byDefault(KeyFormat.TEXT, "text")
          .means(
              "How `$key` is read. With `json`, `avro`, `json-schema` and `protobuf`,"
                  + " `$key.customer_id` names a field of the key.")
          .example("long");

  static final FieldSpec<String> OTHER =
      FieldSpec.typed("other", FieldTypes.text("the name of the category for unknown values"))
          .optional("none: records with unknown values are dead letters")
          .means(
              "A category that takes all unknown values, in every one of several fields. An empty text"
                  + " is one of them.")
          .example("elsewhere");

  static final FieldSpec<?> VALUES =
      FieldSpec.typed("values", FieldTypes.texts(1, 1000))
          .optional()
          .means(
              "Fields of numbers, at most 1e12 in magnitude. Fields of `UserRecord` are `values.0`,"
                  + " `values.1`, and so on.")
          .where("for releases `mean`, `bounds`, `quantile`, `features`, `abc` and `mollifier`")
          .example("[amount]");

  static final FieldSpec<String> WEIGHT =
      FieldSpec.typed("weight", FieldTypes.recordField(", a number"))
          .optional()
          .means(
              "A field of a number from 1 to 1e12. A record of weight w counts as w records, rounded"
                  + " down ([guide](../guides/active-users.md#count-minutes-pieces-or-plays)).")
          .units(PrivacyUnit.USER)
          .example("minutes");

  static final FieldSpec<Integer> MAX_BYTES =
      FieldSpec.count("max-bytes", 100, 100_000_000)
          .byDefault(1_000_000)
          .means("Larger values are dead letters.")
          .example("100000");

  static final FieldSpec<JsonNode> IN =
      FieldSpec.typed("in", names()).optional().means("One of these.").example("[c, r]");

  static final FieldSpec<JsonNode> NOT =
      FieldSpec.typed("not", names())
          .optional()
          .means("None of these. Records without the field are kept.")
          .example("[test]");

  static final FieldSpec<Boolean> EXISTS =
      FieldSpec.word("exists", EnumWords.either("true", true, "false", false))
          .optional()
          .means("Whether the field must be there, and not null.")
          .example("true");

  /** {@code where: {field: {…}}}. */
  static final Section CONDITION = Section.of("What a part of a record must be.", IN, NOT, EXISTS);

  static final FieldSpec<JsonNode> WHERE =
      FieldSpec.typed(
              "where",
              new Shape(
                      "a mapping of fields to what they must be: {type: click}, {op: [c, r]}, {status: {not: test}}, {user: {exists: true}}",
                      FieldTypes.map(
                          FieldTypes.anyOf(
                              List.of(name(), FieldTypes.array(name()), CONDITION.schema()))))
                  .part(".FIELD", CONDITION))
          .optional("none: all records are read")
          .means(
              "Which records are read: those that meet every condition ([filters](records.md#filters))."
                  + " Others are counted and passed over. With unit record, protected fields cannot be"
                  + " named.")
          .example("{type: click}");

  static final FieldSpec<String> ID =
      FieldSpec.typed("id", FieldTypes.recordField(", $key or $header.NAME"))
          .optional("none: each record is an event of its own")
          .means(
              "The id of the event. Records with one id are copies: of a user and window, or of a"
                  + " subject and window with unit record, they count once"
                  + " ([duplicates](records.md#duplicates)).")
          .units(PrivacyUnit.USER, PrivacyUnit.RECORD)
          .example("event_id");

  private static final FieldSpec<?> PATH =
      FieldSpec.typed("path", FieldTypes.texts(2, Hierarchy.MOST_LEVELS))
          .means("Fields of a hierarchy, each within the one before.")
          .example("[country, region, city]");

  /** {@code category: {path: […]}}. */
  static final Section HIERARCHY = Section.of("A hierarchy of fields.", PATH);

  static final FieldSpec<?> CATEGORY =
      FieldSpec.typed(
              "category",
              FieldTypes.either(
                      "the name of a field in the records, a list of them to cross, or {path: [...]} of them",
                      FieldTypes.texts(),
                      FieldTypes.texts(2, Crossing.MOST_COLUMNS).schema(),
                      HIERARCHY.schema())
                  .part("", HIERARCHY))
          .optional("required without `input.values`")
          .means(
              "The field of the category: text, number or boolean. A list crosses 2 to 8 fields, a path"
                  + " nests 2 to 6 ([several fields](records.md#several-fields)). `tags[]` counts each"
                  + " item of an array, with unit user. `$topic` and `$header.NAME` are allowed with"
                  + " units user and dataset.")
          .example("reason");

  /** In an output: which of the records it is about. */
  static final FieldSpec<JsonNode> OWN_WHERE =
      WHERE
          .optional("none: all records that `input.where` selects")
          .means(
              "Which of the records that `input.where` selects this output is about"
                  + " ([filters](records.md#filters)). Records that it does not mean take no room"
                  + " from those that it means.")
          .units(PrivacyUnit.USER)
          .where("with listed categories and subjects")
          .example("{type: order}");

  /** In an output: what it counts by. */
  static final FieldSpec<String> OWN_CATEGORY =
      FieldSpec.typed("category", FieldTypes.recordField(", $topic or $header.NAME"))
          .optional("`input.category`")
          .means(
              "The field of this output's category, in place of `input.category`. A record without a"
                  + " known value does not count in this output, and is no dead letter.")
          .units(PrivacyUnit.USER)
          .where("with listed categories and subjects")
          .example("product");

  static final FieldSpec<?> OWN_CATEGORIES =
      FieldSpec.typed(
              "categories",
              new Shape("a list of 2 to 10,000 names", FieldTypes.array(FieldTypes.texts())))
          .optional("required with `category`")
          .means("The categories of this output, in an order that is part of the state.")
          .units(PrivacyUnit.USER)
          .where("with `category` in this output")
          .example("[tea, coffee]");

  static final FieldSpec<String> OWN_OTHER =
      OTHER
          .optional("none: records with unknown values do not count in this output")
          .means("A category of this output that takes all unknown values.")
          .units(PrivacyUnit.USER)
          .where("with `category` in this output");

  /** What an output may say of the records that it is about. */
  public static final List<FieldSpec<?>> OF_OUTPUT =
      List.of(OWN_WHERE, OWN_CATEGORY, OWN_CATEGORIES, OWN_OTHER);

  private InputFields() {}

  /**
   * All of them.
   *
   * @param discovery section of the output that finds categories
   */
  public static Section section(Section discovery) {
    return Section.of(
        "The topic of the records, and which of their fields count.",
        TOPIC,
        FORMAT,
        SUBJECT,
        USER,
        TIME,
        TIME_FORMAT,
        ZONE,
        KEY_FORMAT,
        CATEGORY,
        categories(discovery),
        OTHER,
        VALUES,
        WEIGHT,
        WHERE,
        ID,
        MAX_BYTES);
  }

  private static Shape names() {
    return new Shape(
        "a value, or a list of them", FieldTypes.anyOf(List.of(name(), FieldTypes.array(name()))));
  }

  private static ObjectNode name() {
    return FieldTypes.plain().put("minLength", 1);
  }

  private static FieldSpec<?> categories(Section discovery) {
    ObjectNode names = FieldTypes.array(FieldTypes.texts());
    ObjectNode within = FieldTypes.map(FieldTypes.type("object"));
    within.set("additionalProperties", FieldTypes.anyOf(List.of(names, FieldTypes.type("object"))));
    within.putObject("properties").set("discover", discovery.schema());
    return FieldSpec.typed(
            "categories",
            new Shape(
                    "a list of 2 to 10,000 names; a mapping of fields to lists; or {discover: {…}}",
                    FieldTypes.anyOf(List.of(names, within)))
                .part(".discover", discovery))
        .optional("required with `category`")
        .means(
            "The categories, in an order that is part of the state. `discover` finds them privately"
                + " ([guide](../guides/top-products.md)). Several fields have a list each"
                + " ([several fields](records.md#several-fields)).")
        .example("[emergency, planned]");
  }
}
