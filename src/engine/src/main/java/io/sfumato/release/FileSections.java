// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.pipeline.BudgetReader;
import io.sfumato.pipeline.ContributionsReader;
import io.sfumato.pipeline.DerivedKind;
import io.sfumato.pipeline.EnumWords;
import io.sfumato.pipeline.FeaturesReader;
import io.sfumato.pipeline.FieldSpec;
import io.sfumato.pipeline.FieldTypes;
import io.sfumato.pipeline.InputFields;
import io.sfumato.pipeline.OutputFormat;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.ReleaseKind;
import io.sfumato.pipeline.Section;
import io.sfumato.pipeline.SubjectsField;
import io.sfumato.pipeline.ValueType.Shape;
import io.sfumato.pipeline.ValueType.Word;
import io.sfumato.pipeline.WindowReader;
import java.util.ArrayList;
import java.util.List;

/** Every field of the pipeline file. */
public final class FileSections {
  static final FieldSpec<String> PIPELINE =
      FieldSpec.typed("pipeline", FieldTypes.NAME)
          .means(
              "Name of the pipeline, and prefix of its topics `NAME-refusals`, `NAME-released`, `NAME-dead-letters`, `NAME.rows`,"
                  + " `NAME-control`, `NAME-candidates` and `NAME-registry`. It does not start with"
                  + " `sfumato-`.")
          .example("wards");

  static final FieldSpec<Integer> VERSION =
      FieldSpec.count("version", 1, 1_000_000)
          .byDefault(1)
          .means(
              "Every change that affects what is released needs a higher one, announced with `sfumato"
                  + " activate` ([guide](../guides/change-a-pipeline.md)).")
          .example("2");

  static final FieldSpec<Integer> RESERVOIR =
      FieldSpec.count("reservoir", 1, 10_000)
          .byDefault(256)
          .means("The most records that are kept of a dataset with numbers.")
          .where("with `input.values` and a `mollifier`, or quantiles of an `abc`")
          .example("500");

  static final FieldSpec<OutputFormat> FORMAT =
      FieldSpec.word(
              "format",
              new Word<>(EnumWords.either("avro", OutputFormat.AVRO, "json", OutputFormat.JSON))
                  .means("avro", "single-object encoding of the schemas in `schemas/`.")
                  .means("json", "JSON with the same fields."))
          .byDefault(OutputFormat.JSON, "json")
          .means(
              "How outputs are encoded ([guide](../guides/read-outputs.md)). `avro` is the default"
                  + " with `schemas: registry`.")
          .example("avro");

  static final FieldSpec<String> SCHEMAS =
      FieldSpec.word(
              "schemas",
              new Word<>(EnumWords.of("embedded", "registry"))
                  .means(
                      "registry", "Confluent's wire format; registers schemas as `TOPIC-value`."))
          .byDefault("embedded")
          .means("Where consumers find the outputs' schemas.")
          .where("with format `avro`")
          .example("registry");

  static final FieldSpec<Pipeline.Rows> ROWS =
      FieldSpec.word(
              "rows",
              EnumWords.either("true", Pipeline.Rows.PUBLISHED, "false", Pipeline.Rows.NONE))
          .byDefault(Pipeline.Rows.NONE, "false")
          .means(
              "Whether the rows of all outputs are published to `NAME.rows`, in a form that a JDBC"
                  + " sink takes as it is ([rows](rows.md#the-topic-of-rows)).")
          .example("true");

  static final FieldSpec<?> KAFKA =
      FieldSpec.typed(
              "kafka",
              new Shape(
                  "a mapping of Kafka properties to values", FieldTypes.map(FieldTypes.plain())))
          .optional()
          .means(
              "Properties of the Kafka clients and Kafka Streams ([Kafka"
                  + " properties](records.md#kafka-properties)).")
          .example("{security.protocol: SSL}");

  private static final Section DISCOVERED_SUBJECTS = placed("subjects.discover");

  private static final Section DISCOVERED_NAMES = placed("input.categories.discover");

  static final FieldSpec<?> SUBJECTS = SubjectsField.spec(DISCOVERED_SUBJECTS);

  static final FieldSpec<Section> INPUT = section("input", InputFields.section(DISCOVERED_NAMES));

  static final FieldSpec<Section> WINDOW = section("window", WindowReader.SECTION);

  static final FieldSpec<Section> BUDGET = section("budget", BudgetReader.SECTION);

  /** An entry of {@code releases:}: one of these has the word of a kind. */
  static final Section RELEASE = release();

  static final FieldSpec<?> RELEASES =
      FieldSpec.typed("releases", FieldTypes.choices(ReleasesReader.allowed(), RELEASE))
          .optional("required, unless `discover` finds subjects or categories")
          .means("What is released: a list of outputs, each of one kind.")
          .example("[{count: {…}}]");

  private static final Section FILE =
      Section.of(
          "Its fields at the top level.",
          PIPELINE,
          VERSION,
          INPUT,
          SUBJECTS,
          ContributionsReader.FIELD,
          WINDOW,
          BUDGET,
          RELEASES,
          FeaturesReader.FIELD,
          RESERVOIR,
          FORMAT,
          SCHEMAS,
          ROWS,
          KAFKA);

  private FileSections() {}

  /** The whole file. */
  public static Section file() {
    return FILE;
  }

  /** Entries of {@code releases:}, by the words of their kinds. */
  public static Section releases() {
    return RELEASE;
  }

  private static FieldSpec<Section> section(String name, Section section) {
    return FieldSpec.section(name, section).means(section.meaning()).example("{…}");
  }

  private static Section placed(String path) {
    return Releases.kinds().stream()
        .filter(kind -> kind.place().filter(place -> place.section().equals(path)).isPresent())
        .findFirst()
        .map(ReleaseSections::of)
        .orElseThrow();
  }

  private static Section release() {
    List<FieldSpec<?>> kinds = new ArrayList<>();
    for (ReleaseKind kind : ReleasesReader.listed()) {
      kinds.add(kind(kind.word(), ReleaseSections.of(kind)));
    }
    for (DerivedKind kind : Releases.derived()) {
      kinds.add(kind(kind.word(), ReleaseSections.of(kind)));
    }
    return new Section("An output, of one kind.", kinds);
  }

  private static FieldSpec<Section> kind(String word, Section section) {
    return FieldSpec.section(word, section).optional().means(section.meaning()).example("{…}");
  }
}
