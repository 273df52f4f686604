// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Says which windows a partition has closed: each by itself while they close as time passes, and
 * one line a second where a partition catches up with thousands.
 */
final class ClosedWindowLog {
  private static final long PAUSE = Duration.ofSeconds(1).toNanos();

  private final LongSupplier nanos;

  private static final class Said {
    private long at;
    private int since;
  }

  private final Map<Integer, Said> partitions = new HashMap<>();

  /**
   * @param nanos a clock that never goes back
   */
  ClosedWindowLog(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** What is to be said of a partition whose windows are released up to a time; maybe nothing. */
  synchronized Optional<String> closed(int partition, long end) {
    long now = nanos.getAsLong();
    Said said = partitions.get(partition);
    if (said != null && now - said.at < PAUSE) {
      said.since++;
      return Optional.empty();
    }
    int before = said == null ? 0 : said.since;
    Said next = new Said();
    next.at = now;
    partitions.put(partition, next);
    return Optional.of(
        "partition %d: all windows up to %s released%s"
            .formatted(
                partition,
                Instant.ofEpochMilli(end),
                before == 0 ? "" : " (%,d more windows since the last line)".formatted(before)));
  }
}
