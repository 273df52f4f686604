// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.pipeline.WindowSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * How far every source partition has passed, and when. A window closes when all have passed its
 * end; its releases carry the largest of the Kafka timestamps at which they did.
 *
 * <p>What is asked for each record or release takes no longer the more sources there are.
 */
final class Boundaries {
  /** Before a source has announced anything. */
  private static final long NOWHERE = Long.MIN_VALUE;

  /** By source partition: boundary to Kafka timestamp. */
  private final List<TreeMap<Long, Long>> passed = new ArrayList<>();

  /** All sources, those furthest behind first. */
  private final TreeSet<Place> places =
      new TreeSet<>(Comparator.comparingLong(Place::end).thenComparingInt(Place::source));

  /** By end of closed windows: what {@link #timestampOf} found, which never changes. */
  private final TreeMap<Long, Long> timestamps = new TreeMap<>();

  private final MetaStore store;

  /** Everything up to this was forgotten since this task began. */
  private long forgotten = Long.MIN_VALUE;

  /** The last window end that a source has passed. */
  private record Place(int source, long end) {}

  Boundaries(int sources, MetaStore store) {
    this(sources, store, TreeMap::new);
  }

  /**
   * @param maps of what each source has passed
   */
  Boundaries(int sources, MetaStore store, Supplier<TreeMap<Long, Long>> maps) {
    this.store = store;
    for (int i = 0; i < sources; i++) {
      passed.add(maps.get());
    }
    store.boundaries((source, end, timestamp) -> at(source).put(end, timestamp));
    for (int i = 0; i < sources; i++) {
      places.add(placeOf(i));
    }
  }

  private Place placeOf(int source) {
    TreeMap<Long, Long> mine = passed.get(source);
    return new Place(source, mine.isEmpty() ? NOWHERE : mine.lastKey());
  }

  /** Refuses a source that begins anew: its state was lost, and it would judge lateness afresh. */
  void requireNew(int source) {
    if (!at(source).isEmpty()) {
      throw new PipelineStopException(
          "source partition %d begins anew behind boundaries that it had passed: the changelog of %s was lost or reset; restore it, or start a new budget"
              .formatted(source, Names.SOURCE_STORE));
    }
  }

  /**
   * A source has passed a window's end.
   *
   * @return whether all sources have passed more than before
   */
  boolean pass(int source, long end, long timestamp) {
    TreeMap<Long, Long> mine = at(source);
    if (!mine.isEmpty() && end <= mine.lastKey()) {
      throw new PipelineStopException(
          "source partition %d announced the boundary %d after %d; the journal is not this program's"
              .formatted(source, end, mine.lastKey()));
    }
    long least = places.first().end();
    places.remove(placeOf(source));
    mine.put(end, timestamp);
    places.add(placeOf(source));
    store.putBoundary(source, end, timestamp);
    return places.first().end() > least;
  }

  /**
   * Where the pipeline begins: no source has accepted a record before the least of all sources'
   * first boundaries, and nothing before the file's beginning is anybody's. Known once each source
   * has announced one; ask before anything is forgotten.
   */
  OptionalLong begin(WindowSpec window) {
    if (closedThrough().isEmpty()) {
      return OptionalLong.empty();
    }
    long first = passed.stream().mapToLong(TreeMap::firstKey).min().orElseThrow();
    return OptionalLong.of(Math.max(first, window.begin().orElse(first)));
  }

  /** The window end that all sources have passed; nothing before each has announced one. */
  OptionalLong closedThrough() {
    return known(places.first());
  }

  private static OptionalLong known(Place place) {
    return place.end() == NOWHERE ? OptionalLong.empty() : OptionalLong.of(place.end());
  }

  /** A window's start, or that of the first window that is not closed, if that is later. */
  long firstOpen(long start) {
    OptionalLong closed = closedThrough();
    return closed.isPresent() ? Math.max(start, closed.getAsLong()) : start;
  }

  /** Refuses a record of a window that is closed: whoever wrote it had lost its state. */
  void refuseClosed(long windowEnd) {
    OptionalLong closed = closedThrough();
    if (closed.isPresent() && windowEnd <= closed.getAsLong()) {
      throw new PipelineStopException(
          "the journal holds a record of a window that is closed: intake's state was lost or reset."
              + " Releasing the window again would spend the budget twice; restore the changelog of "
              + Names.SOURCE_STORE
              + ", or start a new budget");
    }
  }

  /** The window end that the foremost source has passed; nothing before one has announced one. */
  OptionalLong foremost() {
    return known(places.last());
  }

  /** The source that is furthest behind the foremost one; -1 if none is behind. */
  int slowest() {
    return places.first().end() < places.last().end() ? places.first().source() : -1;
  }

  /** Kafka timestamp of the releases of a closed window. */
  long timestampOf(long windowEnd) {
    return timestamps.computeIfAbsent(windowEnd, this::latestAt);
  }

  private long latestAt(long windowEnd) {
    long timestamp = Long.MIN_VALUE;
    for (TreeMap<Long, Long> source : passed) {
      timestamp = Math.max(timestamp, source.ceilingEntry(windowEnd).getValue());
    }
    return timestamp;
  }

  /** Forgets what no window that ends after {@code end} needs. The last of each source stays. */
  void forgetThrough(long end) {
    if (end <= forgotten) {
      return;
    }
    forgotten = end;
    timestamps.headMap(end, true).clear();
    for (int source = 0; source < passed.size(); source++) {
      TreeMap<Long, Long> mine = passed.get(source);
      while (mine.size() > 1 && mine.firstKey() <= end) {
        Map.Entry<Long, Long> first = mine.pollFirstEntry();
        store.deleteBoundary(source, first.getKey());
      }
    }
  }

  private TreeMap<Long, Long> at(int source) {
    if (source >= passed.size()) {
      throw new PipelineStopException(
          "the journal speaks of source partition %d, the topic has %d partitions"
              .formatted(source, passed.size()));
    }
    return passed.get(source);
  }
}
