// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.gate.NoiseKey;
import io.sfumato.pipeline.Durations;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.ticker.LastTicks;
import io.sfumato.topology.StateReader;
import io.sfumato.topology.clock.TickVerifier;
import io.sfumato.topology.context.OperatorOrders;
import io.sfumato.topology.context.SourceTopics;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Refuses a first start that would drop what the topics hold. Records that are EARLY are dropped
 * for good, and without ticks between them all records are that lie far enough behind the windows'
 * beginning.
 */
record UnreadPast(Pipeline pipeline, SourceTopics sources, KafkaSettings settings, NoiseKey key) {
  /** What operators said about the topic, which is read where it matters alone. */
  interface Orders {
    OperatorOrders read() throws RefusedException;
  }

  /**
   * @param state of the budget; an empty one if there is none
   * @param now wall clock, milliseconds since 1970
   * @throws RefusedException with the ways to go on
   */
  void require(StateReader state, Orders orders, long now) throws RefusedException {
    WindowSpec window = pipeline.window();
    if (window.clock() != WindowSpec.Clock.TICKS
        || window.begin().isEmpty()
        || state.hasRun()
        || window.begin().getAsLong() + window.ahead().toMillis() >= now) {
      return;
    }
    OperatorOrders said = orders.read();
    if (!said.isCaughtUp()) {
      requireTicks(said, now);
    }
  }

  private void requireTicks(OperatorOrders said, long now) throws RefusedException {
    WindowSpec window = pipeline.window();
    TickVerifier judge =
        new TickVerifier(window, Optional.of(key.tickKey(pipeline.budget().name())));
    LastTicks.Found found = new LastTicks(settings, sources, judge, said).all();
    if (found.holdsRecords() && found.last().stream().noneMatch(OptionalLong::isPresent)) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "%s already holds records but no ticks of budget '%s'. Records more than window.ahead (%s) after window.begin (%s) would be dropped as EARLY permanently. To count them, start with --catch-up. To leave them out, write begin: %s, the current window"
              .formatted(
                  pipeline.input().topics().quoted(),
                  pipeline.budget().name(),
                  Durations.word(window.ahead()),
                  window.startText(window.begin().getAsLong()),
                  window.startText(window.startOf(now))));
    }
  }
}
