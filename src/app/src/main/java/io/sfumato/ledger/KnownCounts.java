// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.topology.context.CountedState;
import io.sfumato.topology.context.PartitionCount;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The newest charge counts of each partition that a registry holds. A count that is behind the one
 * before says nothing: an instance that lost a partition may still have an old one.
 */
final class KnownCounts {
  private final SortedMap<PartitionCount.Place, CountedState> known = new TreeMap<>();

  /** Takes in an entry, in the order of the log. */
  void add(Collection<CountedState> counts) {
    newsOf(counts).forEach(counted -> known.put(counted.count().place(), counted));
  }

  /** Those that are not behind what is known. */
  List<CountedState> newsOf(Collection<CountedState> counts) {
    return counts.stream()
        .filter(
            counted -> {
              CountedState before = known.get(counted.count().place());
              return before == null || !counted.count().isBehind(before.count());
            })
        .sorted(Comparator.comparing(counted -> counted.count().place()))
        .toList();
  }

  /** By partition. */
  Map<PartitionCount.Place, CountedState> all() {
    return known;
  }

  Optional<CountedState> of(PartitionCount.Place place) {
    return Optional.ofNullable(known.get(place));
  }

  /** In the order of partitions. */
  List<CountedState> counts() {
    return List.copyOf(known.values());
  }

  /** When the state was committed that is oldest of those that were counted last. */
  Optional<Instant> oldest() {
    return known.values().stream().map(CountedState::time).min(Comparator.naturalOrder());
  }
}
