// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mollifier;

import com.fasterxml.jackson.databind.JsonNode;
import io.sfumato.mechanism.mollifier.NumericReference;
import io.sfumato.mechanism.mollifier.NumericReference.Gaussians;
import io.sfumato.mechanism.mollifier.NumericReference.Gaussians.Component;
import io.sfumato.mechanism.mollifier.NumericReference.Uniform;
import io.sfumato.mechanism.mollifier.Reference;
import io.sfumato.pipeline.FieldSpec;
import io.sfumato.pipeline.FieldTypes;
import io.sfumato.pipeline.Fields;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.ReleaseFields;
import io.sfumato.pipeline.Section;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Reads {@code mollifier:} of a pipeline file. */
final class MollifierReader {
  private static final int PLAN_SIZE = 100;
  private static final String MIXTURES =
      "'uniform: {low: [...], high: [...]}', or a list of {weight, mean: [...], deviation: [...]};"
          + " 'sfumato fit-reference' makes one from PUBLIC data";

  private static final FieldSpec<Integer> ITEMS =
      FieldSpec.count("items", 1, 10_000).byDefault(1).means("Items of each window.").example("10");

  private static final FieldSpec<Integer> SIZE =
      FieldSpec.count("plan-size", 1, 10_000)
          .byDefault(PLAN_SIZE)
          .means("A public guess of a dataset's records, for `plan` and sampler `best` only.")
          .where("with numbers")
          .example("500");

  private static final FieldSpec<?> CATEGORIES =
      FieldSpec.typed("categories", FieldTypes.numbers("a list of numbers above 0, one a category"))
          .optional("uniform")
          .means("Public weights of the categories, all above 0.")
          .example("[3, 2, 1]");

  private static final FieldSpec<?> LOW = numbers("low", "Lowest values, one a number.", "[0, 0]");
  private static final FieldSpec<?> HIGH = numbers("high", "Highest values.", "[10, 1]");
  private static final FieldSpec<?> MEAN = numbers("mean", "Means, one a number.", "[5, 0.5]");
  private static final FieldSpec<?> DEVIATION =
      numbers("deviation", "Standard deviations, all above 0.", "[2, 0.1]");
  private static final FieldSpec<?> WEIGHT =
      numbers("weight", "Weight of the component.", "1").optional("1");

  private static final FieldSpec<Section> UNIFORM =
      FieldSpec.section("uniform", Section.of("A public box of the numbers.", LOW, HIGH))
          .optional()
          .means("A public box of the numbers.")
          .where("with numbers")
          .example("{low: [0], high: [10]}");

  private static final Section COMPONENT = Section.of("One Gaussian.", WEIGHT, MEAN, DEVIATION);

  private static final FieldSpec<?> GAUSSIANS =
      FieldSpec.typed("gaussians", FieldTypes.mappings(MIXTURES, COMPONENT))
          .optional("required for numbers without `uniform`")
          .means("A public mixture of Gaussians; `sfumato fit-reference` fits one to public data.")
          .where("with numbers")
          .example("[{mean: [5], deviation: [2]}]");

  private static final FieldSpec<Section> REFERENCE =
      FieldSpec.section(
              "reference",
              Section.of(
                  "The public reference distribution that items are drawn near.",
                  CATEGORIES,
                  UNIFORM,
                  GAUSSIANS))
          .optional("uniform over the categories; required for numbers")
          .means("The public reference distribution that items are drawn near.")
          .example("{uniform: {low: [0], high: [10]}}");

  static final Section SECTION =
      new Section(
              "Synthetic items (`MollifiedSample`, [guide](../guides/synthetic-items.md)). Without a"
                  + " delta in the share, an item gets an equal part of epsilon.",
              SamplerReader.FIELDS)
          .after(List.of(ITEMS, REFERENCE, SIZE));

  private MollifierReader() {}

  static MollifierSpec items(ReleaseFields release) {
    Fields fields = release.fields();
    InputSpec input = release.input();
    if (input.category().isPresent()) {
      release.requireCategories("items", "found items of categories", "");
    }
    int items = fields.get(ITEMS);
    Reference reference = reference(fields.section(REFERENCE), input);
    Sampler sampler = SamplerReader.sampler(fields, input, reference);
    int planSize = fields.get(SIZE);
    if (fields.has(SIZE) && input.values().isEmpty()) {
      fields.conflict("plan-size", fields.found("plan-size"), "with numbers only");
    }
    return new MollifierSpec(release.head(), items, sampler, reference, planSize);
  }

  private static FieldSpec<?> numbers(String name, String meaning, String example) {
    return FieldSpec.typed(
            name,
            FieldTypes.either(
                "a number, or a list of them",
                FieldTypes.type("number"),
                FieldTypes.array(FieldTypes.type("number"))))
        .means(meaning)
        .example(example);
  }

  /** By default uniform over the categories; numbers need theirs spelled out. */
  private static Reference reference(Fields fields, InputSpec input) {
    int categories = input.allCategories().size();
    double[] shares = new double[categories];
    Arrays.fill(shares, 1);
    if (categories > 0) {
      shares = fields.list(CATEGORIES).positiveWeights(categories).orElse(shares);
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
      if (fields.has(UNIFORM)) {
        Fields box = fields.section(UNIFORM);
        double[] low = box.list(LOW).numbers(dimensions);
        double[] high = box.list(HIGH).numbers(dimensions);
        box.refuseUnknown();
        return new Uniform(low, high);
      }
      List<Component> components = new ArrayList<>();
      List<JsonNode> items = fields.list(GAUSSIANS).items(MIXTURES);
      for (int i = 0; i < items.size(); i++) {
        Fields item = fields.item("gaussians", i, items.get(i), COMPONENT);
        double weight = item.has(WEIGHT) ? item.list(WEIGHT).numbers(1)[0] : 1;
        components.add(
            new Component(
                weight,
                item.list(MEAN).numbers(dimensions),
                item.list(DEVIATION).numbers(dimensions)));
        item.refuseUnknown();
      }
      if (!components.isEmpty()) {
        return new Gaussians(components);
      }
      if (fields.has(GAUSSIANS)) {
        fields.problem("gaussians", "found none, which has no full support", MIXTURES);
      }
    } catch (IllegalArgumentException e) {
      fields.conflict("numbers", e.getMessage(), "a density with full support on its domain");
    }
    double[] ones = new double[dimensions];
    Arrays.fill(ones, 1);
    return Gaussians.of(new double[dimensions], ones);
  }
}
