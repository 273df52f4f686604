// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.mechanism.count.CountMechanism;
import io.sfumato.mechanism.count.Counts;
import io.sfumato.noise.ReleaseId;
import io.sfumato.pipeline.Draw;

/** A window's own counts, exact. */
public record CountDraw(ReleaseId id, CountMechanism mechanism, Counts exact) implements Draw {
  @Override
  public String toString() {
    return Draw.masked(this);
  }
}
