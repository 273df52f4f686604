// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.gate.Gate;
import io.sfumato.gate.Measured;
import io.sfumato.gate.Permit;
import io.sfumato.mechanism.ReleasedData;
import io.sfumato.pipeline.ReleaseSampler.Drawn;
import io.sfumato.pipeline.ReleaseSampler.Prepared;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * The draws of one dataset.
 *
 * @param <R> what is drawn
 * @param measured that is drawn from
 * @param written what is drawn as an output
 * @param way through the gate
 */
record PreparedDraws<R extends ReleasedData>(
    Measured<?, R> measured, BiFunction<OutputLabel, R, Drawn> written, Way<R> way)
    implements Prepared {
  /** How a draw passes the gate. */
  @FunctionalInterface
  interface Way<R> {
    /** Nothing where not even that may be known. */
    Optional<R> drawn(OutputLabel label, Gate gate, Permit permit);
  }

  @Override
  public int failures() {
    return measured.failures();
  }

  @Override
  public Drawn draw(OutputLabel label, Gate gate, Permit permit) {
    return way.drawn(label, gate, permit)
        .map(drawn -> written.apply(label, drawn))
        .orElse(Drawn.NOTHING);
  }
}
