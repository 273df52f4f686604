// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.gate;

import io.sfumato.mechanism.ExactData;
import io.sfumato.mechanism.Mechanism;

/**
 * One draw as an auditor sees it: the exact input, and the mechanism with its parameters. Secret;
 * its text names neither input nor subject.
 *
 * @param <D> the exact input
 */
public interface Draw<D extends ExactData> {
  /** What is drawn; no two draws of a run share it. */
  ReleaseId id();

  /** That draws, with its parameters. */
  Mechanism<D, ?> mechanism();

  /** The exact input: secret. */
  D exact();

  /** A draw of which nothing else is to be known. */
  static <D extends ExactData> Draw<D> of(ReleaseId id, Mechanism<D, ?> mechanism, D exact) {
    return new Plain<>(id, mechanism, exact);
  }

  /** The text of every draw. */
  static String masked(Draw<?> draw) {
    return draw.getClass().getSimpleName() + "[masked]";
  }

  /**
   * Without more.
   *
   * @param id of the draw
   * @param mechanism that draws
   * @param exact the exact input: secret
   */
  record Plain<D extends ExactData>(ReleaseId id, Mechanism<D, ?> mechanism, D exact)
      implements Draw<D> {
    @Override
    public String toString() {
      return masked(this);
    }
  }
}
