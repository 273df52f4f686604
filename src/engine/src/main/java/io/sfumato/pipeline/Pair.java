// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.gate.Draw;
import io.sfumato.mechanism.ExactData;

/**
 * One draw in two neighbouring runs.
 *
 * @param <D> the exact input of both
 */
public record Pair<D extends ExactData>(Draw<D> first, Draw<D> second) {
  /** The other way round. */
  public Pair<D> swapped() {
    return new Pair<>(second, first);
  }

  /** Of both. */
  public String subject() {
    return first.id().subject();
  }

  /** Of both, milliseconds since 1970. */
  public long windowStart() {
    return first.id().windowStart();
  }
}
