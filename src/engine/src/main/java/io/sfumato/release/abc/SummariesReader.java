// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.abc;

import com.fasterxml.jackson.databind.JsonNode;
import io.sfumato.mechanism.abc.Summaries;
import io.sfumato.mechanism.abc.Summary;
import io.sfumato.mechanism.abc.Summary.Statistic;
import io.sfumato.pipeline.EnumWords;
import io.sfumato.pipeline.Fields;
import io.sfumato.pipeline.InputSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads {@code abc.summaries} of a pipeline file: one statistic a line, each with its scale. */
final class SummariesReader {
  private static final int MOST = 100;

  /** With numbers of at most 1e12 no square of a scaled difference overflows. */
  private static final double LEAST_SCALE = 1e-12;

  private static final String SHARE = "share";
  private static final String QUANTILE = "quantile";
  private static final String ALLOWED =
      "a list of 1 to 100 of '- {mean: FIELD, scale: S}', with mean, deviation, smallest, largest or quantile"
          + " (and at: 0.25) of a field of input.values, or share of a category";

  private final InputSpec input;

  SummariesReader(InputSpec input) {
    this.input = input;
  }

  /** Nothing if the list is not usable, which is told. */
  Optional<Summaries> read(Fields fields) {
    double clip = fields.above0("clip", Optional.empty());
    List<JsonNode> items = fields.list("summaries").items(ALLOWED);
    List<Summary> summaries = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      Fields item = fields.item("summaries", i, items.get(i));
      summary(item).ifPresent(summaries::add);
      item.refuseUnknown();
    }
    boolean usable = !items.isEmpty() && items.size() <= MOST;
    if (fields.has("summaries") && !usable) {
      fields.problem("summaries", "found " + items.size() + " items", ALLOWED);
    }
    return usable && summaries.size() == items.size()
        ? Optional.of(new Summaries(summaries, clip))
        : Optional.empty();
  }

  private Optional<Summary> summary(Fields item) {
    List<String> words = new ArrayList<>();
    for (Statistic statistic : Statistic.values()) {
      words.add(EnumWords.word(statistic));
    }
    words.add(QUANTILE);
    words.add(SHARE);
    List<String> found = words.stream().filter(item::has).toList();
    double scale = item.above0("scale", Optional.empty());
    if (scale < LEAST_SCALE) {
      item.problem("scale", "found " + scale, "a number from 1e-12 to 1e12");
      return Optional.empty();
    }
    if (found.size() != 1) {
      item.problemHere("found " + found, "one of " + String.join(", ", words));
      return Optional.empty();
    }
    String word = found.get(0);
    if (!word.equals(QUANTILE) && item.has("at")) {
      item.conflict("at", "found with '" + word + "'", "with quantile only");
    }
    if (word.equals(SHARE)) {
      return place(item, word, input.allCategories(), "a category of the file")
          .map(category -> new Summary.Share(category, scale));
    }
    Optional<Integer> field =
        place(item, word, input.values(), "a field of 'input.values', which are numbers");
    if (word.equals(QUANTILE)) {
      double at = item.above0("at", Optional.empty());
      if (at > 1) {
        item.problem("at", "found " + at, "a share above 0, at most 1");
        return Optional.empty();
      }
      return field.map(place -> new Summary.Quantile(place, at, scale));
    }
    Statistic statistic = EnumWords.of(Statistic.values()).get(word);
    return field.map(place -> new Summary.OfAll(statistic, place, scale));
  }

  private static Optional<Integer> place(
      Fields item, String word, List<String> names, String what) {
    Map<String, Integer> places = new LinkedHashMap<>();
    names.forEach(name -> places.put(name, places.size()));
    if (places.isEmpty()) {
      item.conflict(word, item.found(word), what + "; records have none");
      return Optional.empty();
    }
    // Words of the file itself, whatever they are: YAML has made whole numbers of some.
    return Optional.of(item.choice(word, places, Optional.empty()));
  }
}
