// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.rows.Card;
import io.sfumato.rows.Card.Spot;
import io.sfumato.rows.LocalTimes;
import io.sfumato.rows.Scale;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The mean of the shares that were released of a window's subjects, each of which weighs the same:
 * made of releases alone. It says nothing of its error, since what all releases lean to (the prior)
 * does not average out.
 *
 * @param from start of the window
 * @param to end of the window
 * @param categories in the order of the sums
 * @param sums of shares, one a category
 * @param releases that were added
 */
record WindowMean(
    Instant from, Instant to, List<String> categories, List<Double> sums, long releases) {

  /** Of one release; its sums are empty where it says no shares. */
  static WindowMean of(Card card) {
    return new WindowMean(
        card.from(),
        card.to(),
        card.rows().stream().map(Card.Row::label).toList(),
        // What is no share has no mean: each card has a scale of its own.
        card.scale() == Scale.SHARE
            ? card.rows().stream().flatMap(row -> row.bar().stream()).map(Spot::at).toList()
            : List.of(),
        1);
  }

  /** With another release's: the newer window's where they are of two. */
  WindowMean and(WindowMean other) {
    if (!other.from.equals(from)) {
      return other.from.isAfter(from) ? other : this;
    }
    if (other.sums.size() != sums.size() || !other.categories.equals(categories)) {
      return this;
    }
    List<Double> together = new ArrayList<>();
    for (int i = 0; i < sums.size(); i++) {
      together.add(sums.get(i) + other.sums.get(i));
    }
    return new WindowMean(from, to, categories, together, releases + other.releases);
  }

  /** As a card: nothing of a single release, which has a card of its own. */
  void write(String output, LocalTimes times, ArrayNode json) {
    if (releases < 2 || sums.isEmpty() || sums.size() != categories.size()) {
      return;
    }
    ObjectNode card =
        json.addObject()
            .put("output", output)
            .put("from", times.iso(from))
            .put("to", times.iso(to))
            .put("releases", releases);
    ArrayNode rows = card.putArray("rows");
    for (int i = 0; i < sums.size(); i++) {
      double share = sums.get(i) / releases;
      rows.addObject()
          .put("label", categories.get(i))
          .put("value", share)
          .put("share", share)
          .put("text", String.format(Locale.ROOT, "%.1f%%", 100 * share));
    }
  }
}
