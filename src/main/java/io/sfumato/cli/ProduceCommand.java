// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.client.CsvEvents;
import io.sfumato.client.EventFields;
import io.sfumato.client.EventPublisher;
import io.sfumato.client.EventTimes;
import io.sfumato.client.ReplayTicks;
import io.sfumato.client.Speed;
import io.sfumato.console.Progress;
import io.sfumato.console.Terminal;
import io.sfumato.console.Visible;
import io.sfumato.pipeline.Amount;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.release.PipelineFile;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.serde.TickHeader;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "produce",
    mixinStandardHelpOptions = true,
    description = {
      "Publishes the rows of a CSV file as events, keyed by their subject.",
      "With a pipeline file: topic, format and fields are the file's, and under 'clock: ticks' the"
          + " ticks of a live source go between the events, so that history goes through at once and"
          + " the windows that it fills close."
    },
    footer = {
      "",
      "Examples:",
      "  sfumato produce topology/diary.yaml --csv diary.csv.gz",
      "      columns that are not named like the file's fields: --subject COLUMN, --time COLUMN, ...",
      "  sfumato produce topology/diary.yaml --csv diary.csv.gz --speed 86400x",
      "  sfumato produce --topic diary --csv diary.csv.gz --subject patient --time timestamp --category code"
    })
final class ProduceCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private ClusterOptions cluster;

  @Mixin private TickOptions signing;

  @Mixin private JsonOrText output;

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description = "Pipeline file that reads the events.")
  private Optional<Path> file = Optional.empty();

  @Option(names = "--topic", description = "Topic, without a pipeline file; made if it is missing.")
  private Optional<String> topic = Optional.empty();

  @Option(
      names = "--csv",
      required = true,
      paramLabel = "FILE",
      description = "CSV, plain or gzipped.")
  private Path csv;

  @Option(
      names = "--subject",
      paramLabel = "COLUMN",
      description = "Column of the subject; by default the pipeline file's field, or 'subject'.")
  private Optional<String> subject = Optional.empty();

  @Option(
      names = "--time",
      paramLabel = "COLUMN",
      description =
          "Column of the event time, ISO-8601 or milliseconds since 1970; by default the pipeline file's field,"
              + " or 'time'.")
  private Optional<String> time = Optional.empty();

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description =
          "Zone of times without an offset, such as Europe/Berlin or UTC; they are sent with their"
              + " offset. By default such lines are refused.")
  private Optional<ZoneId> zone = Optional.empty();

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
      names = "--format",
      description = "json or avro (UserRecord), without a pipeline file; by default json.")
  private Optional<CsvEvents.Encoding> encoding = Optional.empty();

  @Option(
      names = "--speed",
      description =
          "max, a rate such as 500/s, or a factor of event time such as 3600x; by default max.")
  private String speed = "max";

  @Option(
      names = "--as-is",
      description =
          "Keep the file's order. By default events are sent in event-time order, because the subjects of a partition share its clock.")
  private boolean asIs;

  @Option(
      names = "--no-ticks",
      description = "Write no ticks: somebody else does, between these events.")
  private boolean noTicks;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      description =
          "PUBLIC end of the history: the last tick stands there, whatever the last record is. By"
              + " default behind the last record, which shows where the file ends.")
  private Optional<Instant> until = Optional.empty();

  @Option(names = "--partitions", description = "Of a topic that is made; by default 2.")
  private int partitions = 2;

  @Override
  public Integer call() throws PipelineFileException, RefusedException {
    Optional<Pipeline> pipeline =
        file.isPresent() ? Optional.of(PipelineFile.read(file.get())) : Optional.empty();
    String to = pipeline.map(p -> p.input().topic()).or(() -> topic).orElse("");
    if (file.isPresent() == topic.isPresent()) {
      throw wrong("give a pipeline FILE, or --topic TOPIC");
    }
    Speed pace = pace();
    CsvEvents events =
        CsvEvents.read(
            csv,
            fields(pipeline),
            asIs ? CsvEvents.Order.AS_IS : CsvEvents.Order.EVENT_TIME,
            encoding(pipeline),
            EventTimes.in(
                zone, pipeline.map(p -> p.window().maxAhead()).orElse(WindowSpec.MAX_AHEAD)));
    PrintWriter err = Terminal.over(spec.commandLine().getErr());
    events.complaints(csv.getFileName().toString()).forEach(line -> err.println(Visible.of(line)));
    if (events.usable() == 0) {
      err.printf("published nothing: no line of %s is usable%n", Visible.of(csv.toString()));
      return 1;
    }
    KafkaSettings settings =
        cluster.reach(pipeline.map(Pipeline::kafka).orElse(Map.of()), signing.folder());
    Optional<ReplayTicks> ticks = ticks(pipeline);
    TickHeader header =
        ticks.isPresent() && !noTicks
            ? signing.require(pipeline.orElseThrow(), settings)
            : TickHeader.unsigned();
    try (Cluster admin = new Cluster(settings)) {
      admin.createForRecords(to, partitions);
    }
    long ticked = 0;
    long behind = 0;
    try (EventPublisher publisher = new EventPublisher(settings)) {
      try (Progress progress =
          new Progress(Terminal.forProgress(), "publishing", events.events().size())) {
        for (CsvEvents.Row row : events.events()) {
          if (isBehindTheEnd(row, pipeline)) {
            behind++;
            progress.step();
            continue;
          }
          row.time().ifPresent(pace::await);
          if (ticks.isPresent() && row.time().isPresent()) {
            ticked += tick(publisher, to, between(ticks.get(), row.time().get()), header);
          }
          publisher.event(to, row.key(), row.value());
          progress.step();
        }
        if (ticks.isPresent() && !noTicks) {
          ticked +=
              tick(
                  publisher,
                  to,
                  until.isPresent() ? ticks.get().atLimit() : ticks.get().atEnd(),
                  header);
        }
        publisher.flush();
      }
    }
    ObjectNode node =
        JsonOrText.object()
            .put("events", events.events().size() - behind)
            .put("topic", to)
            .put("rejected_lines", events.rejected(CsvEvents.Fate.NOT_SENT))
            .put("dead_events", events.rejected(CsvEvents.Fate.SENT));
    String line = published(events, to, behind);
    if (ticks.isPresent()) {
      node.put("ticks", ticked);
      ticks
          .get()
          .closesNewest()
          .ifPresent(time -> node.put("last_window_closes", Instant.ofEpochMilli(time).toString()));
      node.put("late", ticks.get().late()).put("early", ticks.get().early());
      ReplayNotes notes = new ReplayNotes(pipeline.orElseThrow(), ticks.get());
      line += ", " + Amount.of(ticked, "tick") + " between them" + notes.open();
      notes.dropped(events.events().size() - behind).forEach(System.err::println);
      if (until.isEmpty()) {
        notes.end().ifPresent(System.err::println);
      }
    }
    output.print(node, line);
    return 0;
  }

  /** Nobody ticks so far: it could only be a dead letter. */
  private boolean isBehindTheEnd(CsvEvents.Row row, Optional<Pipeline> pipeline) {
    return until.isPresent()
        && pipeline.isPresent()
        && row.time().isPresent()
        && row.time().get()
            > until.get().toEpochMilli() + pipeline.get().window().ahead().toMillis();
  }

  private static String published(CsvEvents events, String topic, long behind) {
    long dead = events.rejected(CsvEvents.Fate.SENT);
    return "published %s to %s%s, %s not sent"
        .formatted(
            Amount.of(events.events().size() - behind, "event"),
            topic,
            dead == 0
                ? ""
                : " (%s without a usable time or number: the pipeline will say so in its dead letters)"
                    .formatted(Amount.of(dead, "of them is", "of them are")),
            Amount.of(events.rejected(CsvEvents.Fate.NOT_SENT), "line")
                + (behind == 0
                    ? ""
                    : ", nor %s further than window.ahead behind --until"
                        .formatted(Amount.of(behind, "event"))));
  }

  private static long tick(
      EventPublisher publisher, String topic, List<Long> times, TickHeader header)
      throws RefusedException {
    for (long time : times) {
      publisher.tickBetween(topic, time, header);
    }
    return times.size();
  }

  /** Other clocks are moved by the records themselves. */
  private Optional<ReplayTicks> ticks(Optional<Pipeline> pipeline) throws RefusedException {
    if (pipeline.isEmpty()) {
      return Optional.empty();
    }
    WindowSpec window = pipeline.get().window();
    if (window.lacksBegin() && noTicks) {
      return Optional.empty();
    }
    if (window.lacksBegin()) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          file.get()
              + ": field 'window.begin' is missing: without it nobody knows where windows, and their"
              + " ticks, begin. Write it, or publish with --no-ticks");
    }
    if (window.clock() != WindowSpec.Clock.TICKS) {
      if (until.isPresent()) {
        throw wrong("--until: only where ticks close windows");
      }
      return Optional.empty();
    }
    long now = System.currentTimeMillis();
    long limit = Math.min(now, until.map(Instant::toEpochMilli).orElse(now));
    return Optional.of(new ReplayTicks(window, window.begin().getAsLong(), limit));
  }

  private List<Long> between(ReplayTicks ticks, long time) {
    if (noTicks) {
      ticks.without(time);
      return List.of();
    }
    return ticks.before(time);
  }

  private EventFields fields(Optional<Pipeline> pipeline) {
    if (pipeline.isPresent()) {
      try {
        return EventFields.of(
            pipeline.get(), new EventFields.Columns(subject, time, category, values, user));
      } catch (IllegalArgumentException e) {
        throw wrong(e.getMessage());
      }
    }
    if (category.isEmpty() && values.isEmpty()) {
      throw wrong("give --category COLUMN, --values COLUMN,..., or both");
    }
    if (user.isPresent() && encoding.equals(Optional.of(CsvEvents.Encoding.AVRO))) {
      throw wrong("--user: UserRecord has no user; leave --format at json");
    }
    return EventFields.of(subject.orElse("subject"), time.orElse("time"), category, values, user);
  }

  private CsvEvents.Encoding encoding(Optional<Pipeline> pipeline) throws RefusedException {
    if (pipeline.isEmpty()) {
      return encoding.orElse(CsvEvents.Encoding.JSON);
    }
    if (encoding.isPresent()) {
      throw wrong("--format: the pipeline file says it");
    }
    if (pipeline.get().input().format() == InputSpec.Format.JSON) {
      return CsvEvents.Encoding.JSON;
    }
    if (!CsvEvents.isUserRecord(pipeline.get())) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          file.get()
              + ": reads Avro records of a schema of its own; produce writes UserRecord alone, with the"
              + " fields subject, at, category and values.0, values.1, ...");
    }
    return CsvEvents.Encoding.AVRO;
  }

  private Speed pace() {
    try {
      return Speed.parse(speed);
    } catch (IllegalArgumentException e) {
      throw wrong("--speed: " + e.getMessage());
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
