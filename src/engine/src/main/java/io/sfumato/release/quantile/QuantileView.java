// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.quantile;

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
import io.sfumato.schema.Estimate;
import io.sfumato.schema.Quantile;
import io.sfumato.schema.QuantileRelease;
import io.sfumato.schema.QuantileRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** Each quantile with its interval; those of categories as a grid below the line of all. */
final class QuantileView implements OutputView {
  private static final double MEDIAN = 0.5;

  /** So many categories are shown on a terminal. */
  private static final int ON_TERMINAL = 10;

  @Override
  public Schema schema() {
    return QuantileRelease.getClassSchema();
  }

  @Override
  public Set<String> drawn() {
    return Set.of("count", "quantiles", "categories");
  }

  @Override
  public List<OutputRow> rows(IndexedRecord output, Optional<PlannedRelease> planned) {
    QuantileRelease release = (QuantileRelease) output;
    String of = release.getValue();
    OutputRows rows =
        OutputRows.of(output)
            .sharing(release.getCategories() == null ? NoiseScope.GROUP : NoiseScope.WINDOW)
            .records(release.getRecords())
            .fact(Group.ALL, new Measure(Scale.LOWEST, of), Quantity.of(release.getLowest()))
            .fact(Group.ALL, new Measure(Scale.HIGHEST, of), Quantity.of(release.getHighest()))
            .fact(Group.ALL, new Measure("bins", of), Quantity.of((long) release.getBins()));
    add(rows, of, Group.ALL, release.getQuantiles(), release.getCount());
    if (release.getCategories() != null) {
      for (QuantileRow row : release.getCategories()) {
        add(rows, of, Group.category(row.getCategory()), row.getQuantiles(), row.getCount());
      }
    }
    return rows.all();
  }

  private static void add(
      OutputRows rows, String of, Group group, List<Quantile> quantiles, Estimate count) {
    for (Quantile quantile : quantiles) {
      rows.drawn(group, new Measure(measure(quantile), of), Quantity.of(quantile.getAt()));
    }
    rows.drawn(group, new Measure("count", of), Quantity.of(count));
  }

  private static String measure(Quantile quantile) {
    return "quantile " + quantile.getOf();
  }

  /** Of categories a card has what is nearest to the median. */
  @Override
  public Reading reading(IndexedRecord output) {
    QuantileRelease release = (QuantileRelease) output;
    List<Column> columns = new ArrayList<>();
    Optional<Quantile> middle =
        release.getQuantiles().stream()
            .min(Comparator.comparingDouble(quantile -> Math.abs(quantile.getOf() - MEDIAN)));
    for (Quantile quantile : release.getQuantiles()) {
      String label = label(quantile);
      boolean isOnCard =
          release.getCategories() == null || middle.filter(quantile::equals).isPresent();
      columns.add(
          Column.of(measure(quantile), label, Style.BINS)
              .worded(label + " %s")
              .in(isOnCard ? Place.BOTH : Place.TEXT));
    }
    columns.add(
        Column.of("count", Reading.RECORDS, Style.INTERVAL).worded("of %s records").in(Place.HEAD));
    return Reading.of(columns.toArray(Column[]::new))
        .withBars(release.getScale().equals("log") ? Scale.LOG_RANGE : Scale.RANGE)
        .atMost(ON_TERMINAL, Integer.MAX_VALUE)
        .followed();
  }

  private static String label(Quantile quantile) {
    double of = quantile.getOf();
    return of == MEDIAN ? "median" : percent(of) + "%";
  }

  private static String percent(double of) {
    String text = String.format(Locale.ROOT, "%.6f", 100 * of);
    return text.replaceAll("0+$", "").replaceAll("\\.$", "");
  }
}
