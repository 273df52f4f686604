// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.release;

import io.sfumato.pipeline.DiscoveryLimits;
import io.sfumato.pipeline.LastPass;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.schema.RefusalCode;
import io.sfumato.topology.dataset.DatasetStore;
import java.util.OptionalLong;

/** The output that finds subjects nobody listed: whatever it decides follows from its outputs. */
public final class Discovery {
  private final String name;
  private final ReleaseSchedule schedule;
  private final DiscoveryLimits finding;
  private final WindowOutput hidden;
  private final DrawMemory passes;
  private final Refusals refusals;

  /**
   * @param hidden draws subjects that are not public
   * @param passes when each subject passed last
   */
  Discovery(
      ReleaseSpec spec,
      ReleaseSchedule schedule,
      WindowOutput hidden,
      DrawMemory passes,
      Refusals refusals) {
    this.name = spec.name();
    this.schedule = schedule;
    this.finding = spec.findsSubjects().orElseThrow();
    this.hidden = hidden;
    this.passes = passes;
    this.refusals = refusals;
  }

  /** Draws a subject that is not public, and publishes it where it passes. */
  public WindowOutput ofHidden() {
    return hidden;
  }

  /** Whether a number of public subjects leaves no room for another one. */
  public boolean isFull(int members) {
    return members >= finding.most();
  }

  /** Start of the last window in which a subject passed, if it ever did. */
  public OptionalLong lastPass(String subject) {
    return passes
        .get(subject)
        .published()
        .map(bytes -> OptionalLong.of(LastPass.decode(bytes).windowStart()))
        .orElse(OptionalLong.empty());
  }

  /**
   * Whether a public subject leaves after a window.
   *
   * @param since start of the window before its first public one, if it never passed since
   * @param window how time is cut
   */
  public boolean leaves(String subject, long windowStart, long since, WindowSpec window) {
    if (finding.forgetAfter().isEmpty() || !schedule.isDue(windowStart)) {
      return false;
    }
    long last = Math.max(since, lastPass(subject).orElse(Long.MIN_VALUE));
    return window.between(last, windowStart) >= finding.forgetAfter().getAsInt();
  }

  /** Forgets when a subject passed that is not public any more. */
  public void forget(String subject) {
    passes.delete(subject);
  }

  /** Says that none was looked for, by the list's length alone. */
  public void full(long windowStart, long timestamp) {
    if (schedule.isDue(windowStart)) {
      refusals.refuse(
          name, new DatasetStore.Key(windowStart, ""), RefusalCode.LIST_FULL, timestamp);
    }
  }
}
