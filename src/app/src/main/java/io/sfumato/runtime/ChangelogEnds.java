// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.runtime.LocalCopies.Place;
import io.sfumato.runtime.LocalCopies.Position;
import io.sfumato.runtime.RecordRanges.Range;
import io.sfumato.topology.context.Names;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/** What lies at the ends of an application's changelogs. */
record ChangelogEnds(String applicationId, RecordRanges ranges) implements LocalCopies.Changelogs {
  @Override
  public Set<Place> withoutRecords(Map<Place, Position> places) throws RefusedException {
    Map<TopicPartition, Range> toRead = new HashMap<>();
    places.forEach(
        (place, position) ->
            toRead.put(changelog(place), new Range(position.next(), position.end())));
    Set<TopicPartition> without = ranges.withoutRecords(toRead);
    Set<Place> found = new HashSet<>(places.keySet());
    found.removeIf(place -> !without.contains(changelog(place)));
    return found;
  }

  private TopicPartition changelog(Place place) {
    return new TopicPartition(
        Names.changelogTopic(applicationId, place.store()), place.partition());
  }
}
