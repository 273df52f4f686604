// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.setting;

import io.sfumato.pipeline.Draw;

/**
 * Is told of every draw, with the exact input: secret. For the audit and tests, which run on
 * made-up data; a production run has none, and nothing but a {@link Deployment} can give it one.
 */
public interface DrawWitness {
  /** Something was drawn: charged, its exact input fixed, its noise not yet known. */
  void drew(Draw draw);

  /** Looks away. */
  static DrawWitness none() {
    return draw -> {};
  }
}
