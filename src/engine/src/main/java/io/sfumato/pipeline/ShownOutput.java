// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.rows.Card;
import io.sfumato.rows.Cards;
import io.sfumato.rows.LocalTimes;
import io.sfumato.rows.OutputHead;
import io.sfumato.rows.OutputText;
import io.sfumato.rows.TextLength;
import java.util.Optional;
import org.apache.avro.generic.IndexedRecord;

/**
 * An output as people see it: of every kind from its rows.
 *
 * @param view of its kind
 * @param output of that kind's schema
 */
public record ShownOutput(OutputView view, IndexedRecord output) {
  /** In a line, or in lines; times are in UTC. */
  public String text(TextLength length) {
    return text(length, LocalTimes.UTC);
  }

  /** The same with times by the clocks of a zone. */
  public String text(TextLength length, LocalTimes times) {
    return OutputText.of(
        OutputHead.of(output),
        view.rows(output, Optional.empty()),
        view.reading(output),
        length,
        times);
  }

  /**
   * On the operators' page.
   *
   * @param release of the plan that published it, or whose records it is made of
   */
  public Card card(PlannedRelease release) {
    return Cards.of(
        OutputHead.of(output), view.rows(output, Optional.of(release)), view.reading(output));
  }
}
