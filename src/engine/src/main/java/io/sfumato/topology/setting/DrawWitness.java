// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.setting;

import io.sfumato.noise.Framing;
import io.sfumato.pipeline.Draw;

/**
 * Is told of every draw, with the exact input: secret. For the audit and tests, which run on
 * made-up data; a production run has none, and nothing but a {@link Deployment} can give it one.
 */
public interface DrawWitness {
  /**
   * Something was drawn: charged, its exact input fixed, its noise not yet known.
   *
   * @param input that the randomness follows from, beside the draw's id
   */
  void drew(Draw<?> draw, Framing input);

  /** Looks away. */
  static DrawWitness none() {
    return (draw, input) -> {};
  }
}
