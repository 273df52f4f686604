// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.quantile;

import io.sfumato.mechanism.quantile.Bins;
import io.sfumato.mechanism.quantile.Bins.Scale;
import io.sfumato.mechanism.quantile.QuantileQuery;
import io.sfumato.pipeline.FieldSpec;
import io.sfumato.pipeline.FieldTypes;
import io.sfumato.pipeline.Fields;
import io.sfumato.pipeline.Grouping;
import io.sfumato.pipeline.ReleaseFields;
import io.sfumato.pipeline.Section;
import io.sfumato.pipeline.ValueType.Shape;
import io.sfumato.pipeline.ValueType.Word;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads {@code quantile:} of a pipeline file. */
final class QuantileReader {
  private static final int MOST_QUANTILES = 100;
  private static final String ALLOWED_QUANTILES =
      "a list of 1 to " + MOST_QUANTILES + " numbers between 0 and 1, such as [0.5, 0.9]";

  /** So that the file's other problems can still be told. */
  private static final Bins NONE = Bins.of(0, 1, 2, Scale.LINEAR);

  private static final FieldSpec<?> BOUNDS =
      FieldSpec.typed("bounds", FieldTypes.range("two numbers [lowest, highest]"))
          .means(
              "`[lowest, highest]`, public. Numbers beyond count in the first or last bin, and a quantile"
                  + " there is marked `clipped`.")
          .example("[0, 500]");

  private static final FieldSpec<Scale> SCALE =
      FieldSpec.word(
              "scale",
              new Word<>(Scales.words())
                  .means("linear", "bins of equal width.")
                  .means("log", "bins of equal ratio, for amounts and durations: bounds above 0."))
          .byDefault(Scale.LINEAR, "linear")
          .means("How bins divide the bounds.")
          .example("log");

  private static final FieldSpec<Integer> BINS =
      FieldSpec.count("bins", 2, Bins.LARGEST)
          .optional("4096; by category fewer, so that all have at most 65,536")
          .means(
              "How finely numbers are distinguished; noise hardly grows with it. By category, all"
                  + " together have at most 262,144.")
          .example("1024");

  private static final FieldSpec<?> OF =
      FieldSpec.typed(
              "of",
              new Shape(
                  ALLOWED_QUANTILES,
                  FieldTypes.array(
                          FieldTypes.type("number")
                              .put("exclusiveMinimum", 0)
                              .put("exclusiveMaximum", 1))
                      .put("minItems", 1)
                      .put("maxItems", MOST_QUANTILES)
                      .put("uniqueItems", true)))
          .optional("[0.5, 0.9, 0.99]")
          .means("Which quantiles.")
          .example("[0.25, 0.5, 0.75]");

  private static final FieldSpec<Long> PLAN_SIZE = ReleaseFields.PLAN_SIZE.byDefault(1000L);

  static final Section SECTION =
      Section.of(
          "Quantiles of a number, each with a 95% interval, all for one charge (`QuantileRelease`,"
              + " [guide](../guides/percentiles.md)).",
          ReleaseFields.VALUE, BOUNDS, Grouping.field("total"), SCALE, BINS, OF, PLAN_SIZE);

  private QuantileReader() {}

  static QuantileSpec read(ReleaseFields release) {
    Fields fields = release.fields();
    String value = release.value();
    int groups = Grouping.read(release, Grouping.TOTAL).groups(release.input());
    return new QuantileSpec(
        release.head(),
        value,
        release.placeOf(value, "value"),
        bins(fields, groups),
        groups,
        quantiles(fields),
        release.population(),
        fields.get(PLAN_SIZE));
  }

  private static Bins bins(Fields fields, int groups) {
    Scale scale = fields.get(SCALE);
    int number = number(fields, groups);
    String allowed =
        "two numbers [lowest, highest], the lower one first, at most 1e12, that you know without looking at the data"
            + (scale == Scale.LOG ? ", both above 0" : "")
            + "; what lies beyond counts in the first or last bin";
    Optional<double[]> ends = fields.list(BOUNDS).range(allowed);
    try {
      return ends.map(range -> Bins.of(range[0], range[1], number, scale)).orElse(NONE);
    } catch (IllegalArgumentException e) {
      fields.problem("bounds", e.getMessage(), allowed);
      return NONE;
    }
  }

  /** Bins of each group. */
  private static int number(Fields fields, int groups) {
    int number = fields.optional(BINS).orElse(QuantileQuery.binsUnlessSaid(groups));
    if (groups <= QuantileQuery.mostCategories(number)) {
      return number;
    }
    int most = QuantileQuery.MOST_ROWS / groups;
    fields.problem(
        "bins",
        String.format(Locale.ROOT, "found %d, of each of %,d categories", number, groups),
        String.format(
            Locale.ROOT,
            "%d or fewer: at most %,d of all categories together, for each has noise of its own",
            most,
            QuantileQuery.MOST_ROWS));
    return most;
  }

  private static List<Double> quantiles(Fields fields) {
    if (!fields.has(OF)) {
      return List.of(0.5, 0.9, 0.99);
    }
    List<Double> found =
        fields.list(OF).items(ALLOWED_QUANTILES).stream()
            .map(item -> item.isNumber() ? item.asDouble() : Double.NaN)
            .toList();
    boolean usable =
        !found.isEmpty()
            && found.size() <= MOST_QUANTILES
            && found.stream().allMatch(q -> q > 0 && q < 1)
            && found.stream().distinct().count() == found.size();
    if (!usable) {
      fields.problem("of", fields.found("of"), ALLOWED_QUANTILES + ", none twice");
      return List.of(0.5);
    }
    return found.stream().sorted().toList();
  }
}
