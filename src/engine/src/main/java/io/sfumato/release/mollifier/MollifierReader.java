// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mollifier;

import com.fasterxml.jackson.databind.JsonNode;
import io.sfumato.mechanism.mollifier.NumericReference;
import io.sfumato.mechanism.mollifier.NumericReference.Gaussians;
import io.sfumato.mechanism.mollifier.NumericReference.Gaussians.Component;
import io.sfumato.mechanism.mollifier.NumericReference.Uniform;
import io.sfumato.mechanism.mollifier.Reference;
import io.sfumato.pipeline.Fields;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.ReleaseFields;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Reads {@code mollifier:} of a pipeline file. */
final class MollifierReader {
  private static final long PLAN_SIZE = 100;

  private MollifierReader() {}

  static MollifierSpec items(ReleaseFields release) {
    Fields fields = release.fields();
    InputSpec input = release.input();
    if (input.category().isPresent()) {
      release.requireCategories("items", "are made up of categories", "");
    }
    int items = (int) fields.whole("items", 1, 10_000, Optional.of(1L));
    Reference reference = reference(fields.optionalSection("reference"), input);
    Sampler sampler = SamplerReader.sampler(fields, input, reference);
    int planSize = (int) fields.whole("plan-size", 1, 10_000, Optional.of(PLAN_SIZE));
    if (fields.has("plan-size") && input.values().isEmpty()) {
      fields.conflict("plan-size", fields.found("plan-size"), "with numbers only");
    }
    return new MollifierSpec(release.head(), items, sampler, reference, planSize);
  }

  /** By default uniform over the categories; numbers need theirs spelled out. */
  private static Reference reference(Fields fields, InputSpec input) {
    int categories = input.allCategories().size();
    double[] shares = new double[categories];
    Arrays.fill(shares, 1);
    if (categories > 0) {
      shares = fields.list("categories").positiveWeights(categories).orElse(shares);
    }
    Optional<NumericReference> numbers =
        input.values().isEmpty()
            ? Optional.empty()
            : Optional.of(numbers(fields, input.values().size()));
    numbers.ifPresent(n -> requireScale(fields, n, input));
    fields.refuseUnknown();
    return new Reference(
        categories == 0 && numbers.isEmpty() ? new double[] {1, 1} : shares, numbers);
  }

  /** Numbers are told apart in units of the reference's scale: it must be one. */
  private static void requireScale(Fields fields, NumericReference numbers, InputSpec input) {
    double[] scale = numbers.scale();
    for (int i = 0; i < scale.length; i++) {
      if (!(scale[i] > 0 && Double.isFinite(scale[i]))) {
        fields.conflict(
            "numbers",
            "found a deviation of '" + input.values().get(i) + "' whose square is 0 or infinite",
            "a scale between 1e-150 and 1e150: give records and reference in another unit");
      }
    }
  }

  private static NumericReference numbers(Fields fields, int dimensions) {
    try {
      if (fields.has("uniform")) {
        Fields box = fields.section("uniform");
        Uniform uniform =
            new Uniform(box.list("low").numbers(dimensions), box.list("high").numbers(dimensions));
        box.refuseUnknown();
        return uniform;
      }
      List<Component> components = new ArrayList<>();
      String allowed =
          "'uniform: {low: [...], high: [...]}', or a list of {weight, mean: [...], deviation: [...]};"
              + " 'sfumato fit-reference' makes one from PUBLIC data";
      List<JsonNode> items = fields.list("gaussians").items(allowed);
      for (int i = 0; i < items.size(); i++) {
        Fields item = fields.item("gaussians", i, items.get(i));
        double weight = item.has("weight") ? item.list("weight").numbers(1)[0] : 1;
        components.add(
            new Component(
                weight,
                item.list("mean").numbers(dimensions),
                item.list("deviation").numbers(dimensions)));
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
