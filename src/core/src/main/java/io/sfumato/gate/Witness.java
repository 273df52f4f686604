// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.gate;

import io.sfumato.random.CanonicalEncoder;

/**
 * Sees every draw with its exact input: secret. The audit and tests have one, and they run on
 * synthetic data; production has none.
 */
@FunctionalInterface
public interface Witness {
  /** Ignores every draw. */
  Witness NONE = (draw, input) -> {};

  /**
   * Called before a draw: its charge stands, its exact input is fixed, its noise is not yet known.
   *
   * @param input from which the randomness follows, beside the draw's id
   */
  void drew(Draw<?> draw, CanonicalEncoder input);
}
