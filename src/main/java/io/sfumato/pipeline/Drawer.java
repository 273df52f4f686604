// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.noise.Framing;
import io.sfumato.noise.ReleaseId;
import io.sfumato.noise.ReplayableRandom;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;

/**
 * How one output is drawn of closed datasets: a function of the data, the release's id and the
 * randomness that follows from both. Whoever asks has charged before, and publishes after.
 */
public interface Drawer {
  /** Number of charged draws of one dataset, at least 1. */
  default int draws() {
    return 1;
  }

  /** Whether what is drawn of a subject depends on what was drawn of it before. */
  default boolean remembers() {
    return false;
  }

  /**
   * Prepares the draws of one dataset; called once the first is charged.
   *
   * @param memory what the subject's last draw left; nothing for one that {@link #remembers} not
   */
  Draws of(WindowData data, Optional<byte[]> memory);

  /** The draws of one dataset. */
  interface Draws {
    /** What {@code id} names, as its mechanism sees it: secret. */
    Draw exact(ReleaseId id);

    /** Appends the exact input and all parameters of a draw: its randomness depends on them. */
    void frame(ReleaseId id, Framing input);

    /** Draws what the label's id names, and writes it down. */
    Drawn draw(OutputLabel label, ReplayableRandom random);

    /** How often a learner failed while the draws were prepared. */
    default int failures() {
      return 0;
    }
  }

  /**
   * What was drawn.
   *
   * @param output to be published
   * @param memory what the subject's next draw depends on; nothing if it depends on nothing
   */
  record Drawn(SpecificRecord output, Optional<byte[]> memory) {
    /** Of a drawer that does not remember. */
    public Drawn(SpecificRecord output) {
      this(output, Optional.empty());
    }
  }
}
