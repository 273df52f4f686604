// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mean;

import io.sfumato.inference.Likelihood;
import io.sfumato.mechanism.NumberBounds;
import io.sfumato.mechanism.moments.BernsteinParts;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.rows.Column;
import io.sfumato.rows.Column.Place;
import io.sfumato.rows.Column.Style;
import io.sfumato.rows.Group;
import io.sfumato.rows.Measure;
import io.sfumato.rows.NoiseScope;
import io.sfumato.rows.OutputRow;
import io.sfumato.rows.OutputRows;
import io.sfumato.rows.Quantity;
import io.sfumato.rows.Reading;
import io.sfumato.rows.Scale;
import io.sfumato.rows.Stretch;
import io.sfumato.schema.MeanRelease;
import io.sfumato.schema.MeanRow;
import io.sfumato.text.ControlCharEscaper;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** Means first, since these are what the release is about. */
final class MeanView implements OutputView {
  /** So many categories are shown on a terminal. */
  private static final int ON_TERMINAL = 10;

  @Override
  public Schema schema() {
    return MeanRelease.getClassSchema();
  }

  @Override
  public Set<String> drawn() {
    return Set.of("rows", "last_rows");
  }

  @Override
  public List<OutputRow> rows(IndexedRecord output, Optional<PlannedRelease> planned) {
    MeanRelease release = (MeanRelease) output;
    OutputRows rows = OutputRows.of(output).sharing(NoiseScope.GROUP);
    if (release.getSince() != null) {
      rows.about(Stretch.running(release.getSince(), release.getWindows()));
    }
    rows.records(release.getRecords());
    release.getRows().forEach(row -> add(rows, row, release.getDeviation()));
    if (release.getLastRows() != null) {
      rows.about(Stretch.last(release.getLastSince(), release.getLastWindows()))
          .records(release.getLastRecords());
      release.getLastRows().forEach(row -> add(rows, row, release.getLastDeviation()));
    }
    return rows.all();
  }

  private static void add(OutputRows rows, MeanRow row, double deviation) {
    Group group = row.getCategory() == null ? Group.ALL : Group.category(row.getCategory());
    String of = row.getValue();
    rows.fact(group, new Measure(Scale.LOWEST, of), Quantity.of(row.getLowest()))
        .fact(group, new Measure(Scale.HIGHEST, of), Quantity.of(row.getHighest()))
        .drawn(group, new Measure("mean", of), Quantity.of(row.getMean()));
    if (row.getVariance() != null) {
      rows.drawn(group, new Measure("variance", of), Quantity.of(row.getVariance()));
    }
    if (row.getSpread() != null) {
      rows.drawn(group, new Measure("spread", of), Quantity.of(row.getSpread()));
    }
    rows.drawn(group, new Measure("sum", of), Quantity.of(row.getSum()))
        .drawn(group, new Measure("count", of), Quantity.of(row.getCount()));
    for (int part = 0; part < row.getParts().size(); part++) {
      rows.drawn(
          group,
          new Measure("part " + part, of),
          Quantity.of(row.getParts().get(part)).withDeviation(deviation));
    }
  }

  @Override
  public Reading reading(IndexedRecord output) {
    return Reading.of(
            Column.of("mean", "mean", Style.INTERVAL).worded("mean %s"),
            Column.of("spread", "spread", Style.INTERVAL).worded("spread %s").in(Place.TEXT),
            Column.of("sum", "sum", Style.INTERVAL).worded("sum %s").in(Place.TEXT),
            Column.of("count", Reading.RECORDS, Style.INTERVAL)
                .worded("of %s records")
                .in(Place.HEAD))
        .withBars(Scale.RANGE)
        .atMost(ON_TERMINAL, Integer.MAX_VALUE)
        .followed();
  }

  /**
   * Of all of one window's records together: a simulator tells nothing of categories, nor of other
   * windows.
   *
   * @throws IllegalArgumentException if the release is none that the file plans; says why
   */
  @Override
  public Optional<Likelihood> likelihood(IndexedRecord output, PlannedRelease planned) {
    if (!planned.hasLikelihood()) {
      return Optional.empty();
    }
    PlannedMean means = (PlannedMean) planned;
    MeanRelease release = (MeanRelease) output;
    List<NumberBounds> within =
        release.getRows().stream()
            .map(row -> new NumberBounds(row.getLowest(), row.getHighest()))
            .toList();
    double deviation = means.plan().mechanism().noise().deviation() / BernsteinParts.STEPS;
    if (!isOf(release, within, means.spec()) || release.getDeviation() != deviation) {
      throw new IllegalArgumentException(
          "the release is of %s with noise of %.6g, the file plans %s with %.6g: it is of another version of the file"
              .formatted(
                  ControlCharEscaper.of(
                      String.join(", ", release.getRows().stream().map(MeanView::range).toList())),
                  release.getDeviation(),
                  String.join(
                      ", ", means.spec().values().stream().map(MeasuredValue::range).toList()),
                  deviation));
    }
    return Optional.of(
        means.likelihood(
            within,
            release.getRows().stream()
                .flatMap(row -> row.getParts().stream())
                .mapToDouble(Double::doubleValue)
                .toArray(),
            release.getRecords() == null
                ? OptionalLong.empty()
                : OptionalLong.of(release.getRecords())));
  }

  /** Whether the same numbers were summarised, within the file's bounds where it says any. */
  private static boolean isOf(MeanRelease release, List<NumberBounds> within, MeanSpec spec) {
    List<MeasuredValue> values = spec.values();
    return release.getRows().size() == values.size()
        && IntStream.range(0, values.size())
            .allMatch(
                i ->
                    release.getRows().get(i).getValue().equals(values.get(i).name())
                        && values.get(i).bounds().map(within.get(i)::equals).orElse(true));
  }

  private static String range(MeanRow row) {
    return "%s from %s to %s".formatted(row.getValue(), row.getLowest(), row.getHighest());
  }
}
