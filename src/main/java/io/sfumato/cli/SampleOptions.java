// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.client.EventTimes;
import io.sfumato.client.Rehearsal;
import io.sfumato.draft.Choices;
import io.sfumato.draft.DraftCheck;
import io.sfumato.draft.Sample;
import io.sfumato.draft.WholeSample;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.runtime.RefusedException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which records a new file is drafted from, if any, and how their times are read. */
final class SampleOptions {
  @Option(
      names = "--csv",
      paramLabel = "FILE",
      description = "CSV in UTF-8 to look at, plain or gzipped.")
  Optional<Path> csv = Optional.empty();

  @Option(names = "--from-topic", paramLabel = "TOPIC", description = "Topic of JSON to look at.")
  Optional<String> fromTopic = Optional.empty();

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description =
          "With --csv: zone of times without an offset, such as Europe/Berlin or UTC; 'produce' takes"
              + " the same option.")
  private Optional<ZoneId> zone = Optional.empty();

  /** Refuses what cannot be looked at together. */
  void require() throws RefusedException {
    if (csv.isPresent() && fromTopic.isPresent()) {
      throw DraftCheck.wrong("--csv and --from-topic: look at one of them");
    }
    if (zone.isPresent() && fromTopic.isPresent()) {
      throw DraftCheck.wrong(
          "--zone: records of a topic are read as they are; whoever writes them adds the offset");
    }
  }

  /** Whether there are any. */
  boolean looks() {
    return csv.isPresent() || fromTopic.isPresent();
  }

  Sample look(ClusterOptions cluster) throws RefusedException {
    if (csv.isPresent()) {
      return Sample.ofCsv(csv.get());
    }
    return fromTopic.isPresent()
        ? Sample.ofTopic(fromTopic.get(), cluster.reach(Map.of()))
        : Sample.none();
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
        ? WholeSample.ofCsv(csv.get())
        : WholeSample.ofTopic(fromTopic.orElseThrow(), cluster.reach(Map.of()));
  }

  /** How times are read: those without an offset are in a zone that somebody must say. */
  EventTimes times(Sample sample, String field, Choices choices) throws RefusedException {
    if (zone.isEmpty() && DraftCheck.lacksOffsets(sample, field)) {
      zone = Optional.of(askedZone(field, choices));
    }
    return EventTimes.in(zone, WindowSpec.MAX_AHEAD);
  }

  private ZoneId askedZone(String field, Choices choices) throws RefusedException {
    if (fromTopic.isPresent()) {
      throw DraftCheck.wrong(
          "times in field '%s' carry no offset, so that each record would be a dead letter: whoever writes them adds it, as in 2026-01-05T12:00:00+01:00, or writes milliseconds since 1970"
              .formatted(field));
    }
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
          "'%s' is no zone, such as Europe/Berlin, UTC or +02:00".formatted(said));
    }
  }

  /** The same records, read with the file that was drafted. */
  Rehearsal rehearse(Pipeline pipeline, Sample sample, EventTimes times) throws RefusedException {
    return csv.isPresent()
        ? Rehearsal.ofCsv(pipeline, csv.get(), times, Sample.MOST)
        : Rehearsal.ofRecords(pipeline, sample.originals());
  }

  /** As they are typed again. */
  List<String> typed() {
    List<String> options = new ArrayList<>();
    csv.ifPresent(path -> options.addAll(List.of("--csv", path.toString())));
    fromTopic.ifPresent(name -> options.addAll(List.of("--from-topic", name)));
    zone.ifPresent(id -> options.addAll(List.of("--zone", id.toString())));
    return options;
  }
}
