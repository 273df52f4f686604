// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.client.CsvEvents;
import io.sfumato.client.EventFields;
import io.sfumato.client.EventTimes;
import io.sfumato.client.HistoryReplay;
import io.sfumato.client.ReplayNotes;
import io.sfumato.client.ReplayTicks;
import io.sfumato.client.Speed;
import io.sfumato.console.Progress;
import io.sfumato.console.Terminal;
import io.sfumato.pipeline.InputTopics;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.Plurals;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.record.TimeFormat;
import io.sfumato.record.ValueFormats;
import io.sfumato.release.PipelineFile;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.serde.TickHeader;
import io.sfumato.text.ControlCharEscaper;
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
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "produce",
    mixinStandardHelpOptions = true,
    description = {
      "Publishes the rows of a CSV file as events, keyed by their subject.",
      "With a pipeline file: topic, format and fields are the file's, and under 'clock: ticks' the"
          + " ticks of a live source go between the events, so that history goes through at once"
          + " and the windows that it fills close. Under 'ticks: here' the program ticks: only"
          + " recent events are sent, and no ticks."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the usable rows were sent", "1:no row of the file is usable"},
    footer = {
      "",
      "Examples:",
      "  sfumato produce topology/diary.yaml --csv diary.csv.gz",
      "      columns that are not named like the file's fields: --subject COLUMN, --time COLUMN,"
          + " ...",
      "  sfumato produce topology/diary.yaml --csv diary.csv.gz --speed 86400x",
      "  sfumato produce --topic diary --csv diary.csv.gz --subject patient --time timestamp"
          + " --category code"
    })
final class ProduceCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private ClusterOptions cluster;

  @Mixin private TickOptions signing;

  @Mixin private JsonOrText output;

  @Mixin private ColumnOptions columns;

  @Mixin private CellOptions cells;

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description = "Pipeline file that will read the events.")
  private Optional<Path> file = Optional.empty();

  @Option(
      names = "--topic",
      paramLabel = "TOPIC",
      description =
          "Topic, without a pipeline file, or one of several that the file names; created if it is"
              + " missing.")
  private Optional<String> topic = Optional.empty();

  @Option(
      names = "--csv",
      required = true,
      paramLabel = "FILE",
      description = "CSV in UTF-8, plain or gzipped.")
  private Path csv;

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description =
          "Zone of times without an offset, such as Europe/Berlin or UTC; they are sent with their"
              + " offset. By default such lines are refused.")
  private Optional<ZoneId> zone = Optional.empty();

  @Option(
      names = "--time-format",
      paramLabel = "FORMAT",
      converter = TimeFormatConverter.class,
      description =
          "How the file's times are written: auto, iso, epoch-s, epoch-ms, epoch-us, epoch-ns, or a"
              + " pattern such as 'dd.MM.yyyy HH:mm'. By default as the pipeline file says.")
  private Optional<TimeFormat> timeFormat = Optional.empty();

  @Option(
      names = "--speed",
      paramLabel = "SPEED",
      description =
          "max, a rate such as 500/s, or a factor of event time such as 3600x; by default max.")
  private String speed = "max";

  @Option(
      names = "--as-is",
      description =
          "Keep the file's order. By default events are sent in event-time order, because the"
              + " subjects of a partition share its clock.")
  private boolean asIs;

  @Option(
      names = "--no-ticks",
      description =
          "Write no ticks, because another program writes them between these events. Also "
              + "sends events of closed windows.")
  private boolean noTicks;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      description =
          "PUBLIC end of the history, and time of the last tick. Events more than "
              + "window.ahead after it are held back. "
              + GivenTime.DAY
              + " By default after the last record, which reveals where the file ends.")
  private Optional<GivenTime> until = Optional.empty();

  @Option(
      names = "--partitions",
      paramLabel = "N",
      description = "Partitions of a topic that is created; by default 2.")
  private int partitions = 2;

  /** Whether the topic had records before these. */
  private boolean hadRecords;

  @Override
  public Integer call() throws PipelineFileException, RefusedException {
    Optional<Pipeline> pipeline =
        file.isPresent() ? Optional.of(PipelineFile.read(file.get())) : Optional.empty();
    String to = to(pipeline.map(p -> p.input().topics()));
    Speed pace = pace();
    EventFields fields = columns.fields(pipeline);
    cells.require(fields.namedColumns());
    CsvEvents events =
        CsvEvents.read(
            csv,
            fields,
            asIs ? CsvEvents.Order.AS_IS : CsvEvents.Order.EVENT_TIME,
            columns.encoding(pipeline, file),
            cells.rules(times(pipeline)));
    List<String> unsent = CsvEvents.unsentColumns(csv, fields);
    complain(events, unsent);
    if (events.usable() == 0) {
      return 1;
    }
    if (leavesTicks(pipeline)) {
      ClosedRows.refuse(
          pipeline.orElseThrow().window(), events.events(), System.currentTimeMillis());
    }
    Optional<ReplayTicks> ticks = ticks(pipeline);
    HistoryReplay.Sent sent = send(to, pace, pipeline, ticks, events);
    report(to, pipeline, ticks, events, unsent, sent);
    return 0;
  }

  /** The topic that events go to; its ticks go there, too, since each topic has its own clocks. */
  private String to(Optional<InputTopics> read) {
    if (read.isEmpty()) {
      return topic.orElseThrow(() -> output.bad("give a pipeline FILE, or --topic TOPIC"));
    }
    if (topic.isPresent() && !read.get().include(topic.get())) {
      throw output.bad(
          "--topic: the file reads %s, not '%s'".formatted(read.get().words(), topic.get()));
    }
    return topic
        .or(read.get()::only)
        .orElseThrow(
            () ->
                output.bad(
                    "the file reads %s: name one with --topic".formatted(read.get().words())));
  }

  private void complain(CsvEvents events, List<String> unsent) {
    PrintWriter err = Terminal.over(spec.commandLine().getErr());
    events
        .complaints(csv.getFileName().toString())
        .forEach(line -> err.println(ControlCharEscaper.of(line)));
    if (!unsent.isEmpty()) {
      err.println(ControlCharEscaper.of(unsentNote(unsent)));
    }
    if (events.usable() == 0) {
      err.printf(
          "published nothing: %s has no usable line%n", ControlCharEscaper.of(csv.toString()));
    }
  }

  private HistoryReplay.Sent send(
      String to,
      Speed pace,
      Optional<Pipeline> pipeline,
      Optional<ReplayTicks> ticks,
      CsvEvents events)
      throws RefusedException {
    KafkaSettings settings =
        cluster.reach(pipeline.map(Pipeline::kafka).orElse(Map.of()), signing.folder());
    Optional<TickHeader> header =
        noTicks
            ? Optional.empty()
            : Optional.of(
                ticks.isPresent()
                    ? signing.require(pipeline.orElseThrow(), settings)
                    : TickHeader.unsigned());
    try (Cluster admin = new Cluster(settings)) {
      admin.topics().createForRecords(to, partitions);
      hadRecords =
          admin.offsets().ends(admin.offsets().partitionsOf(List.of(to))).values().stream()
              .anyMatch(end -> end > 0);
    }
    Optional<HistoryReplay.End> end =
        pipeline.flatMap(
            p ->
                until.map(
                    time ->
                        new HistoryReplay.End(
                            time.in(p.window()).toEpochMilli() + p.window().ahead().toMillis())));
    try (Progress progress =
        new Progress(Terminal.forProgress(), "publishing events", events.events().size())) {
      return new HistoryReplay(to, pace, ticks, header, end)
          .send(events.events(), settings, progress::step);
    }
  }

  private void report(
      String to,
      Optional<Pipeline> pipeline,
      Optional<ReplayTicks> ticks,
      CsvEvents events,
      List<String> unsent,
      HistoryReplay.Sent sent) {
    ObjectNode node =
        JsonOrText.object()
            .put("events", sent.events())
            .put("topic", to)
            .put("rejected_lines", events.rejected(CsvEvents.Fate.NOT_SENT))
            .put("dead_events", events.rejected(CsvEvents.Fate.SENT));
    unsent.forEach(node.putArray("columns_not_sent")::add);
    String line = PublishedLine.of(events, to, sent);
    if (ticks.isPresent()) {
      node.put("ticks", sent.ticks());
      ticks
          .get()
          .closesNewest()
          .ifPresent(time -> node.put("last_window_closes", Instant.ofEpochMilli(time).toString()));
      node.put("held_back", sent.beyond());
      node.put("late", ticks.get().late()).put("early", ticks.get().early());
      ReplayNotes notes = new ReplayNotes(pipeline.orElseThrow(), ticks.get());
      line += ", " + Plurals.of(sent.ticks(), "tick") + " between them" + notes.open();
      (noTicks ? notes.droppedByOthersTicks(sent.events()) : notes.dropped(sent.events()))
          .forEach(System.err::println);
      notes.heldBack(sent).ifPresent(System.err::println);
      if (until.isEmpty()) {
        notes.end().ifPresent(System.err::println);
      }
    }
    if (hadRecords && pipeline.isPresent() && !leavesTicks(pipeline)) {
      System.err.println(ReplayNotes.lateToo(to));
    }
    output.print(node, line);
  }

  private String unsentNote(List<String> unsent) {
    return "note: %s not sent: %s. Events have only the fields that %s names"
        .formatted(
            Plurals.of(unsent.size(), "column is", "columns are"),
            String.join(", ", unsent),
            file.isPresent() ? "the pipeline file" : "the command line");
  }

  /** Whether the program ticks by itself, so that this command does not. */
  private boolean leavesTicks(Optional<Pipeline> pipeline) {
    return !noTicks
        && pipeline
            .map(Pipeline::window)
            .filter(window -> window.clock() == WindowSpec.Clock.TICKS)
            .filter(window -> window.ticks() == WindowSpec.Ticks.HERE)
            .isPresent();
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
              + ": field 'window.begin' is missing, so produce cannot know where windows and "
              + "their ticks start. Add it to the file, or publish with --no-ticks");
    }
    if (window.clock() != WindowSpec.Clock.TICKS || leavesTicks(pipeline)) {
      if (until.isPresent()) {
        throw output.bad("--until: only where produce writes ticks (not with --no-ticks)");
      }
      return Optional.empty();
    }
    long now = System.currentTimeMillis();
    long limit = Math.min(now, until.map(time -> time.in(window).toEpochMilli()).orElse(now));
    return Optional.of(new ReplayTicks(window, window.begin().getAsLong(), limit));
  }

  private EventTimes times(Optional<Pipeline> pipeline) {
    return EventTimes.of(
        timeFormat,
        zone,
        pipeline.map(p -> p.input().formats()).orElse(ValueFormats.usual()),
        pipeline.map(p -> p.window().maxAhead()).orElse(WindowSpec.MAX_AHEAD));
  }

  private Speed pace() {
    try {
      return Speed.parse(speed);
    } catch (IllegalArgumentException e) {
      throw output.bad("--speed: " + e.getMessage());
    }
  }
}
