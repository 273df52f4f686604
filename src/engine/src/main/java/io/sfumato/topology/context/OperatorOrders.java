// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.context;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * What operators said about the records' topics: places that do not count, and that their past is
 * to be read.
 */
public final class OperatorOrders {
  private static final OperatorOrders NONE = new OperatorOrders(Map.of(), Long.MIN_VALUE);

  /** Of each source: first offsets of spans that do not touch, and their last ones. */
  private final Map<Integer, NavigableMap<Long, Long>> spans;

  private final long caughtUp;

  private OperatorOrders(Map<Integer, NavigableMap<Long, Long>> spans, long caughtUp) {
    this.spans = spans;
    this.caughtUp = caughtUp;
  }

  /** All records count. */
  public static OperatorOrders none() {
    return NONE;
  }

  /** These, which may overlap. */
  public static OperatorOrders of(Collection<RecordSpan> places) {
    Map<Integer, NavigableMap<Long, Long>> spans = new HashMap<>();
    places.forEach(span -> join(spans.computeIfAbsent(span.source(), p -> new TreeMap<>()), span));
    return new OperatorOrders(spans, Long.MIN_VALUE);
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
            (source, there) ->
                there.forEach((first, last) -> all.add(new RecordSpan(source, first, last))));
    return all;
  }

  /**
   * Besides, that the topic's past is read up to a time; the latest such time counts.
   *
   * @param time milliseconds since 1970
   */
  public OperatorOrders caughtUpAt(long time) {
    return new OperatorOrders(spans, Math.max(caughtUp, time));
  }

  /**
   * The time from which {@code window.ahead} counts where no tick is later, milliseconds since
   * 1970; {@link Long#MIN_VALUE} if nobody said so.
   */
  public long caughtUp() {
    return caughtUp;
  }

  /** Whether an operator said that the topic's past is read. */
  public boolean isCaughtUp() {
    return caughtUp != Long.MIN_VALUE;
  }

  /**
   * Whether a record does not count.
   *
   * @param source its number by {@link SourceTopics}
   */
  public boolean contains(int source, long offset) {
    NavigableMap<Long, Long> there = spans.get(source);
    if (there == null) {
      return false;
    }
    Map.Entry<Long, Long> before = there.floorEntry(offset);
    return before != null && offset <= before.getValue();
  }
}
