// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mean;

import io.sfumato.console.Visible;
import io.sfumato.pipeline.Card;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ViewText;
import io.sfumato.schema.Estimate;
import io.sfumato.schema.MeanRelease;
import io.sfumato.schema.MeanRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** Means first, since these are what the release is about. */
final class MeanView implements OutputView {
  @Override
  public Schema schema() {
    return MeanRelease.getClassSchema();
  }

  @Override
  public Set<String> drawn() {
    return Set.of("rows");
  }

  @Override
  public String row(IndexedRecord output) {
    MeanRelease release = (MeanRelease) output;
    return release.getRows().stream().map(MeanView::told).collect(Collectors.joining("; "))
        + ViewText.leftOut(release.getExampleLeftOut());
  }

  private static String told(MeanRow row) {
    List<String> parts = new ArrayList<>();
    parts.add("mean " + text(row.getMean()));
    if (row.getSpread() != null) {
      parts.add("spread " + text(row.getSpread()));
    }
    parts.add("sum " + text(row.getSum()));
    parts.add(
        "of " + text(row.getCount()) + (row.getCount().getValue() == 1 ? " record" : " records"));
    return name(row) + " " + String.join(", ", parts);
  }

  private static String name(MeanRow row) {
    return Visible.of(
        row.getCategory() == null ? row.getValue() : row.getCategory() + " " + row.getValue());
  }

  private static String text(Estimate estimate) {
    return ViewText.interval(estimate.getValue(), estimate.getLow(), estimate.getHigh());
  }

  @Override
  public Card card(IndexedRecord output, PlannedRelease planned) {
    MeanRelease release = (MeanRelease) output;
    return new Card(
        release.getWindowStart(),
        release.getWindowEnd(),
        release.getRecords() == null ? OptionalLong.empty() : OptionalLong.of(release.getRecords()),
        ViewText.optional(release.getExampleLeftOut()),
        release.getRows().stream().map(MeanView::bar).toList());
  }

  @Override
  public boolean hasCourse() {
    return true;
  }

  /** Where in its range the mean lies. */
  private static Card.Row bar(MeanRow row) {
    Estimate mean = row.getMean();
    double range = row.getHighest() - row.getLowest();
    return new Card.Row(
        name(row),
        mean.getValue(),
        OptionalDouble.of((mean.getValue() - row.getLowest()) / range),
        OptionalDouble.of((mean.getHigh() - mean.getLow()) / (2 * range)),
        String.format(Locale.ROOT, "%s, of %s", text(mean), text(row.getCount())));
  }
}
