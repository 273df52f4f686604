// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.bounds;

import io.sfumato.pipeline.Card;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ReportText;
import io.sfumato.pipeline.ViewText;
import io.sfumato.schema.BoundsRelease;
import io.sfumato.schema.BoundsRow;
import io.sfumato.text.Visible;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** Bounds, and what they rest on. */
final class BoundsView implements OutputView {
  @Override
  public Schema schema() {
    return BoundsRelease.getClassSchema();
  }

  @Override
  public Set<String> drawn() {
    return Set.of("lowest", "highest", "passed", "rows");
  }

  @Override
  public String row(IndexedRecord output) {
    BoundsRelease release = (BoundsRelease) output;
    return Visible.of(release.getValue())
        + found(release)
        + ViewText.leftOut(release.getExampleLeftOut());
  }

  private static String found(BoundsRelease release) {
    if (release.getPassed() == 0) {
      return String.format(
          Locale.ROOT,
          " has no bounds: no range with a noisy count of %,d or more",
          release.getThreshold());
    }
    return String.format(
        Locale.ROOT,
        " between %s and %s: %d %s with a noisy count of %,d or more",
        ReportText.number(release.getLowest()),
        ReportText.number(release.getHighest()),
        release.getPassed(),
        release.getPassed() == 1 ? "range" : "ranges",
        release.getThreshold());
  }

  @Override
  public Card card(IndexedRecord output, PlannedRelease planned) {
    BoundsRelease release = (BoundsRelease) output;
    return new Card(
        release.getWindowStart(),
        release.getWindowEnd(),
        release.getRecords() == null ? OptionalLong.empty() : OptionalLong.of(release.getRecords()),
        ViewText.optional(release.getExampleLeftOut()),
        release.getRows().stream().map(row -> shown(release, row)).toList());
  }

  private static Card.Row shown(BoundsRelease release, BoundsRow row) {
    return new Card.Row(
        "%s %s to %s"
            .formatted(
                Visible.of(release.getValue()),
                ReportText.number(row.getFrom()),
                ReportText.number(row.getTo())),
        row.getCount(),
        String.format(Locale.ROOT, "%,d", row.getCount()));
  }
}
