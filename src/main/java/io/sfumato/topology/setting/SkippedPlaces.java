// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.setting;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Places of the records' topic that do not count, as operators said. */
public final class SkippedPlaces {
  private static final SkippedPlaces NONE = new SkippedPlaces(Map.of());

  /** Of each partition: first offsets of spans that do not touch, and their last ones. */
  private final Map<Integer, NavigableMap<Long, Long>> spans;

  private SkippedPlaces(Map<Integer, NavigableMap<Long, Long>> spans) {
    this.spans = spans;
  }

  /** All records count. */
  public static SkippedPlaces none() {
    return NONE;
  }

  /** These, which may overlap. */
  public static SkippedPlaces of(Collection<RecordSpan> places) {
    Map<Integer, NavigableMap<Long, Long>> spans = new HashMap<>();
    places.forEach(
        span -> join(spans.computeIfAbsent(span.partition(), p -> new TreeMap<>()), span));
    return new SkippedPlaces(spans);
  }

  private static void join(NavigableMap<Long, Long> spans, RecordSpan span) {
    long first = span.first();
    long last = span.last();
    Map.Entry<Long, Long> near = spans.floorEntry(last + 1);
    while (near != null && near.getValue() >= first - 1) {
      first = Math.min(first, near.getKey());
      last = Math.max(last, near.getValue());
      spans.remove(near.getKey());
      near = spans.floorEntry(last + 1);
    }
    spans.put(first, last);
  }

  /** These, in order, as few as say it: none touches another. */
  public List<RecordSpan> spans() {
    List<RecordSpan> all = new ArrayList<>();
    new TreeMap<>(spans)
        .forEach(
            (partition, there) ->
                there.forEach((first, last) -> all.add(new RecordSpan(partition, first, last))));
    return all;
  }

  /** Whether a record does not count. */
  public boolean contains(int partition, long offset) {
    NavigableMap<Long, Long> there = spans.get(partition);
    if (there == null) {
      return false;
    }
    Map.Entry<Long, Long> before = there.floorEntry(offset);
    return before != null && offset <= before.getValue();
  }
}
