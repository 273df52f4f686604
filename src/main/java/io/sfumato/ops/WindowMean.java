// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.schema.DirichletRelease;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

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
  static WindowMean of(DirichletRelease release) {
    return new WindowMean(
        release.getWindowStart(),
        release.getWindowEnd(),
        List.copyOf(release.getCategories()),
        List.copyOf(release.getProbabilities()),
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
  void write(String output, ArrayNode json) {
    if (releases < 2 || sums.isEmpty() || sums.size() != categories.size()) {
      return;
    }
    ObjectNode card =
        json.addObject()
            .put("output", output)
            .put("from", from.toString())
            .put("to", to.toString())
            .put("releases", releases);
    ArrayNode shares = card.putArray("shares");
    for (int i = 0; i < sums.size(); i++) {
      shares.addObject().put("category", categories.get(i)).put("share", sums.get(i) / releases);
    }
  }
}
