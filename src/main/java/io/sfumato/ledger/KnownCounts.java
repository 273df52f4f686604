// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.topology.setting.PartitionCount;
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
  private final SortedMap<PartitionCount.Place, Known> known = new TreeMap<>();

  /**
   * A count and when it was written, by its writer's clock.
   *
   * @param at milliseconds since 1970
   */
  record Known(PartitionCount count, long at) {
    Instant time() {
      return Instant.ofEpochMilli(at);
    }
  }

  /** Takes in an entry, in the order of the log. */
  void add(Collection<PartitionCount> counts, long at) {
    newsOf(counts).forEach(count -> known.put(count.place(), new Known(count, at)));
  }

  /** Those that are not behind what is known. */
  List<PartitionCount> newsOf(Collection<PartitionCount> counts) {
    return counts.stream()
        .filter(
            count -> {
              Known before = known.get(count.place());
              return before == null || !count.isBehind(before.count());
            })
        .sorted(Comparator.comparing(PartitionCount::place))
        .toList();
  }

  /** By partition. */
  Map<PartitionCount.Place, Known> all() {
    return known;
  }

  Optional<Known> of(PartitionCount.Place place) {
    return Optional.ofNullable(known.get(place));
  }

  List<PartitionCount> counts() {
    return known.values().stream().map(Known::count).toList();
  }

  /** When the partition was counted whose count is oldest; nothing if none was. */
  Optional<Instant> oldest() {
    return known.values().stream().map(Known::time).min(Comparator.naturalOrder());
  }
}
