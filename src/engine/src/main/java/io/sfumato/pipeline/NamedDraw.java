// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.gate.Draw;
import io.sfumato.gate.ReleaseId;
import io.sfumato.mechanism.ExactData;
import io.sfumato.mechanism.Mechanism;

/**
 * A draw of one name that nobody listed.
 *
 * @param listed whether the name is public
 */
public record NamedDraw<D extends ExactData>(
    ReleaseId id, Mechanism<D, ?> mechanism, D exact, boolean listed) implements Draw<D> {
  @Override
  public String toString() {
    return Draw.masked(this);
  }
}
