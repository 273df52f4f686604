// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.abc;

import io.sfumato.pipeline.Card;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ViewText;
import io.sfumato.schema.AbcDecision;
import io.sfumato.text.Visible;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** An answer: accepted or not. */
final class DecisionView implements OutputView {

  @Override
  public Schema schema() {
    return AbcDecision.getClassSchema();
  }

  @Override
  public Set<String> drawn() {
    return Set.of("accepted");
  }

  @Override
  public String row(IndexedRecord output) {
    AbcDecision decision = (AbcDecision) output;
    return String.format(
        Locale.ROOT,
        "%s %d of %d %s  %s",
        Visible.of(decision.getQueryId()),
        decision.getCandidate(),
        decision.getCandidates(),
        decision.getAccepted() ? "accepted" : "rejected",
        ViewText.numbers(decision.getParameters()));
  }

  @Override
  public Card card(IndexedRecord output, PlannedRelease planned) {
    AbcDecision decision = (AbcDecision) output;
    String label = "%d of %d".formatted(decision.getCandidate() + 1, decision.getCandidates());
    return new Card(
        decision.getWindowStart(),
        decision.getWindowEnd(),
        List.of(new Card.Row(label, 1, decision.getAccepted() ? "accepted" : "rejected")));
  }
}
