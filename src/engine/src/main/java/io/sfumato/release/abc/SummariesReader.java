// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.abc;

import com.fasterxml.jackson.databind.JsonNode;
import io.sfumato.mechanism.abc.Summaries;
import io.sfumato.mechanism.abc.Summary;
import io.sfumato.mechanism.abc.Summary.Statistic;
import io.sfumato.pipeline.EnumWords;
import io.sfumato.pipeline.FieldSpec;
import io.sfumato.pipeline.FieldTypes;
import io.sfumato.pipeline.Fields;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.Section;
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

  private static final FieldSpec<Double> SCALE =
      FieldSpec.above0("scale")
          .means("Public: a difference of one scale counts as 1, from 1e-12 to 1e12.")
          .example("5");

  private static final FieldSpec<Double> AT =
      FieldSpec.above0("at")
          .optional("required with quantile")
          .means("Which quantile, above 0, at most 1.")
          .where("with `quantile`")
          .example("0.25");

  private static final Section SUMMARY = summary();

  /** The statistics that a query compares. */
  static final FieldSpec<?> SUMMARIES =
      FieldSpec.typed("summaries", FieldTypes.mappings(ALLOWED, SUMMARY))
          .optional("required with distance summaries")
          .means(
              "1 to 100 statistics of the records. Numbers are kept to 2^-32 of the smallest scale of"
                  + " their field; those beyond 2^30 of it count as that in means and deviations.")
          .where("with distance `summaries`")
          .example("[{quantile: x, at: 0.25, scale: 5}]");

  /** Where distances are cut. */
  static final FieldSpec<Double> CLIP =
      FieldSpec.above0("clip")
          .optional("2 thresholds; required with distance summaries")
          .means("Larger distances count as this one: at least the threshold.")
          .where("with method `rejection`, or distance `summaries`")
          .example("0.5");

  private final InputSpec input;

  SummariesReader(InputSpec input) {
    this.input = input;
  }

  /** Nothing if the list is not usable, which is told. */
  Optional<Summaries> read(Fields fields) {
    double clip = fields.get(CLIP);
    List<JsonNode> items = fields.list(SUMMARIES).items(ALLOWED);
    List<Summary> summaries = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      Fields item = fields.item("summaries", i, items.get(i), SUMMARY);
      summary(item).ifPresent(summaries::add);
      item.refuseUnknown();
    }
    boolean usable = !items.isEmpty() && items.size() <= MOST;
    if (fields.has(SUMMARIES) && !usable) {
      fields.problem("summaries", "found " + items.size() + " items", ALLOWED);
    }
    return usable && summaries.size() == items.size()
        ? Optional.of(new Summaries(summaries, clip))
        : Optional.empty();
  }

  private static List<String> words() {
    List<String> words = new ArrayList<>();
    for (Statistic statistic : Statistic.values()) {
      words.add(EnumWords.word(statistic));
    }
    words.add(QUANTILE);
    words.add(SHARE);
    return words;
  }

  private static Section summary() {
    List<FieldSpec<?>> fields = new ArrayList<>();
    for (String word : words()) {
      fields.add(
          FieldSpec.typed(word, FieldTypes.text("a field of 'input.values', or a category"))
              .optional()
              .means(word.equals(SHARE) ? "Of a category." : "Of a field of `input.values`.")
              .example("x"));
    }
    fields.add(AT);
    fields.add(SCALE);
    return new Section("One statistic, with its scale.", fields);
  }

  private Optional<Summary> summary(Fields item) {
    List<String> words = words();
    List<String> found = words.stream().filter(item::has).toList();
    boolean hasPlace = item.has(AT);
    double scale = item.get(SCALE);
    if (scale < LEAST_SCALE) {
      item.problem("scale", "found " + scale, "a number from 1e-12 to 1e12");
      return Optional.empty();
    }
    if (found.size() != 1) {
      item.problemHere("found " + found, "one of " + String.join(", ", words));
      return Optional.empty();
    }
    String word = found.get(0);
    if (!word.equals(QUANTILE) && hasPlace) {
      item.conflict("at", "found with '" + word + "'", "with quantile only");
    }
    if (word.equals(SHARE)) {
      return place(item, word, input.allCategories(), "a category of the file")
          .map(category -> new Summary.Share(category, scale));
    }
    Optional<Integer> field =
        place(item, word, input.values(), "a field of 'input.values', which are numbers");
    if (word.equals(QUANTILE)) {
      double at = item.get(AT);
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
    return Optional.of(item.get(FieldSpec.word(word, places)));
  }
}
