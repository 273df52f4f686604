// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.rows.Group;
import io.sfumato.rows.NoiseScope;
import io.sfumato.rows.OutputRow;
import io.sfumato.rows.OutputRows;
import io.sfumato.rows.Quantity;
import io.sfumato.rows.Reading;
import io.sfumato.rows.Stretch;
import io.sfumato.schema.TopName;
import io.sfumato.schema.TopRelease;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** Lists of the largest counts. */
final class TopView implements OutputView {
  /** So many on a terminal, and on a card. */
  private static final int SHOWN = 20;

  @Override
  public Schema schema() {
    return TopRelease.getClassSchema();
  }

  @Override
  public Set<String> drawn() {
    return Set.of("rows", "names");
  }

  @Override
  public List<OutputRow> rows(IndexedRecord output, Optional<PlannedRelease> source) {
    TopRelease top = (TopRelease) output;
    OutputRows rows = OutputRows.of(output).sharing(NoiseScope.PIPELINE);
    if (!top.getSince().equals(top.getWindowStart())) {
      rows.about(Stretch.running(top.getSince(), null));
    }
    rows.fact("most names", Quantity.of((long) top.getK()))
        .drawn(Group.ALL, "names", Quantity.of(top.getNames()));
    for (TopName name : top.getRows()) {
      rows.drawn(
          Group.category(name.getName()), LargestNames.RANK, Quantity.of((long) name.getRank()));
      LargestNames.add(
          rows,
          name.getName(),
          Quantity.between(name.getCount(), name.getLow(), name.getHigh()),
          name.getFound());
    }
    return rows.all();
  }

  @Override
  public Reading reading(IndexedRecord output) {
    return LargestNames.reading().saying("", "no name").atMost(SHOWN, SHOWN);
  }
}
