// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.docs.reference;

import static io.sfumato.docs.reference.Markdown.code;
import static io.sfumato.docs.reference.Markdown.link;
import static io.sfumato.docs.reference.Markdown.words;

import io.sfumato.topology.context.Names;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/** docs/reference/outputs.md, from the public schemas. */
final class OutputsPage {
  private static final Path SCHEMAS = Path.of("schemas");

  /** What other schemas refer to. */
  private static final List<String> SHARED = List.of("Guarantee", "Estimate");

  /**
   * Records that have a heading in common.
   *
   * @param topic where they are, with key and headers, as Markdown
   */
  private record Group(String heading, String topic, List<String> records) {}

  private static final List<Group> GROUPS =
      List.of(
          new Group(
              "Releases",
              "A release is published to the topic of its output. The key is the subject in UTF-8."
                  + " Its [headers](#headers) name draw, guarantee and version.",
              List.of(
                  "CountRelease",
                  "HistoryCountRelease",
                  "MeanRelease",
                  "BoundsRelease",
                  "QuantileRelease",
                  "TableRelease",
                  "NamesRelease",
                  "TopRelease",
                  "SubjectRelease",
                  "DirichletRelease",
                  "HistoryRelease",
                  "FeatureRelease",
                  "MollifiedSample")),
          new Group(
              "Parts of outputs",
              "These records are in several outputs.",
              List.of("Guarantee", "Estimate")),
          new Group(
              "Refusals, progress and dead letters",
              "`NAME-refusals` has refusals: the key is the subject, and a [header](#headers) names"
                  + " the version. `NAME-released` says how far windows are released: the key is the"
                  + " partition. `NAME-dead-letters` has dead letters: the key is"
                  + " `TOPIC-PARTITION` of the refused record, and there are no headers. NAME is the"
                  + " name of the pipeline.",
              List.of("Refusal", "ReleasedThrough", "DeadLetter")),
          new Group(
              "Queries",
              "A modeller sends candidates to `NAME-candidates`; only the value is read. Answers are"
                  + " published to the topic of the abc output, with key and [headers](#headers) of"
                  + " a release. `sfumato query` does both.",
              List.of("AbcCandidate", "AbcDecision", "AbcWeight")),
          new Group(
              "What producers and operators send",
              "Producers write records to `input.topic`: JSON, Avro of a schema registry, or Avro's"
                  + " single-object encoding of `UserRecord`. The key is read only if the file says"
                  + " `$key`. A record with the [header](#headers) of a tick is a tick and no event."
                  + " Commands of operators write `ControlEntry` to `NAME-control`.",
              List.of("UserRecord", "ControlEntry")));

  private final Map<String, Schema> schemas;

  /** Records within others that have their section. */
  private final Set<String> written = new HashSet<>();

  private OutputsPage(Map<String, Schema> schemas) {
    this.schemas = schemas;
  }

  /** Records of the folder that no group has, and the other way round. */
  static List<String> ungrouped() throws IOException {
    List<String> found = new ArrayList<>(read().keySet());
    GROUPS.forEach(group -> found.removeAll(group.records()));
    return found;
  }

  static String text() throws IOException {
    return new OutputsPage(read()).page();
  }

  private static Map<String, Schema> read() throws IOException {
    Schema.Parser parser = new Schema.Parser();
    Map<String, Schema> schemas = new LinkedHashMap<>();
    try (Stream<Path> files = Files.list(SCHEMAS)) {
      List<String> all =
          files
              .map(file -> file.getFileName().toString())
              .filter(file -> file.endsWith(".avsc"))
              .map(file -> file.replace(".avsc", ""))
              .sorted()
              .toList();
      for (String name : Stream.concat(SHARED.stream(), all.stream()).distinct().toList()) {
        schemas.put(name, parser.parse(SCHEMAS.resolve(name + ".avsc").toFile()));
      }
    }
    return schemas;
  }

  private String page() {
    Markdown page =
        new Markdown(
            "Outputs",
            "This page is for developers and analysts who read what a pipeline publishes, and for"
                + " developers who write what it reads. It lists every field of every record. How"
                + " to connect a client: [read outputs](../guides/read-outputs.md). How to read"
                + " intervals: [intervals](../concepts/intervals.md).",
            "schemas/*.avsc");
    page.paragraph(
        "Records are JSON or Avro, as `format` says. In JSON, `type` names the record, and times are"
            + " ISO-8601.");
    for (Group group : GROUPS) {
      page.heading(2, group.heading()).paragraph(group.topic());
      page.table(
          List.of("record", "what it is"),
          group.records().stream()
              .map(name -> List.of(link(name), words(schemas.get(name).getDoc())))
              .toList());
      group.records().forEach(name -> section(page, schemas.get(name), 3));
    }
    headers(page);
    return page.toString();
  }

  /** A record's fields, then the records that are declared within it. */
  private void section(Markdown page, Schema schema, int level) {
    page.heading(level, schema.getName()).paragraph(words(schema.getDoc()));
    page.table(
        List.of("field", "type", "meaning"),
        schema.getFields().stream()
            .map(field -> List.of(code(field.name()), type(field.schema()), words(field.doc())))
            .toList());
    for (Schema nested : nested(schema)) {
      section(page, nested, level + 1);
    }
  }

  /** Records within it that no section is about yet. */
  private List<Schema> nested(Schema schema) {
    return schema.getFields().stream()
        .flatMap(field -> parts(field.schema()))
        .filter(part -> !schemas.containsKey(part.getName()) && written.add(part.getName()))
        .toList();
  }

  /** Records within a type, without those within these. */
  private static Stream<Schema> parts(Schema schema) {
    return switch (schema.getType()) {
      case RECORD -> Stream.of(schema);
      case ARRAY -> parts(schema.getElementType());
      case UNION -> schema.getTypes().stream().flatMap(OutputsPage::parts);
      default -> Stream.empty();
    };
  }

  private static String type(Schema schema) {
    return switch (schema.getType()) {
      case RECORD -> link(schema.getName());
      case ENUM ->
          schema.getName().equals("RefusalCode")
              ? "[code](codes.md#refusals)"
              : schema.getEnumSymbols().stream()
                  .map(Markdown::code)
                  .collect(Collectors.joining(", "));
      case ARRAY -> "list of " + type(schema.getElementType());
      case UNION ->
          schema.getTypes().stream()
                  .filter(each -> each.getType() != Schema.Type.NULL)
                  .map(OutputsPage::type)
                  .collect(Collectors.joining(" or "))
              + (schema.isNullable() ? " or null" : "");
      case LONG ->
          schema.getLogicalType() instanceof LogicalTypes.TimestampMillis
              ? "time: long, milliseconds since 1970 (UTC)"
              : "long";
      default -> schema.getType().getName();
    };
  }

  private static void headers(Markdown page) {
    page.heading(2, "Headers")
        .table(
            List.of("header", "of", "value"),
            List.of(
                List.of(
                    code(Names.RELEASE_ID_HEADER),
                    "releases and answers",
                    "`release_id`, which identifies the draw permanently."),
                List.of(
                    code(Names.VERSION_HEADER),
                    "releases, answers and refusals",
                    "Version of the pipeline file."),
                List.of(
                    code(Names.GUARANTEE_HEADER),
                    "releases and answers",
                    "SHA-256, in hexadecimal digits, of the release's `guarantee` as compact JSON"
                        + " (no spaces, fields in the order of the schema). Guarantees with the"
                        + " same digest are equal."),
                List.of(
                    code(Names.TICK_HEADER),
                    "ticks",
                    "A signed time, or a bare one if the file says `ticks: trusted`"
                        + " ([write ticks](../guides/read-outputs.md#write-ticks)).")));
  }
}
