// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.context;

import io.sfumato.gate.StateEpoch;
import java.util.Optional;

/**
 * How far the committed state of one keeper partition is. None of the numbers ever falls, so a
 * state with a smaller one is older. Aggregates of a partition; still no number for other readers,
 * since a partition may have one subject.
 *
 * @param place which keeper's partition
 * @param epoch the state's, which it was given before its first release; nothing before
 * @param position offset of the last journal entry that was taken in; -1 before the first
 * @param charges charges that were ever made, of all shares and periods; 0 where this keeper has no
 *     ledgers
 * @param decided start or end of the last window that is decided, in milliseconds since 1970;
 *     {@link Long#MIN_VALUE} before the first
 */
public record PartitionCount(
    Place place, Optional<StateEpoch> epoch, long position, long charges, long decided) {
  /**
   * One partition of one keeper.
   *
   * @param keeper name of the store that holds the keeper's facts
   * @param partition of its journal, from 0
   */
  public record Place(String keeper, int partition) implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      int byKeeper = keeper.compareTo(other.keeper);
      return byKeeper != 0 ? byKeeper : Integer.compare(partition, other.partition);
    }

    /** As {@code meta-store/0}. */
    @Override
    public String toString() {
      return keeper + "/" + partition;
    }
  }

  /** Whether this state lacks something that the other one had, or is another one. */
  public boolean isBehind(PartitionCount other) {
    return other.epoch.isPresent() && !other.epoch.equals(epoch)
        || position < other.position
        || charges < other.charges
        || decided < other.decided;
  }
}
