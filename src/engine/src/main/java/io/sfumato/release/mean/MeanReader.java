// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mean;

import io.sfumato.mechanism.NumberBounds;
import io.sfumato.pipeline.EnumWords;
import io.sfumato.pipeline.Fields;
import io.sfumato.pipeline.Grouping;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.OverWindows;
import io.sfumato.pipeline.ReleaseFields;
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

  private MeanReader() {}

  static MeanSpec read(ReleaseFields release) {
    Fields fields = release.fields();
    InputSpec input = release.input();
    Grouping grouping =
        Grouping.read(
            release, input.allCategories().isEmpty() ? Grouping.TOTAL : Grouping.CATEGORY);
    OverWindows over = OverWindows.read(fields);
    MeanSpec.Method method =
        fields.choice(
            "method", EnumWords.of(MeanSpec.Method.values()), Optional.of(MeanSpec.Method.BEST));
    if (over.needsPast()) {
      overWindows(release, over.running().isPresent() ? "running" : "over", method);
    }
    return new MeanSpec(
        release.head(),
        values(release),
        Math.max(1, input.values().size()),
        grouping,
        grouping.groups(input),
        (int) fields.whole("moments", 1, 2, Optional.of(1L)),
        method,
        over,
        release.population(),
        fields.whole("plan-size", 1, 1_000_000_000, Optional.of(1000L)));
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
        several ? fields.list("values").texts(1, MOST_VALUES) : List.of(release.value());
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
    Fields all = fields.section("bounds");
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
