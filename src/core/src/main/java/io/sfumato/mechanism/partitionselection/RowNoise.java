// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.partitionselection;

import io.sfumato.mechanism.continual.NoisyRunningRows;
import io.sfumato.mechanism.continual.Rows;
import io.sfumato.mechanism.continual.RunningMechanism;

/**
 * Gives rows of one name their noise. The noise of a row is a function of its place and of what the
 * row holds: it is the same however late, and however often, it is asked for.
 */
@FunctionalInterface
public interface RowNoise {
  /** Of which of a name's two sequences. */
  enum Sequence {
    COARSE,
    FINE
  }

  /**
   * Where a row lies.
   *
   * @param sequence which rows it belongs to: coarse or fine ones
   * @param window of the block, from 1: of a coarse row the one at whose end its test lies
   */
  record Place(Sequence sequence, int window) {}

  /**
   * A row with noise.
   *
   * @param exact secret
   */
  NoisyRunningRows noisy(Place place, RunningMechanism mechanism, Rows exact);
}
