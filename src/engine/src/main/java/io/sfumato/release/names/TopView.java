// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.pipeline.Card;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.Stretch;
import io.sfumato.pipeline.ViewText;
import io.sfumato.schema.TopName;
import io.sfumato.schema.TopRelease;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** Lists of the largest counts. */
final class TopView implements OutputView {
  /** At most so many in a row of a table. */
  private static final int IN_ROW = 20;

  /** So many on a card. */
  private static final int ON_CARD = 20;

  @Override
  public Schema schema() {
    return TopRelease.getClassSchema();
  }

  @Override
  public Set<String> drawn() {
    return Set.of("rows", "names");
  }

  @Override
  public String row(IndexedRecord output) {
    TopRelease top = (TopRelease) output;
    String since = LargestNames.since(top.getSince(), top.getWindowStart());
    if (top.getRows().isEmpty()) {
      return since + "no name";
    }
    return since
        + LargestNames.line(
            top.getRows().stream()
                .limit(IN_ROW)
                .map(
                    row ->
                        row.getRank()
                            + ". "
                            + LargestNames.shown(row.getName(), row.getCount(), row.getFound()))
                .toList(),
            top.getRows().size(),
            "")
        + LargestNames.within(top.getRows().stream().limit(IN_ROW).map(TopView::bar).toList())
        + ViewText.leftOut(top.getExampleLeftOut());
  }

  @Override
  public Card card(IndexedRecord output, PlannedRelease source) {
    TopRelease top = (TopRelease) output;
    return LargestNames.card(
        top.getSince().equals(top.getWindowStart())
            ? Stretch.own(top.getWindowStart())
            : Stretch.running(top.getSince(), null),
        top.getWindowEnd(),
        top.getRows().stream().limit(ON_CARD).map(TopView::bar).toList(),
        top.getRows().size(),
        ViewText.optional(top.getExampleLeftOut()));
  }

  private static LargestNames.Bar bar(TopName row) {
    return new LargestNames.Bar(
        row.getName(), row.getCount(), row.getLow(), row.getHigh(), row.getFound());
  }
}
