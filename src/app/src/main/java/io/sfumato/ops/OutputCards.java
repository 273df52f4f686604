// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.pipeline.DerivedSpec;
import io.sfumato.pipeline.OutputSpec;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ShownOutput;
import io.sfumato.release.Plan;
import io.sfumato.release.Releases;
import io.sfumato.rows.Card;
import io.sfumato.rows.Card.Spot;
import io.sfumato.rows.LocalTimes;
import io.sfumato.rows.Scale;
import io.sfumato.rows.Stretch;
import io.sfumato.serde.ForeignBytes;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.generic.IndexedRecord;

/** The latest outputs for the page: without their subjects, unless the file lists these. */
final class OutputCards {
  /** So many rows of a section are sent, the largest: the page is drawn every second. */
  private static final int MOST_ROWS = 40;

  private OutputCards() {}

  static void write(Plan plan, LatestOutputs outputs, ArrayNode json) {
    Set<String> listed = Set.copyOf(plan.pipeline().listed());
    for (OutputSpec output : plan.pipeline().outputs()) {
      PlannedRelease release = behind(plan, output);
      for (HeadedCard headed : outputs.of(output.topic())) {
        ObjectNode node = json.addObject().put("output", output.name());
        name(listed, headed.head().subject(), node);
        write(
            release,
            headed.card(),
            outputs.course(output.topic(), headed.head()),
            plan.pipeline().window().times(),
            node);
      }
    }
  }

  /** By topic which release is behind what is published there. */
  static Map<String, PlannedRelease> topics(Plan plan) {
    return plan.pipeline().outputs().stream()
        .collect(Collectors.toMap(OutputSpec::topic, output -> behind(plan, output)));
  }

  private static PlannedRelease behind(Plan plan, OutputSpec output) {
    return plan.release(output instanceof DerivedSpec made ? made.of() : output.name());
  }

  /** Who it is about, where everybody may know: a name of the file's list, and no other. */
  static void name(Set<String> listed, String subject, ObjectNode json) {
    if (listed.contains(subject)) {
      json.put("subject", subject);
    }
  }

  /** Of how many listed subjects nothing is shown, of each output that has such. */
  static void writeMore(Plan plan, LatestOutputs outputs, ArrayNode json) {
    for (OutputSpec output : plan.pipeline().outputs()) {
      int more = outputs.more(output.topic());
      if (more > 0) {
        json.addObject().put("output", output.name()).put("subjects", more);
      }
    }
  }

  /** Of each output what all subjects of its newest window have in common. */
  static void writeTogether(Plan plan, LatestOutputs outputs, ArrayNode json) {
    for (PlannedRelease release : plan.releases()) {
      outputs
          .mean(release.spec().topic())
          .ifPresent(
              mean -> mean.write(release.spec().name(), plan.pipeline().window().times(), json));
    }
  }

  /** Who writes to this topic may not be this program: what cannot be drawn is passed over. */
  static Optional<Card> card(PlannedRelease release, IndexedRecord record) {
    return Releases.viewOf(record)
        .flatMap(
            view -> ForeignBytes.ifReadable(() -> new ShownOutput(view, record).card(release)));
  }

  /** Spots of each row of the first section, window by window. */
  private static void course(List<TimeSeries.Point> points, LocalTimes times, ObjectNode json) {
    if (points.size() < 2) {
      return;
    }
    ArrayNode course = json.putArray("course");
    for (TimeSeries.Point point : points) {
      ObjectNode node = course.addObject().put("to", times.iso(point.to()));
      ArrayNode places = node.putArray("places");
      ArrayNode lows = node.putArray("lows");
      ArrayNode highs = node.putArray("highs");
      for (Spot spot : point.spots()) {
        places.add(spot.at());
        lows.add(spot.low());
        highs.add(spot.high());
      }
    }
  }

  /**
   * One card.
   *
   * @param course of its output's subject, itself the last
   * @param times how they are written
   */
  static void write(
      PlannedRelease release,
      Card card,
      List<TimeSeries.Point> course,
      LocalTimes times,
      ObjectNode json) {
    json.put("asked", release.spec().answersQueries())
        .put("from", times.iso(card.from()))
        .put("to", times.iso(card.to()))
        .put("own_scale", card.scale() == Scale.LARGEST);
    card.records().ifPresent(records -> json.put("records", records));
    if (!release.spec().countsLeftOut()) { // which lacks nothing that bounds leave out
      card.leftOut().ifPresent(share -> json.put("example_left_out", share));
    }
    card.facts().forEach(json.putArray("facts")::add);
    // A card about one window alone says so in its times.
    boolean saysWindows = card.sections().size() > 1 || card.stretch().kind() != Stretch.Kind.OWN;
    section(card.sections().get(0), saysWindows, times, json);
    ArrayNode beside = json.putArray("beside");
    for (Card.Section section : card.sections().subList(1, card.sections().size())) {
      section(section, true, times, beside.addObject());
    }
    course(course, times, json);
    if (!card.drawings().isEmpty()) {
      Drawings.write(card.drawings(), json.putArray("drawings"));
    }
  }

  private static void section(
      Card.Section section, boolean saysWindows, LocalTimes times, ObjectNode json) {
    String about =
        Stream.of(section.caption(), saysWindows ? section.stretch().words(times) : "")
            .filter(words -> !words.isEmpty())
            .collect(Collectors.joining(", "));
    if (!about.isEmpty()) {
      json.put("about", about);
    }
    long more = section.more() + Math.max(0, section.rows().size() - MOST_ROWS);
    if (more > 0) {
      json.put("more", more);
    }
    ArrayNode rows = json.putArray("rows");
    IntStream.range(0, section.rows().size())
        .boxed()
        .sorted(Comparator.comparingDouble(i -> -section.rows().get(i).value()))
        .limit(MOST_ROWS)
        .forEach(i -> row(section.rows().get(i), rows.addObject().put("line", i)));
  }

  private static void row(Card.Row row, ObjectNode json) {
    json.put("label", row.label()).put("value", row.value());
    row.bar()
        .ifPresent(
            bar -> json.put("share", bar.at()).put("low", bar.low()).put("high", bar.high()));
    json.put("text", row.text());
  }
}
