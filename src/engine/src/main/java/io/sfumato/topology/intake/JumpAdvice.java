// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.intake;

import io.sfumato.pipeline.WindowSpec;
import io.sfumato.pipeline.WindowSpec.Clock;
import io.sfumato.topology.context.PipelineStopException;

/**
 * A clock that jumps over more windows than {@code window.max-jump}: what it is, and what works
 * against it. Each remedy has its condition, since a wrong one closes windows for good.
 *
 * @param window of the pipeline
 * @param partition such as {@code events-3}
 * @param offset of the record or tick
 * @param from end of the windows that are closed, milliseconds since 1970
 * @param to end of those that would be closed
 * @param start where the jump starts
 */
record JumpAdvice(
    WindowSpec window, String partition, long offset, long from, long to, Start start) {

  /** Where a jump starts. */
  enum Start {
    /** After a window that the partition's clock has passed. */
    WINDOW,
    /** At the beginning: no window has closed. */
    BEGIN,
    /** Where an imported ledger was sealed: no window has closed since. */
    FLOOR
  }

  long windows() {
    return window.between(from, to);
  }

  PipelineStopException refusal() {
    String place = partition + "@" + offset;
    return new PipelineStopException(
        ("the clock of %s jumps over %d windows at offset %d; window.max-jump is %d. %sTo "
                + "release all these windows, including empty ones, run again with --accept-jump. "
                + "If only the time of this record or tick is wrong, stop all instances and skip "
                + "it: sfumato skip-record FILE %s")
            .formatted(partition, windows(), offset, window.maxJump(), atBegin(), place));
  }

  /** Of live data whose windows begin too early, each later tick jumps as far. */
  private String atBegin() {
    if (start == Start.WINDOW || window.clock() != Clock.TICKS) {
      return "";
    }
    String begin = window.startText(to);
    return start == Start.BEGIN
        ? "It starts at window.begin, so nothing was released yet. To start later, give the pipeline and its budget new names and write begin: %s. "
            .formatted(begin)
        : "It starts where the imported ledger was sealed, and nothing was released since. To start later, write a file NEW with another budget name and begin: %s, run 'sfumato ledger export FILE --stopped --for NEW --to LEDGER', and import that. "
            .formatted(begin);
  }
}
