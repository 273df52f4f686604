// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mean;

import io.sfumato.mechanism.NumberBounds;
import io.sfumato.pipeline.EnumWords;
import io.sfumato.pipeline.FieldSpec;
import io.sfumato.pipeline.FieldTypes;
import io.sfumato.pipeline.Fields;
import io.sfumato.pipeline.Grouping;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.OverWindows;
import io.sfumato.pipeline.ReleaseFields;
import io.sfumato.pipeline.Section;
import io.sfumato.pipeline.ValueType.Word;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads {@code mean:} of a pipeline file. */
final class MeanReader {
  private static final int MOST_VALUES = 20;
  private static final String BOUNDS =
      "two numbers [lowest, highest], the lower one first, at most 1e12, that you know without looking at the data; what lies beyond counts as the nearer"
          + " one. Or 'auto' for all numbers of the release, with a release 'bounds' that finds them";

  /** In the place of bounds: found by a release of their own. */
  private static final String AUTO = "auto";

  /** So that the file's other problems can still be told. */
  private static final NumberBounds NONE = new NumberBounds(0, 1);

  private static final FieldSpec<?> VALUES =
      FieldSpec.typed("values", FieldTypes.texts(1, MOST_VALUES))
          .optional("`value` names one")
          .means(
              "Several numbers for one charge"
                  + " ([options](../guides/revenue-by-region.md#options)).")
          .example("[amount, items]");

  private static final FieldSpec<?> BOUNDS_FIELD =
      FieldSpec.typed(
              "bounds",
              FieldTypes.either(
                  BOUNDS,
                  FieldTypes.type("string").put("const", AUTO),
                  FieldTypes.range(),
                  FieldTypes.map(FieldTypes.range())))
          .means(
              "`[lowest, highest]`, public; numbers beyond count as the nearer one. With `values`, a"
                  + " mapping of each to its bounds. `auto`: a release `bounds` finds them.")
          .example("[0, 500]");

  private static final FieldSpec<Integer> MOMENTS =
      FieldSpec.count("moments", 1, 2)
          .byDefault(1)
          .means("2 adds variance and standard deviation; the mean's noise grows by a fifth.")
          .example("2");

  private static final FieldSpec<MeanSpec.Method> METHOD =
      FieldSpec.word(
              "method",
              new Word<>(EnumWords.of(MeanSpec.Method.values()))
                  .means("best", "the one with the narrower intervals of means."))
          .byDefault(MeanSpec.Method.BEST, "best")
          .means("Distribution of the noise. `share.delta` may be 0, which Laplace noise affords.")
          .example("laplace");

  private static final FieldSpec<Long> PLAN_SIZE = ReleaseFields.PLAN_SIZE.byDefault(1000L);

  static final Section SECTION =
      Section.of(
          "Number, sum and mean of records' numbers, each with a 95% interval (`MeanRelease`,"
              + " [guide](../guides/revenue-by-region.md)).",
          ReleaseFields.VALUE.optional("`values` names several"),
          VALUES,
          BOUNDS_FIELD,
          Grouping.field("category, or total where records have none"),
          MOMENTS,
          METHOD,
          OverWindows.RUNNING.where("with known bounds"),
          OverWindows.OVER.where("with known bounds"),
          PLAN_SIZE);

  private MeanReader() {}

  static MeanSpec read(ReleaseFields release) {
    Fields fields = release.fields();
    InputSpec input = release.input();
    Grouping grouping =
        Grouping.read(
            release, input.allCategories().isEmpty() ? Grouping.TOTAL : Grouping.CATEGORY);
    OverWindows over = OverWindows.read(fields);
    MeanSpec.Method method = fields.get(METHOD);
    if (over.needsPast()) {
      overWindows(release, over.running().isPresent() ? "running" : "over", method);
    }
    return new MeanSpec(
        release.head(),
        values(release),
        Math.max(1, input.values().size()),
        grouping,
        grouping.groups(input),
        fields.get(MOMENTS),
        method,
        over,
        release.population(),
        fields.get(PLAN_SIZE));
  }

  /** What rows of parts cannot do. */
  private static void overWindows(ReleaseFields release, String field, MeanSpec.Method method) {
    Fields fields = release.fields();
    if (method == MeanSpec.Method.GAUSSIAN
        && release.head().share().delta().value().signum() == 0) {
      fields.conflict(
          field,
          "is told with Gaussian noise, and the share has no delta",
          "only with a 'share.delta' above 0, such as 1e-6, or with 'method: laplace'");
    }
    if (fields.says("bounds", AUTO)) {
      fields.conflict(
          "bounds",
          "found 'auto'",
          "two numbers with '"
              + field
              + "': parts of windows add up only within bounds that stay, and those that are found change");
    }
  }

  private static List<MeasuredValue> values(ReleaseFields release) {
    Fields fields = release.fields();
    boolean several = fields.mentions("values");
    List<String> names =
        several ? fields.list(VALUES).texts(1, MOST_VALUES) : List.of(release.value());
    if (names.isEmpty()) {
      // What is wrong with the list is told: the rest of the file is read as if it named one.
      fields.has(BOUNDS_FIELD);
      return List.of(new MeasuredValue("x", 0, Optional.of(NONE)));
    }
    List<MeasuredValue> values = new ArrayList<>();
    for (String name : names) {
      int place = release.placeOf(name, several ? "values" : "value");
      values.add(new MeasuredValue(name, place, Optional.empty()));
    }
    if (fields.says("bounds", AUTO)) {
      return values;
    }
    if (!several) {
      return List.of(values.get(0).within(bounds(fields, "bounds")));
    }
    Fields all = fields.open("bounds");
    List<MeasuredValue> bounded =
        values.stream().map(value -> value.within(bounds(all, value.name()))).toList();
    all.refuseUnknown();
    return bounded;
  }

  private static NumberBounds bounds(Fields fields, String name) {
    Optional<double[]> ends = fields.list(name).range(BOUNDS);
    try {
      return ends.map(range -> new NumberBounds(range[0], range[1])).orElse(NONE);
    } catch (IllegalArgumentException e) {
      fields.problem(name, e.getMessage(), BOUNDS);
      return NONE;
    }
  }
}
