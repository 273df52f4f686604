// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.client.CsvEvents;
import io.sfumato.client.EventFields;
import io.sfumato.pipeline.EnumWords;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.RecordFilter;
import io.sfumato.pipeline.Selections;
import io.sfumato.record.KeyFormat;
import io.sfumato.record.RecordPart;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which columns of a CSV hold what, and as what its lines are sent. */
final class ColumnOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--subject",
      paramLabel = "COLUMN",
      description = "Column of the subject; by default the pipeline file's field, or 'subject'.")
  private Optional<String> subject = Optional.empty();

  @Option(
      names = "--time",
      paramLabel = "COLUMN",
      description =
          "Column of the event time, ISO-8601 or milliseconds since 1970; by default the pipeline"
              + " file's field, or 'time'.")
  private Optional<String> time = Optional.empty();

  @Option(names = "--category", paramLabel = "COLUMN", description = "Column of the category.")
  private Optional<String> category = Optional.empty();

  @Option(
      names = "--user",
      paramLabel = "COLUMN",
      description = "Column of the user, where many users feed one subject.")
  private Optional<String> user = Optional.empty();

  @Option(
      names = "--values",
      split = ",",
      paramLabel = "COLUMN",
      description = "Columns of numbers, in the order of 'input.values'.")
  private List<String> values = List.of();

  @Option(
      names = "--weight",
      paramLabel = "COLUMN",
      description = "Column of the weight, where a record counts as more than one.")
  private Optional<String> weight = Optional.empty();

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "Format without a pipeline file: json or avro (UserRecord); by default json.")
  private Optional<CsvEvents.Encoding> encoding = Optional.empty();

  EventFields fields(Optional<Pipeline> pipeline) {
    if (pipeline.isPresent()) {
      try {
        return EventFields.of(
            pipeline.get(), new EventFields.Columns(subject, time, category, values, weight, user));
      } catch (IllegalArgumentException e) {
        throw wrong(e.getMessage());
      }
    }
    if (category.isEmpty() && values.isEmpty()) {
      throw wrong("give --category COLUMN, --values COLUMN,..., or both");
    }
    if (user.isPresent() && encoding.equals(Optional.of(CsvEvents.Encoding.AVRO))) {
      throw wrong("--user: UserRecord has no user field; use --format json");
    }
    if (weight.isPresent() && encoding.equals(Optional.of(CsvEvents.Encoding.AVRO))) {
      throw wrong("--weight: UserRecord has no weight field; use --format json");
    }
    return EventFields.of(
        subject.orElse("subject"), time.orElse("time"), category, values, weight, user);
  }

  /**
   * How they are sent.
   *
   * @param file of the pipeline
   */
  CsvEvents.Encoding encoding(Optional<Pipeline> pipeline, Optional<Path> file)
      throws RefusedException {
    if (pipeline.isEmpty()) {
      return encoding.orElse(CsvEvents.Encoding.JSON);
    }
    if (encoding.isPresent()) {
      throw wrong("--format: only with --topic; with a pipeline file, input.format decides");
    }
    refuseUnwritable(pipeline.get(), file.orElseThrow());
    if (pipeline.get().input().format() == InputSpec.Format.JSON) {
      return CsvEvents.Encoding.JSON;
    }
    if (!CsvEvents.isUserRecord(pipeline.get())) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          file.get()
              + ": reads Avro records of another schema; produce writes UserRecord only, with "
              + "the fields subject, at, category and values.0, values.1, ...");
    }
    return CsvEvents.Encoding.AVRO;
  }

  /** What the file reads, and produce does not write. */
  private static void refuseUnwritable(Pipeline pipeline, Path file) throws RefusedException {
    InputSpec input = pipeline.input();
    boolean keyed =
        InputSpec.isKey(input.subject())
            || pipeline.population().map(Population::user).filter(InputSpec::isKey).isPresent();
    Optional<String> other =
        Stream.of(
                unwritableTime(input),
                surroundings(pipeline)
                    .map("%s, but produce writes fields of the value alone"::formatted),
                unwritableKeys(input, keyed),
                unwritableValues(input))
            .flatMap(Optional::stream)
            .findFirst();
    if (other.isPresent()) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "%s: has %s; publish such records with your own client".formatted(file, other.get()));
    }
  }

  private static Optional<String> unwritableTime(InputSpec input) {
    return input.timePart() instanceof RecordPart.Field
        ? Optional.empty()
        : Optional.of(
            "input.time %s, but produce writes times into a field".formatted(input.time()));
  }

  private static Optional<String> unwritableKeys(InputSpec input, boolean keyed) {
    return keyed && input.formats().keys() != KeyFormat.TEXT
        ? Optional.of(
            "input.key-format %s, but produce writes keys as text"
                .formatted(input.formats().keys().word()))
        : Optional.empty();
  }

  private static Optional<String> unwritableValues(InputSpec input) {
    return switch (input.format()) {
      case JSON_SCHEMA, PROTOBUF ->
          Optional.of(
              "input.format %s, but produce does not register schemas"
                  .formatted(EnumWords.word(input.format())));
      default -> Optional.empty();
    };
  }

  /** A part beside the value that the file reads, and produce does not write. */
  private static Optional<String> surroundings(Pipeline pipeline) {
    InputSpec input = pipeline.input();
    List<String> parts = new ArrayList<>();
    Selections.of(pipeline).inputs().forEach(selection -> parts.addAll(selection.categoryFields()));
    parts.add(input.subject());
    pipeline.population().map(Population::user).ifPresent(parts::add);
    input.id().ifPresent(parts::add);
    Stream<String> read =
        parts.stream()
            .filter(
                part ->
                    RecordPart.of(part) instanceof RecordPart.Header
                        || RecordPart.of(part) instanceof RecordPart.Topic);
    return Stream.concat(
            read,
            Selections.of(pipeline).inputs().stream()
                .flatMap(selection -> selection.where().onSurroundings().stream())
                .map(RecordFilter.Condition::part))
        .findFirst();
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
