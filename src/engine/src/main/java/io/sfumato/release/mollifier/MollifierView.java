// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mollifier;

import io.sfumato.pipeline.Card;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ViewText;
import io.sfumato.schema.MollifiedSample;
import io.sfumato.text.Visible;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** One item. */
final class MollifierView implements OutputView {
  @Override
  public Schema schema() {
    return MollifiedSample.getClassSchema();
  }

  @Override
  public Set<String> drawn() {
    return Set.of("category", "values");
  }

  @Override
  public String row(IndexedRecord output) {
    MollifiedSample item = (MollifiedSample) output;
    return String.format(
        Locale.ROOT,
        "item %d of %d  %s %s",
        item.getItem() + 1,
        item.getItems(),
        item.getCategory() == null ? "" : Visible.of(item.getCategory()),
        ViewText.numbers(item.getValues()));
  }

  @Override
  public Card card(IndexedRecord output, PlannedRelease planned) {
    MollifiedSample item = (MollifiedSample) output;
    String category = item.getCategory() == null ? "an item of numbers" : item.getCategory();
    return new Card(
        item.getWindowStart(), item.getWindowEnd(), List.of(new Card.Row(category, 1, "")));
  }
}
