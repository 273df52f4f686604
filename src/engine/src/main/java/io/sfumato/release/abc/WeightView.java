// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.abc;

import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.rows.Group;
import io.sfumato.rows.OutputRow;
import io.sfumato.rows.Quantity;
import io.sfumato.rows.Reading;
import io.sfumato.schema.AbcWeight;
import io.sfumato.text.Bars;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** An answer: a weight. */
final class WeightView implements OutputView {
  private static final String WEIGHT = "weight";
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
  public boolean isAnswer() {
    return true;
  }

  @Override
  public List<String> categoryFields(Pipeline pipeline) {
    return Answers.FIELDS;
  }

  @Override
  public List<OutputRow> rows(IndexedRecord output, Optional<PlannedRelease> planned) {
    AbcWeight weight = (AbcWeight) output;
    Group group = Answers.group(output);
    return Answers.rows(output)
        .drawn(group, WEIGHT, Quantity.of(weight.getWeight()))
        .drawn(group, "noisy distance", Quantity.of(weight.getNoisyDistance()))
        .all();
  }

  @Override
  public Reading reading(IndexedRecord output) {
    double weight = ((AbcWeight) output).getWeight();
    String bar = Bars.bar(weight, BAR);
    return Answers.reading(
        output,
        String.format(Locale.ROOT, "weight %.4g %s", weight, bar),
        String.format(Locale.ROOT, "weight %.3g", weight),
        WEIGHT);
  }
}
