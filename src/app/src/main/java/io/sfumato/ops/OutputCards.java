// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.pipeline.Card;
import io.sfumato.pipeline.DerivedSpec;
import io.sfumato.pipeline.OutputSpec;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.Stretch;
import io.sfumato.release.Plan;
import io.sfumato.release.Releases;
import io.sfumato.serde.ForeignBytes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.generic.IndexedRecord;

/** The latest outputs for the page: without their subjects, unless the file lists these. */
final class OutputCards {
  private OutputCards() {}

  static void write(Plan plan, LatestOutputs outputs, ArrayNode json) {
    Set<String> listed = Set.copyOf(plan.pipeline().listed());
    for (OutputSpec output : plan.pipeline().outputs()) {
      PlannedRelease release = behind(plan, output);
      for (IndexedRecord record : outputs.of(output.topic())) {
        card(release, record)
            .ifPresent(
                card -> {
                  ObjectNode node = json.addObject().put("output", output.name());
                  name(listed, record, node);
                  write(release, card, outputs.course(output.topic(), record), node);
                });
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
  static void name(Set<String> listed, IndexedRecord record, ObjectNode json) {
    String subject = Courses.subject(record);
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
          .ifPresent(mean -> mean.write(release.spec().name(), json));
    }
  }

  /** Who writes to this topic may not be this program: what cannot be drawn is passed over. */
  static Optional<Card> card(PlannedRelease release, IndexedRecord record) {
    return Releases.viewOf(record)
        .flatMap(view -> ForeignBytes.ifReadable(() -> view.card(record, release)));
  }

  /** Whether it is worth following over windows. */
  static boolean hasCourse(IndexedRecord record) {
    return Releases.viewOf(record).filter(OutputView::hasCourse).isPresent();
  }

  /** Spots of each row of the first group, window by window. */
  private static void course(List<Card> cards, ObjectNode json) {
    if (cards.size() < 2) {
      return;
    }
    ArrayNode course = json.putArray("course");
    for (Card card : cards) {
      ObjectNode node = course.addObject().put("to", card.to().toString());
      ArrayNode places = node.putArray("places");
      ArrayNode lows = node.putArray("lows");
      ArrayNode highs = node.putArray("highs");
      card.rows().stream()
          .flatMap(row -> row.spot().stream())
          .forEach(
              spot -> {
                places.add(spot.place());
                lows.add(spot.low());
                highs.add(spot.high());
              });
    }
  }

  /**
   * One card.
   *
   * @param course of its output's subject, itself the last
   */
  static void write(PlannedRelease release, Card card, List<Card> course, ObjectNode json) {
    json.put("asked", release.spec().answersQueries())
        .put("from", card.from().toString())
        .put("to", card.to().toString())
        .put("own_scale", card.rows().stream().anyMatch(Card.Row::isOnItsOwnScale));
    card.records().ifPresent(records -> json.put("records", records));
    card.exampleLeftOut().ifPresent(share -> json.put("example_left_out", share));
    // A card about one window alone says so in its times.
    if (card.groups().size() > 1 || card.stretch().kind() != Stretch.Kind.OWN) {
      json.put("about", card.stretch().words());
    }
    rows(card.groups().get(0), json);
    ArrayNode beside = json.putArray("beside");
    for (Card.Group group : card.groups().subList(1, card.groups().size())) {
      rows(group, beside.addObject().put("about", group.stretch().words()));
    }
    course(course, json);
    if (!card.drawings().isEmpty()) {
      Drawings.write(card.drawings(), json.putArray("drawings"));
    }
  }

  /** The interval where its bar is: it may reach further to one side than to the other. */
  private static void whisker(double share, Card.Spot spot, ObjectNode json) {
    if (spot.place() != 0) {
      double scale = share / spot.place();
      json.put("low", scale * spot.low()).put("high", scale * spot.high());
    }
  }

  private static void rows(Card.Group group, ObjectNode json) {
    if (group.more() > 0) {
      json.put("more", group.more());
    }
    ArrayNode rows = json.putArray("rows");
    for (Card.Row row : group.rows()) {
      ObjectNode node = rows.addObject().put("label", row.label()).put("value", row.value());
      row.share().ifPresent(share -> node.put("share", share));
      row.error().ifPresent(error -> node.put("error", error));
      if (row.isOnItsOwnScale()) {
        whisker(row.share().getAsDouble(), row.spot().orElseThrow(), node);
      }
      node.put("text", row.text());
    }
  }
}
