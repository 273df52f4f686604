// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mollifier;

import io.sfumato.mechanism.mollifier.ItemData;
import io.sfumato.mechanism.mollifier.ItemSampler;
import io.sfumato.noise.ReleaseId;
import io.sfumato.pipeline.Draw;

/** A synthetic item's dataset, exact. */
public record ItemDraw(ReleaseId id, ItemSampler sampler, ItemData exact) implements Draw {
  @Override
  public String toString() {
    return Draw.masked(this);
  }
}
