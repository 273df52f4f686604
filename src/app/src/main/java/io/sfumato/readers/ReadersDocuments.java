// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.readers;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.pipeline.DerivedSpec;
import io.sfumato.pipeline.OutputSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.rows.Group;
import io.sfumato.rows.LocalTimes;
import io.sfumato.schema.Guarantee;
import io.sfumato.window.CalendarWindows;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** What the readers' page shows, as JSON and as CSV. Each document has a bound. */
final class ReadersDocuments {
  /** Lines that a page can choose from: those with the largest averages. */
  static final int MOST_CHOICES = 10_000;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Pipeline pipeline;
  private final PublishedWindows windows;
  private final LocalTimes times;

  /** Numbers of lines hold for one process: the page must not mix those of two. */
  private final String run = UUID.randomUUID().toString();

  ReadersDocuments(Pipeline pipeline, PublishedWindows windows) {
    this.pipeline = pipeline;
    this.windows = windows;
    this.times = pipeline.window().times();
  }

  /** The outputs that the page shows: answers to queries are no statistics over time. */
  static List<OutputSpec> shown(Pipeline pipeline) {
    return pipeline.outputs().stream()
        .filter(output -> !(output instanceof ReleaseSpec release && release.answersQueries()))
        .toList();
  }

  private static byte[] bytes(ObjectNode json) {
    return json.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Everything but the numbers: outputs, measures, promises, and how far the topics are read. */
  byte[] overview(ReleaseFollower.Progress progress) {
    ObjectNode json = JSON.createObjectNode();
    json.put("pipeline", pipeline.name())
        .put("zone", zone())
        .put("state", progress.state().name().toLowerCase(Locale.ROOT))
        .put("foreign", progress.foreign())
        .put("changes", windows.changes())
        .put("run", run)
        .put("together", GuaranteeSentence.together(pipeline.budget()));
    pipeline.window().begin().ifPresent(begin -> first(begin, json.putObject("first_window")));
    ArrayNode outputs = json.putArray("outputs");
    for (OutputSpec output : shown(pipeline)) {
      ObjectNode node =
          outputs
              .addObject()
              .put("name", output.name())
              .put("topic", output.topic())
              .put("derived", output instanceof DerivedSpec)
              .put("missing", progress.missing().contains(output.topic()));
      windows.read(output.name(), kept -> about(kept, node));
    }
    return bytes(json);
  }

  /** When the earliest release can be: public, since the pipeline file says it. */
  private void first(long begin, ObjectNode json) {
    WindowSpec window = pipeline.window();
    long end = window.endOf(begin);
    json.put("start", start(begin))
        .put("end", start(end))
        .put("closes", start(end + window.grace().toMillis()));
  }

  private String zone() {
    return pipeline
        .window()
        .calendar()
        .map(CalendarWindows::zone)
        .map(Object::toString)
        .orElse("UTC");
  }

  private ObjectNode about(OutputWindows output, ObjectNode json) {
    List<Long> all = output.windows();
    json.put("windows", all.size()).put("lines", output.lines()).put("left", output.left());
    if (!all.isEmpty()) {
      json.put("first", start(all.get(0))).put("last", start(all.get(all.size() - 1)));
    }
    output.droppedThrough().ifPresent(window -> json.put("dropped_through", start(window)));
    output.newest().ifPresent(newest -> about(newest, json));
    ArrayNode measures = json.putArray("measures");
    for (ChartMeasure measured : output.measures()) {
      measures.addObject().put("words", measured.words()).put("share", measured.isShare());
    }
    return json;
  }

  private static void about(OutputWindows.Newest newest, ObjectNode json) {
    Guarantee guarantee = newest.guarantee();
    json.put("promise", GuaranteeSentence.of(guarantee))
        .put("neighbours", guarantee.getAdjacency());
    newest.leftOut().ifPresent(share -> json.put("left_out", share));
  }

  private String start(long window) {
    return times.start(Instant.ofEpochMilli(window));
  }

  /**
   * The lines that can be chosen: number, average value and of how many windows it is, subject,
   * place of the group's fields among all sets of fields, values of the group.
   */
  Optional<byte[]> lines(Choice choice) {
    return windows
        .read(choice.output(), output -> output.choices(choice.measure()))
        .map(this::written);
  }

  private byte[] written(List<OutputWindows.LineChoice> choices) {
    ObjectNode json = JSON.createObjectNode();
    json.put("run", run).put("more", Math.max(0, choices.size() - MOST_CHOICES));
    ArrayNode lines = json.putArray("lines");
    List<List<String>> kinds = new ArrayList<>();
    choices.stream()
        .limit(MOST_CHOICES)
        .forEach(
            choice -> {
              Group group = choice.line().group();
              if (!kinds.contains(group.fields())) {
                kinds.add(group.fields());
              }
              ArrayNode line = lines.addArray().add(choice.number());
              PointCourse.add(choice.average(), line);
              line.add(choice.windows());
              line.add(choice.line().subject()).add(kinds.indexOf(group.fields()));
              group.values().forEach(line::add);
            });
    ArrayNode fields = json.putArray("fields");
    kinds.forEach(kind -> kind.forEach(fields.addArray()::add));
    return bytes(json);
  }

  /** The numbers of the chosen lines, and the windows that they are of. */
  Optional<byte[]> points(Choice choice) {
    return windows
        .read(choice.output(), output -> points(output, choice))
        .flatMap(json -> json)
        .map(ReadersDocuments::bytes);
  }

  private Optional<ObjectNode> points(OutputWindows output, Choice choice) {
    if (choice.measure() >= output.measures().size()) {
      return Optional.empty();
    }
    List<Long> all = output.windows();
    List<Long> chosen = choice.of(all);
    ObjectNode json = JSON.createObjectNode().put("run", run);
    ArrayNode starts = json.putArray("starts");
    ArrayNode names = json.putArray("names");
    Map<Long, Integer> places = new HashMap<>();
    for (long window : chosen) {
      places.put(window, places.size());
      starts.add(window);
      names.add(start(window));
    }
    json.put("older", !chosen.isEmpty() && all.get(0) < chosen.get(0));
    json.put("newer", !chosen.isEmpty() && all.get(all.size() - 1) > chosen.get(chosen.size() - 1));
    Map<Integer, PointCourse> courses = new LinkedHashMap<>();
    choice.lines().forEach(line -> courses.put(line, new PointCourse(chosen.size())));
    output.points(
        chosen,
        choice.measure(),
        choice.lines(),
        (line, row, released) ->
            courses
                .get(line)
                .put(places.get(row.head().windowStart().toEpochMilli()), row.quantity()));
    ArrayNode lines = json.putArray("lines");
    courses.forEach((line, course) -> course.write(lines.addObject().put("line", line)));
    return Optional.of(json);
  }

  /** The same numbers as rows. */
  Optional<byte[]> csv(Choice choice) {
    return windows
        .read(choice.output(), output -> rows(output, choice))
        .flatMap(csv -> csv)
        .map(csv -> csv.text().getBytes(StandardCharsets.UTF_8));
  }

  private static Optional<RowsCsv> rows(OutputWindows output, Choice choice) {
    if (choice.measure() >= output.measures().size()) {
      return Optional.empty();
    }
    RowsCsv csv = new RowsCsv();
    output.points(
        choice.of(output.windows()),
        choice.measure(),
        choice.lines(),
        (line, row, released) -> csv.add(row, released));
    return Optional.of(csv);
  }
}
