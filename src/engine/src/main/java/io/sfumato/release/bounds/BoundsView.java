// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.bounds;

import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.Plurals;
import io.sfumato.pipeline.ReportText;
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
import io.sfumato.schema.BoundsRelease;
import io.sfumato.schema.BoundsRow;
import io.sfumato.text.ControlCharEscaper;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** Bounds, and what they rest on. */
final class BoundsView implements OutputView {
  private static final String RANGE = "range";

  @Override
  public Schema schema() {
    return BoundsRelease.getClassSchema();
  }

  @Override
  public Set<String> drawn() {
    return Set.of("lowest", "highest", "passed", "rows");
  }

  @Override
  public List<String> categoryFields(Pipeline pipeline) {
    return List.of(RANGE);
  }

  @Override
  public List<OutputRow> rows(IndexedRecord output, Optional<PlannedRelease> planned) {
    BoundsRelease release = (BoundsRelease) output;
    String of = release.getValue();
    OutputRows rows =
        OutputRows.of(output)
            .sharing(NoiseScope.WINDOW)
            .records(release.getRecords())
            .fact(Group.ALL, new Measure("threshold", of), Quantity.of(release.getThreshold()))
            .drawn(Group.ALL, new Measure("passed", of), Quantity.of((long) release.getPassed()));
    if (release.getLowest() != null) {
      rows.drawn(Group.ALL, new Measure(Scale.LOWEST, of), Quantity.of(release.getLowest()))
          .drawn(Group.ALL, new Measure(Scale.HIGHEST, of), Quantity.of(release.getHighest()));
    }
    for (BoundsRow row : release.getRows()) {
      Group range =
          Group.of(
              RANGE, ReportText.number(row.getFrom()) + " to " + ReportText.number(row.getTo()));
      rows.drawn(range, new Measure("from", of), Quantity.of(row.getFrom()))
          .drawn(range, new Measure("to", of), Quantity.of(row.getTo()))
          .drawn(
              range,
              new Measure("count", of),
              Quantity.of(row.getCount()).withDeviation(release.getDeviation()));
    }
    return rows.all();
  }

  @Override
  public Reading reading(IndexedRecord output) {
    BoundsRelease release = (BoundsRelease) output;
    return Reading.headline(
        ControlCharEscaper.of(release.getValue()) + found(release),
        Column.of("count", Reading.RECORDS, Style.INTERVAL).in(Place.CARD));
  }

  private static String found(BoundsRelease release) {
    String enough =
        String.format(Locale.ROOT, " with a noisy count of %,d or more", release.getThreshold());
    return release.getLowest() == null
        ? " has no bounds: no range" + enough
        : String.format(
            Locale.ROOT,
            " between %s and %s: %s%s",
            ReportText.number(release.getLowest()),
            ReportText.number(release.getHighest()),
            Plurals.of(release.getPassed(), "range"),
            enough);
  }
}
