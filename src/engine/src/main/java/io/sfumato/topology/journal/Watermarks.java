// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.journal;

import io.sfumato.pipeline.WindowSpec;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineStopException;
import io.sfumato.topology.context.SourceTopics;
import io.sfumato.topology.version.MetaStore;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How far every source partition has passed, and when. A window closes when all have passed its
 * end; its releases carry the largest of the Kafka timestamps at which they did.
 *
 * <p>What is asked for each record or release takes no longer the more sources there are, and what
 * is kept does not grow with the windows that some sources are ahead of another.
 */
public final class Watermarks {
  /** Before a source has announced anything. */
  private static final long NOWHERE = SourceTopics.Topic.FROM_THE_BEGINNING;

  /** By source: the last window end that it has passed. */
  private final long[] ends;

  /** All sources, those furthest behind first. */
  private final TreeSet<Place> places =
      new TreeSet<>(Comparator.comparingLong(Place::end).thenComparingInt(Place::source));

  private final ClosingTimes times;

  /** By end of closed windows: what {@link #timestampOf} found, which never changes. */
  private final TreeMap<Long, Long> timestamps = new TreeMap<>();

  private final SourceTopics sources;
  private final MetaStore store;

  /** Whether a source has announced anything. */
  private final BitSet announced = new BitSet();

  /** Everything up to this was forgotten since this task began. */
  private long forgotten = Long.MIN_VALUE;

  /** The last window end that a source has passed. */
  private record Place(int source, long end) {}

  /** Of sources that were read from the beginning of the state, or joined later. */
  public Watermarks(SourceTopics sources, MetaStore store) {
    this(sources, store, new TreeMap<>(), ClosingTimes.MOST);
  }

  /**
   * @param steps empty, for what was passed
   * @param most as {@link ClosingTimes#MOST}
   */
  public Watermarks(SourceTopics sources, MetaStore store, TreeMap<Long, Long> steps, int most) {
    this.sources = sources;
    this.store = store;
    this.ends = new long[sources.count()];
    // Of a topic that joined no record counts that lies before: its sources have passed that.
    Arrays.setAll(ends, sources::since);
    store.watermarks(
        (source, end) -> {
          ends[at(source)] = end;
          announced.set(source);
        });
    this.times = new ClosingTimes(steps, store, most);
    for (int i = 0; i < ends.length; i++) {
      places.add(new Place(i, ends[i]));
    }
  }

  /** Refuses a source that begins anew: its state was lost, and it would judge lateness afresh. */
  public void requireNew(int source) {
    at(source);
    if (announced.get(source)) {
      throw new PipelineStopException(
          "source partition %s restarted from an offset before its last watermark: the changelog of %s was lost or reset; restore it, or start a new budget with --accept-added-loss"
              .formatted(sources.words(source), Names.SOURCE_STORE));
    }
  }

  /**
   * A source has passed a window's end.
   *
   * @return whether all sources have passed more than before
   */
  public boolean pass(int source, long end, long timestamp) {
    long before = ends[at(source)];
    boolean isFirst = !announced.get(source);
    if (isFirst ? end < before : end <= before) {
      throw new PipelineStopException(
          "source partition %s announced watermark %d after %d; the journal was not written by this program"
              .formatted(sources.words(source), end, before));
    }
    long least = places.first().end();
    if (end > before) {
      times.pass(before, end, timestamp, closedThrough());
    }
    announced.set(source);
    places.remove(new Place(source, before));
    places.add(new Place(source, end));
    ends[source] = end;
    closedThrough().ifPresent(times::decide);
    if (!isFirst) {
      store.deleteBoundary(source, before);
    }
    store.putBoundary(source, end);
    return places.first().end() > least;
  }

  /**
   * Where the pipeline begins: no source has accepted a record before the least of all sources'
   * first boundaries, and nothing before the file's beginning is anybody's. Known once each source
   * has announced one; ask before anything is forgotten.
   */
  public OptionalLong begin(WindowSpec window) {
    if (closedThrough().isEmpty()) {
      return OptionalLong.empty();
    }
    long first = times.first();
    return OptionalLong.of(Math.max(first, window.begin().orElse(first)));
  }

  /** The window end that all sources have passed; nothing before each has announced one. */
  public OptionalLong closedThrough() {
    return known(places.first());
  }

  private static OptionalLong known(Place place) {
    return place.end() == NOWHERE ? OptionalLong.empty() : OptionalLong.of(place.end());
  }

  /** Whether all sources have passed a window's end. */
  public boolean isClosed(long windowEnd) {
    OptionalLong closed = closedThrough();
    return closed.isPresent() && windowEnd <= closed.getAsLong();
  }

  /** A window's start, or that of the first window that is not closed, if that is later. */
  public long firstOpen(long start) {
    OptionalLong closed = closedThrough();
    return closed.isPresent() ? Math.max(start, closed.getAsLong()) : start;
  }

  /** Refuses a record of a window that is closed: whoever wrote it had lost its state. */
  public void refuseClosed(long windowEnd) {
    if (isClosed(windowEnd)) {
      throw new PipelineStopException(
          "the journal holds a record of a window that is closed: intake's state was lost or reset."
              + " Releasing the window again would spend the budget twice; restore the changelog of"
              + " "
              + Names.SOURCE_STORE
              + ", or start a new budget with --accept-added-loss");
    }
  }

  /** The window end that the foremost source has passed; nothing before one has announced one. */
  public OptionalLong foremost() {
    return known(places.last());
  }

  /** The source that is furthest behind the foremost one; -1 if none is behind. */
  public int slowest() {
    return places.first().end() < places.last().end() ? places.first().source() : -1;
  }

  /**
   * Kafka timestamp of the releases of a closed window. Nothing else rests on it: no content,
   * charge, id or noise, and no deadline of a query; see {@link ClosingTimes} for what it depends
   * on.
   */
  public long timestampOf(long windowEnd) {
    return timestamps.computeIfAbsent(windowEnd, times::at);
  }

  /** What {@link #timestampOf} says, if it is not forgotten. */
  public OptionalLong knownTimestampOf(long windowEnd) {
    return times.known(windowEnd);
  }

  /**
   * Window ends that sources passed one after the other, each with what {@link #timestampOf} says
   * of it; without those that are forgotten.
   */
  public SortedMap<Long, Long> steps(long after, long through) {
    return times.steps(after, through);
  }

  /** Forgets what no window that ends after {@code end} needs. The last of each source stays. */
  public void forgetThrough(long end) {
    if (end <= forgotten) {
      return;
    }
    forgotten = end;
    timestamps.headMap(end, true).clear();
    times.forgetThrough(end);
  }

  private int at(int source) {
    if (source >= ends.length) {
      throw new PipelineStopException(
          "the journal refers to source partition %d, but %s only %d partitions"
              .formatted(
                  source,
                  sources.isSingle() ? "the topic has" : "the topics have together",
                  ends.length));
    }
    return source;
  }
}
