// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.quantile;

import io.sfumato.mechanism.quantile.Bins;
import io.sfumato.mechanism.quantile.Bins.Scale;
import io.sfumato.mechanism.quantile.QuantileQuery;
import io.sfumato.pipeline.Fields;
import io.sfumato.pipeline.Grouping;
import io.sfumato.pipeline.ReleaseFields;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads {@code quantile:} of a pipeline file. */
final class QuantileReader {
  private static final int MOST_QUANTILES = 100;

  /** So that the file's other problems can still be told. */
  private static final Bins NONE = Bins.of(0, 1, 2, Scale.LINEAR);

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
        fields.whole("plan-size", 1, 1_000_000_000, Optional.of(1000L)));
  }

  private static Bins bins(Fields fields, int groups) {
    Scale scale = fields.choice("scale", Scales.words(), Optional.of(Scale.LINEAR));
    int number = number(fields, groups);
    String allowed =
        "two numbers [lowest, highest], the lower one first, at most 1e12, that you know without looking at the data"
            + (scale == Scale.LOG ? ", both above 0" : "")
            + "; what lies beyond counts in the first or last bin";
    Optional<double[]> ends = fields.list("bounds").range(allowed);
    try {
      return ends.map(range -> Bins.of(range[0], range[1], number, scale)).orElse(NONE);
    } catch (IllegalArgumentException e) {
      fields.problem("bounds", e.getMessage(), allowed);
      return NONE;
    }
  }

  /** Bins of each group. */
  private static int number(Fields fields, int groups) {
    long unlessSaid = QuantileQuery.binsUnlessSaid(groups);
    int number = (int) fields.whole("bins", 2, Bins.LARGEST, Optional.of(unlessSaid));
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
    String allowed =
        "a list of 1 to " + MOST_QUANTILES + " numbers between 0 and 1, such as [0.5, 0.9]";
    if (!fields.has("of")) {
      return List.of(0.5, 0.9, 0.99);
    }
    List<Double> found =
        fields.list("of").items(allowed).stream()
            .map(item -> item.isNumber() ? item.asDouble() : Double.NaN)
            .toList();
    boolean usable =
        !found.isEmpty()
            && found.size() <= MOST_QUANTILES
            && found.stream().allMatch(q -> q > 0 && q < 1)
            && found.stream().distinct().count() == found.size();
    if (!usable) {
      fields.problem("of", fields.found("of"), allowed + ", none twice");
      return List.of(0.5);
    }
    return found.stream().sorted().toList();
  }
}
