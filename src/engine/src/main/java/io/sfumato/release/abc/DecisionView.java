// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.abc;

import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.rows.OutputRow;
import io.sfumato.rows.Quantity;
import io.sfumato.rows.Reading;
import io.sfumato.schema.AbcDecision;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** An answer: accepted or not. */
final class DecisionView implements OutputView {
  private static final String ACCEPTED = "accepted";

  @Override
  public Schema schema() {
    return AbcDecision.getClassSchema();
  }

  @Override
  public Set<String> drawn() {
    return Set.of("accepted");
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
    return Answers.rows(output)
        .drawn(Answers.group(output), ACCEPTED, Quantity.of(((AbcDecision) output).getAccepted()))
        .all();
  }

  @Override
  public Reading reading(IndexedRecord output) {
    String answer = ((AbcDecision) output).getAccepted() ? ACCEPTED : "rejected";
    return Answers.reading(output, answer, answer, ACCEPTED);
  }
}
