// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.histogram;

import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.noise.ReleaseId;
import io.sfumato.pipeline.Draw;

/** A window's distribution, exact. */
public record HistogramDraw(ReleaseId id, HistogramMechanism mechanism, Histogram exact)
    implements Draw {
  @Override
  public String toString() {
    return Draw.masked(this);
  }
}
