// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mollifier;

import com.fasterxml.jackson.databind.JsonNode;
import io.sfumato.mechanism.mollifier.CellItems;
import io.sfumato.mechanism.mollifier.NumericReference;
import io.sfumato.mechanism.mollifier.NumericReference.Gaussians;
import io.sfumato.mechanism.mollifier.NumericReference.Gaussians.Component;
import io.sfumato.mechanism.mollifier.NumericReference.Uniform;
import io.sfumato.mechanism.mollifier.Reference;
import io.sfumato.pipeline.Fields;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.ReleaseFields;
import io.sfumato.pipeline.Words;
import io.sfumato.release.mollifier.MollifierSpec.Learner;
import io.sfumato.release.mollifier.MollifierSpec.Sampler;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Reads {@code mollifier:} of a pipeline file. */
final class MollifierReader {
  /** More cells would make a law long to find. */
  private static final long MOST_CELLS = 10_000;

  private MollifierReader() {}

  static MollifierSpec items(ReleaseFields release) {
    Fields fields = release.fields();
    InputSpec input = release.input();
    int items = (int) fields.whole("items", 1, 10_000, Optional.of(1L));
    Reference reference = reference(fields.optionalSection("reference"), input);
    String word =
        fields.choice("sampler", Words.of("mollifier", "clipped"), Optional.of("mollifier"));
    boolean finite = input.values().isEmpty();
    Sampler sampler =
        word.equals("clipped")
            ? clipped(fields, input, reference)
            : finite ? new Sampler.Mollifier() : boosted(fields);
    if (!(sampler instanceof Sampler.Boosted)) {
      for (String field : List.of("learner", "rounds", "pool")) {
        if (fields.has(field)) {
          fields.conflict(
              field, "found where nothing is learned", "with numbers and sampler mollifier only");
        }
      }
    }
    if (fields.has("bins") && (finite || !word.equals("clipped"))) {
      fields.conflict("bins", fields.found("bins"), "with numbers and sampler clipped only");
    }
    return new MollifierSpec(
        release.name(),
        release.topic(),
        release.share(),
        release.horizon(),
        items,
        sampler,
        reference);
  }

  private static Sampler clipped(Fields fields, InputSpec input, Reference reference) {
    if (input.values().isEmpty()) {
      return new Sampler.Clipped(1);
    }
    if (!(reference.numbers().orElseThrow() instanceof Uniform)) {
      fields.conflict(
          "sampler",
          "found 'clipped'",
          "with numbers only where the reference is uniform on a box");
    }
    if (reference.categories() > 0 && Arrays.stream(reference.shares()).distinct().count() > 1) {
      fields.conflict(
          "reference.categories", "found weights that differ", "none with numbers and clipped");
    }
    int bins = (int) fields.whole("bins", 1, MOST_CELLS, Optional.of(10L));
    long cells;
    try {
      cells = CellItems.cells(input.values().size(), bins, input.allCategories().size());
    } catch (ArithmeticException e) {
      cells = Long.MAX_VALUE;
    }
    if (cells > MOST_CELLS || cells < 2) {
      fields.conflict(
          "bins",
          "found " + bins + ", which makes too many cells, or one",
          "2 to 10000 cells in all");
    }
    return new Sampler.Clipped(bins);
  }

  private static Sampler boosted(Fields fields) {
    return new Sampler.Boosted(
        fields.choice("learner", Words.of(Learner.values()), Optional.of(Learner.LOGISTIC)),
        (int) fields.whole("rounds", 1, 100, Optional.of(3L)),
        (int) fields.whole("pool", 16, 100_000, Optional.of(256L)));
  }

  /** By default uniform over the categories; numbers need theirs spelled out. */
  private static Reference reference(Fields fields, InputSpec input) {
    int categories = input.allCategories().size();
    double[] shares = new double[categories];
    Arrays.fill(shares, 1);
    if (categories > 0) {
      shares = fields.positiveWeights("categories", categories).orElse(shares);
    }
    Optional<NumericReference> numbers =
        input.values().isEmpty()
            ? Optional.empty()
            : Optional.of(numbers(fields, input.values().size()));
    fields.refuseUnknown();
    return new Reference(
        categories == 0 && numbers.isEmpty() ? new double[] {1, 1} : shares, numbers);
  }

  private static NumericReference numbers(Fields fields, int dimensions) {
    try {
      if (fields.has("uniform")) {
        Fields box = fields.section("uniform");
        Uniform uniform =
            new Uniform(box.numbers("low", dimensions), box.numbers("high", dimensions));
        box.refuseUnknown();
        return uniform;
      }
      List<Component> components = new ArrayList<>();
      String allowed =
          "'uniform: {low: [...], high: [...]}', or a list of {weight, mean: [...], deviation: [...]};"
              + " 'sfumato fit-reference' makes one from PUBLIC data";
      List<JsonNode> items = fields.items("gaussians", allowed);
      for (int i = 0; i < items.size(); i++) {
        Fields item = fields.item("gaussians", i, items.get(i));
        double weight = item.has("weight") ? item.numbers("weight", 1)[0] : 1;
        components.add(
            new Component(
                weight, item.numbers("mean", dimensions), item.numbers("deviation", dimensions)));
        item.refuseUnknown();
      }
      if (!components.isEmpty()) {
        return new Gaussians(components);
      }
      if (fields.has("gaussians")) {
        fields.problem("gaussians", "found none, which has no full support", allowed);
      }
    } catch (IllegalArgumentException e) {
      fields.conflict("numbers", e.getMessage(), "a density with full support on its domain");
    }
    double[] ones = new double[dimensions];
    Arrays.fill(ones, 1);
    return Gaussians.of(new double[dimensions], ones);
  }
}
