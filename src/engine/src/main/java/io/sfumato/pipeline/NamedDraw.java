// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.mechanism.Mechanism;
import io.sfumato.noise.ReleaseId;

/**
 * A draw of one name that nobody listed.
 *
 * @param listed whether the name is public
 */
public record NamedDraw<D>(ReleaseId id, Mechanism<D, ?> mechanism, D exact, boolean listed)
    implements Draw<D> {
  @Override
  public String toString() {
    return Draw.masked(this);
  }
}
