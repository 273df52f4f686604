// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.release;

import io.sfumato.gate.NoiseKey;
import io.sfumato.gate.ReleaseId;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.HeldReleases;
import io.sfumato.topology.context.ReleaseFailedException;
import io.sfumato.topology.version.MetaStore;
import java.time.Instant;
import java.util.Set;

/** Releases that fail: which of them hold their partition, and which an operator has skipped. */
public final class SkippedReleases {
  private final NoiseKey noiseKey;
  private final HeldReleases holds;
  private final MetaStore meta;
  private final Set<String> skipped;
  private final int partition;

  public SkippedReleases(Deployment deployment, MetaStore meta, int partition) {
    this.noiseKey = deployment.noiseKey();
    this.holds = deployment.holds();
    this.meta = meta;
    this.skipped = meta.skipped();
    this.partition = partition;
  }

  /** An operator's command: the release will be charged and refused when its turn comes. */
  public void skip(String tag) {
    if (skipped.add(tag)) {
      meta.putSkipped(tag);
    }
    holds.release(tag);
  }

  /** Whether an operator skipped a release. */
  public boolean contains(ReleaseId id) {
    return !skipped.isEmpty() && skipped.contains(noiseKey.logTag(id));
  }

  /** Whether a release failed, and waits for an operator. */
  public boolean isHeld(ReleaseId id) {
    return !holds.isEmpty() && holds.contains(noiseKey.logTag(id));
  }

  /** Names what failed, without its subject. */
  public ReleaseFailedException failed(ReleaseId id, Throwable cause) {
    String tag = noiseKey.logTag(id);
    return new ReleaseFailedException(
        tag,
        ("release %s of output '%s', window %s, partition %d failed with %s; nothing was "
                + "charged. The partition is blocked by it. If this is a bug, report it; to "
                + "charge the release and continue without it: sfumato skip FILE %s")
            .formatted(
                tag,
                id.output().replaceFirst("/.*", ""),
                Instant.ofEpochMilli(id.windowStart()),
                partition,
                cause.getClass().getSimpleName(),
                tag),
        cause);
  }
}
