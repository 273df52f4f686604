// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.inference;

import io.sfumato.modeller.Posterior;
import io.sfumato.modeller.PseudoData;
import io.sfumato.modeller.Simulator;
import io.sfumato.random.KeyedRandom;

/**
 * What a modeller makes of one window by way of one output: rehearsed on made-up data, so that a
 * plan can say what it would be worth.
 */
public interface Inference {
  /** Records of a window, as planned, at least 1; public. */
  int records();

  /**
   * Draws from the output's law for a made-up window, and infers. Equal randomness gives an equal
   * posterior.
   *
   * @param window made-up, of {@link #records}
   * @param random of noise and candidates
   * @throws IllegalArgumentException if the output is about another kind of data
   */
  Posterior of(PseudoData window, Simulator simulator, KeyedRandom random);
}
