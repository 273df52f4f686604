// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.abc;

import io.sfumato.pipeline.Card;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ViewText;
import io.sfumato.schema.AbcWeight;
import io.sfumato.text.Bars;
import io.sfumato.text.Visible;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** An answer: a weight. */
final class WeightView implements OutputView {
  private static final int BAR = 8;

  @Override
  public Schema schema() {
    return AbcWeight.getClassSchema();
  }

  @Override
  public Set<String> drawn() {
    return Set.of("noisy_distance", "weight");
  }

  @Override
  public String row(IndexedRecord output) {
    AbcWeight weight = (AbcWeight) output;
    return String.format(
        Locale.ROOT,
        "%s %d of %d weight %.4g %s  %s",
        Visible.of(weight.getQueryId()),
        weight.getCandidate(),
        weight.getCandidates(),
        weight.getWeight(),
        Bars.bar(weight.getWeight(), BAR),
        ViewText.numbers(weight.getParameters()));
  }

  @Override
  public Card card(IndexedRecord output, PlannedRelease planned) {
    AbcWeight weight = (AbcWeight) output;
    String label = "%d of %d".formatted(weight.getCandidate() + 1, weight.getCandidates());
    return new Card(
        weight.getWindowStart(),
        weight.getWindowEnd(),
        List.of(
            new Card.Row(label, 1, String.format(Locale.ROOT, "weight %.3g", weight.getWeight()))));
  }
}
