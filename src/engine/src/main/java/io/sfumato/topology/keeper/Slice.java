// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.keeper;

import io.sfumato.topology.keeper.Decisions.Outcome;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** One slice of a partition's work: what it may do, and what it ended with. */
final class Slice {
  private final int names;
  private final BooleanSupplier time;
  private boolean worked;
  private boolean cut;
  private boolean held;

  /**
   * @param names of one subject that it may look at, at least 1
   * @param time whether there is time for another subject or output
   */
  Slice(int names, BooleanSupplier time) {
    this.names = names;
    this.time = time;
  }

  int names() {
    return names;
  }

  BooleanSupplier time() {
    return time;
  }

  /** Decides one subject if there is time for it, as there is for the first; says if it is done. */
  boolean decides(Supplier<Outcome> subject) {
    cut = worked && !time.getAsBoolean();
    worked = true;
    if (cut) {
      return false;
    }
    Outcome outcome = subject.get();
    held = outcome == Outcome.HELD;
    cut = outcome == Outcome.SLICED;
    return outcome == Outcome.DECIDED;
  }

  /** It stopped in front of an answer that failed, or did not. */
  void hold(boolean failed) {
    held = failed;
  }

  /** Whether it stopped in front of a release that failed. */
  boolean isHeld() {
    return held;
  }

  /** Whether it stopped within a subject, or before one that there was no time for. */
  boolean isCut() {
    return cut;
  }
}
