// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.topology.clock.PartitionWatermark;
import java.util.Optional;
import java.util.OptionalLong;

/** What the records that were looked at say of a partition. */
final class SeenPartition {
  /** As far as it is known, as intake has it. */
  Optional<PartitionWatermark> watermark = Optional.empty();

  /** Whether all of it is looked at, so that its clock is intake's. */
  boolean whole;

  OptionalLong newest = OptionalLong.empty();
  OptionalLong furthest = OptionalLong.empty();

  /** Latest event time of a record of which nobody can tell whether it counts. */
  OptionalLong untold = OptionalLong.empty();

  /** Whether the clock may be further than the ticks that were seen say. */
  boolean doubtful;

  /** Whether something is still to be found further back. */
  boolean isOpen() {
    return doubtful || newest.isEmpty() || isUntold();
  }

  boolean isUntold() {
    return untold.isPresent() && untold.getAsLong() > newest.orElse(Long.MIN_VALUE);
  }
}
