// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.version;

import io.sfumato.topology.context.PipelineMeters;
import java.util.OptionalLong;

/** What a keeper partition tells the operator of itself: what is committed, and what is news. */
public final class ProgressReport {
  private final PipelineMeters meters;
  private final int partition;
  private final OptionalLong closedBefore;

  /** Whether the operator knows of what the last commit had. */
  private boolean told = true;

  /** Whether anything was decided since the task began. */
  private boolean decided;

  /** Subjects that were forgotten since the operator was told. */
  private int forgot;

  /**
   * @param closedBefore through which windows were closed when the task began
   */
  public ProgressReport(PipelineMeters meters, int partition, OptionalLong closedBefore) {
    this.meters = meters;
    this.partition = partition;
    this.closedBefore = closedBefore;
  }

  /** Called before each commit. */
  public void commit() {
    told = false;
  }

  /**
   * Says whether aggregates are to be told: once after each commit, which, had it failed, would
   * have ended the task.
   */
  public boolean isDue() {
    if (told) {
      return false;
    }
    told = true;
    if (forgot > 0) {
      meters.forgot(partition, forgot);
      forgot = 0;
    }
    return true;
  }

  /** A subject was forgotten. */
  public void forgot() {
    forgot++;
  }

  /** So many releases were decided. */
  public void decided(int releases) {
    decided |= releases > 0;
  }

  /** Everything is released through a window end, which may be no news. */
  public void released(long end) {
    if (decided || !closedBefore.equals(OptionalLong.of(end))) {
      meters.closed(partition, end);
    } else {
      meters.resumed(partition, end);
    }
  }

  /** The rest is another version's. */
  public void handedOver(VersionHandover next) {
    meters.handedOver(partition, next.version(), next.from());
  }
}
