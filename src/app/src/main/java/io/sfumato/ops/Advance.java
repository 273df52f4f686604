// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import java.time.Duration;

/** Whether work that waits is being done. */
final class Advance {
  /** How long records may lie there untouched before an instance counts as standing still. */
  static final Duration PATIENCE = Duration.ofSeconds(20);

  private double processed = -1;
  private long movedAt;
  private volatile boolean advancing = true;

  boolean isAdvancing() {
    return advancing;
  }

  /**
   * Looks, every second or so.
   *
   * @param total records processed since the start
   * @param waiting whether there are any to process
   * @param nanos by {@link System#nanoTime}
   */
  void observe(double total, boolean waiting, long nanos) {
    if (total != processed || !waiting) {
      processed = total;
      movedAt = nanos;
    }
    advancing = nanos - movedAt < PATIENCE.toNanos();
  }
}
