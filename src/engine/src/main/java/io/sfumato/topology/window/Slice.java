// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.window;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** One slice of a partition's work: what it may do, and what it ended with. */
public final class Slice {
  private final int names;
  private final BooleanSupplier time;
  private boolean worked;
  private boolean cut;
  private boolean held;

  /**
   * @param names of one subject that it may look at, at least 1
   * @param time whether there is time for another subject, user or output
   */
  Slice(int names, BooleanSupplier time) {
    this.names = names;
    this.time = time;
  }

  /** How far a subject or user came. */
  public enum Outcome {
    /** All is done. */
    DECIDED,
    /** Names or outputs are left: it is asked again. */
    SLICED,
    /** A release of it failed before, and waits for an operator. */
    HELD
  }

  /** Names of one subject that it may look at. */
  public int names() {
    return names;
  }

  /** Whether there is time for another subject, user or output. */
  public BooleanSupplier time() {
    return time;
  }

  /** Does one if there is time for it, as there is for the first; says whether it is done with. */
  public boolean decides(Supplier<Outcome> one) {
    cut = worked && !time.getAsBoolean();
    worked = true;
    if (cut) {
      return false;
    }
    Outcome outcome = one.get();
    held = outcome == Outcome.HELD;
    cut = outcome == Outcome.SLICED;
    return outcome == Outcome.DECIDED;
  }

  /** It stopped in front of an answer that failed, or did not. */
  public void hold(boolean failed) {
    held = failed;
  }

  /** Whether it stopped in front of a release that failed. */
  public boolean isHeld() {
    return held;
  }

  /** Whether it stopped within a subject, or before one that there was no time for. */
  public boolean isCut() {
    return cut;
  }
}
