// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.pipeline.Card;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.schema.TopName;
import io.sfumato.schema.TopRelease;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** Lists of the largest counts. */
final class TopView implements OutputView {
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
    return LargestNames.since(top.getSince(), top.getWindowStart())
        + (top.getRows().isEmpty()
            ? "no name"
            : top.getRows().stream()
                .map(row -> row.getRank() + ". " + LargestNames.shown(bar(row)))
                .collect(Collectors.joining("  ")));
  }

  @Override
  public Card card(IndexedRecord output, PlannedRelease source) {
    TopRelease top = (TopRelease) output;
    return LargestNames.card(
        top.getSince(),
        top.getWindowStart(),
        top.getWindowEnd(),
        top.getRows().stream().limit(ON_CARD).map(TopView::bar).toList());
  }

  private static LargestNames.Bar bar(TopName row) {
    return new LargestNames.Bar(
        row.getName(), row.getCount(), row.getLow(), row.getHigh(), row.getFound());
  }
}
