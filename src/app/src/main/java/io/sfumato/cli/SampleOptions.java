// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.client.EventTimes;
import io.sfumato.client.Rehearsal;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.record.KeyFormat;
import io.sfumato.record.TimeFormat;
import io.sfumato.record.TimeFormatGuess;
import io.sfumato.record.TimeReader;
import io.sfumato.record.ValueFormats;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.SchemaRegistries;
import io.sfumato.scaffold.Choices;
import io.sfumato.scaffold.DraftCheck;
import io.sfumato.scaffold.FieldRoles;
import io.sfumato.scaffold.SampleRecords;
import io.sfumato.scaffold.TimeField;
import io.sfumato.scaffold.WholeSample;
import io.sfumato.serde.RecordTrees;
import io.sfumato.serde.SchemaSource;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which records a new file is drafted from, if any, and how their times are read. */
final class SampleOptions {
  @Option(
      names = "--csv",
      paramLabel = "FILE",
      description = "CSV in UTF-8 to look at, plain or gzipped.")
  Optional<Path> csv = Optional.empty();

  @Option(
      names = "--from-topic",
      paramLabel = "TOPIC",
      description =
          "Topic to look at: of JSON, or of Avro, JSON Schema or Protobuf through a registry that"
              + " --config names.")
  Optional<String> fromTopic = Optional.empty();

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description =
          "Zone of times without an offset, such as Europe/Berlin or UTC; with --csv 'produce'"
              + " takes the same option.")
  private Optional<ZoneId> zone = Optional.empty();

  @Option(
      names = "--time-format",
      paramLabel = "FORMAT",
      description =
          "How times are written: auto, iso, epoch-s, epoch-ms, epoch-us, epoch-ns, or a pattern"
              + " such as 'dd.MM.yyyy HH:mm'; by default what the records look like.")
  private Optional<String> format = Optional.empty();

  @Mixin private CellOptions cells;

  /** Refuses what cannot be looked at together. */
  void require() throws RefusedException {
    if (csv.isPresent() && fromTopic.isPresent()) {
      throw DraftCheck.wrong("--csv, --from-topic: give only one of them");
    }
    if (csv.isEmpty() && !cells.isEmpty()) {
      throw DraftCheck.wrong("--text and --number need a CSV file: give --csv FILE");
    }
    if (format.isPresent()) {
      parsed(format.get());
    }
  }

  /** Refuses options about columns that hold no names. */
  void require(FieldRoles fields) throws RefusedException {
    cells.require(fields.named());
  }

  /** Whether there are any. */
  boolean looks() {
    return csv.isPresent() || fromTopic.isPresent();
  }

  SampleRecords look(ClusterOptions cluster) throws RefusedException {
    if (csv.isPresent()) {
      return SampleRecords.ofCsv(csv.get());
    }
    return fromTopic.isPresent()
        ? SampleRecords.ofTopic(fromTopic.get(), cluster.reach(Map.of()), trees(cluster))
        : SampleRecords.none();
  }

  /** What is looked at, by its name: receipts have it. */
  String name() {
    return csv.map(file -> "csv " + file.getFileName())
        .or(() -> fromTopic.map(topic -> "topic " + topic))
        .orElse("none");
  }

  /** All of it. */
  WholeSample whole(ClusterOptions cluster) throws RefusedException {
    return csv.isPresent()
        ? WholeSample.ofCsv(csv.get(), cells.rules(EventTimes.withOffsets()))
        : WholeSample.ofTopic(fromTopic.orElseThrow(), cluster.reach(Map.of()), trees(cluster));
  }

  private static RecordTrees trees(ClusterOptions cluster) throws RefusedException {
    KafkaSettings settings = cluster.reach(Map.of());
    return new RecordTrees(SchemaRegistries.of(settings), SchemaRegistries.isNamed(settings));
  }

  /**
   * How the pipeline reads times: in the format that fits most of them, and those without an offset
   * in a zone that somebody must say.
   */
  TimeField time(SampleRecords sample, String field, Choices choices) throws RefusedException {
    TimeFormat written =
        format.isPresent() ? parsed(format.get()) : proposed(sample, field, choices);
    if (zone.isEmpty() && DraftCheck.lacksOffsets(sample, field, written)) {
      zone = Optional.of(askedZone(field, choices));
    }
    // Of the usual format, 'produce' adds the offset.
    boolean added = csv.isPresent() && written instanceof TimeFormat.Auto;
    return new TimeField(field, written, added ? Optional.empty() : zone);
  }

  /** How 'produce' reads the times of a file. */
  EventTimes times(TimeField time) {
    return EventTimes.of(
        Optional.empty(),
        zone,
        new ValueFormats(new TimeReader(time.format(), time.zone()), KeyFormat.TEXT),
        WindowSpec.MAX_AHEAD);
  }

  private static TimeFormat parsed(String word) throws RefusedException {
    try {
      return TimeFormat.of(word);
    } catch (IllegalArgumentException e) {
      throw DraftCheck.wrong(
          "--time-format: found '%s', allowed is %s".formatted(word, e.getMessage()));
    }
  }

  private static TimeFormat proposed(SampleRecords sample, String field, Choices choices)
      throws RefusedException {
    List<TimeFormat> fitting = TimeFormatGuess.of(sample.values(field)).formats();
    if (fitting.size() > 1) {
      String words =
          fitting.stream().map(TimeFormat::word).collect(Collectors.joining("' or '", "'", "'"));
      return parsed(
          choices.decide(
              "format of the times in field '%s', which may be %s,".formatted(field, words),
              Optional.empty(),
              Optional.empty(),
              "--time-format",
              "time-format"));
    }
    if (fitting.isEmpty() || fitting.get(0) instanceof TimeFormat.Auto) {
      return new TimeFormat.Auto();
    }
    choices.guess("time-format");
    return fitting.get(0);
  }

  private static ZoneId askedZone(String field, Choices choices) throws RefusedException {
    String said =
        choices.decide(
            "zone of times without an offset (field '%s')".formatted(field),
            Optional.empty(),
            Optional.empty(),
            "--zone, such as --zone Europe/Berlin",
            "zone");
    try {
      return ZoneId.of(said);
    } catch (DateTimeException e) {
      throw DraftCheck.wrong(
          "'%s' is not a time zone such as Europe/Berlin, UTC or +02:00".formatted(said));
    }
  }

  /** The same records, read with the file that was drafted. */
  Rehearsal rehearse(
      Pipeline pipeline, SampleRecords sample, EventTimes times, ClusterOptions cluster)
      throws RefusedException {
    if (csv.isPresent()) {
      return Rehearsal.ofCsv(pipeline, csv.get(), cells.rules(times), SampleRecords.MOST);
    }
    return Rehearsal.ofRecords(
        pipeline,
        sample.originals(),
        fromTopic.isPresent() ? SchemaRegistries.of(cluster.reach(Map.of())) : SchemaSource.none());
  }

  /**
   * Options with which 'produce' reads the file alike.
   *
   * @param file what the pipeline file says of times
   */
  List<String> reading(TimeField file, EventTimes times) {
    List<String> options = new ArrayList<>();
    times
        .zone()
        .filter(id -> file.zone().isEmpty())
        .ifPresent(id -> options.addAll(List.of("--zone", id.toString())));
    options.addAll(cells.typed());
    return options;
  }

  /** As they are typed again. */
  List<String> typed() {
    List<String> options = new ArrayList<>();
    csv.ifPresent(path -> options.addAll(List.of("--csv", path.toString())));
    fromTopic.ifPresent(name -> options.addAll(List.of("--from-topic", name)));
    zone.ifPresent(id -> options.addAll(List.of("--zone", id.toString())));
    format.ifPresent(word -> options.addAll(List.of("--time-format", word)));
    options.addAll(cells.typed());
    return options;
  }
}
