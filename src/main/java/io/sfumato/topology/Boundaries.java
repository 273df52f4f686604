package io.sfumato.topology;

import io.sfumato.pipeline.WindowSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * How far every source partition has passed, and when. A window closes when all have passed its
 * end; its releases carry the largest of the Kafka timestamps at which they did.
 */
final class Boundaries {
  /** By source partition: boundary to Kafka timestamp. */
  private final List<TreeMap<Long, Long>> passed = new ArrayList<>();

  private final MetaStore store;
  private final Frontier frontier;

  /** A closed window whose timestamp was asked for last: that of a closed one stays. */
  private long knownEnd = Frontier.NONE;

  private long knownTimestamp;

  Boundaries(int sources, MetaStore store) {
    this.store = store;
    this.frontier = new Frontier(sources);
    for (int i = 0; i < sources; i++) {
      passed.add(new TreeMap<>());
    }
    store.boundaries((source, end, timestamp) -> at(source).put(end, timestamp));
    for (int source = 0; source < sources; source++) {
      if (!passed.get(source).isEmpty()) {
        frontier.pass(source, passed.get(source).lastKey());
      }
    }
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
   * A source passes a window's end.
   *
   * @return whether all have passed more than before
   */
  boolean pass(int source, long end, long timestamp) {
    TreeMap<Long, Long> mine = at(source);
    if (!mine.isEmpty() && end <= mine.lastKey()) {
      throw new PipelineStopException(
          "source partition %d announced the boundary %d after %d; the journal is not this program's"
              .formatted(source, end, mine.lastKey()));
    }
    mine.put(end, timestamp);
    store.putBoundary(source, end, timestamp);
    return frontier.pass(source, end);
  }

  /**
   * Where the pipeline begins: no source has accepted a record before the least of all sources'
   * first boundaries, and nothing before the file's beginning is anybody's. Known once each source
   * has announced one; ask before anything is forgotten.
   */
  OptionalLong begin(WindowSpec window) {
    if (passed.stream().anyMatch(TreeMap::isEmpty)) {
      return OptionalLong.empty();
    }
    long first = passed.stream().mapToLong(TreeMap::firstKey).min().orElseThrow();
    return OptionalLong.of(Math.max(first, window.begin().orElse(first)));
  }

  /** The window end that all sources have passed; nothing before each has announced one. */
  OptionalLong closedThrough() {
    return known(frontier.passedByAll());
  }

  private static OptionalLong known(long end) {
    return end == Frontier.NONE ? OptionalLong.empty() : OptionalLong.of(end);
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
    return known(frontier.foremost());
  }

  /** The source that is furthest behind the foremost one; -1 if none is behind. */
  int slowest() {
    return frontier.slowest();
  }

  /** Kafka timestamp of the releases of a closed window. */
  long timestampOf(long windowEnd) {
    if (windowEnd != knownEnd || windowEnd == Frontier.NONE) {
      long timestamp = Long.MIN_VALUE;
      for (TreeMap<Long, Long> source : passed) {
        timestamp = Math.max(timestamp, source.ceilingEntry(windowEnd).getValue());
      }
      knownEnd = windowEnd;
      knownTimestamp = timestamp;
    }
    return knownTimestamp;
  }

  /** Forgets what no window that ends after {@code end} needs. The last of each source stays. */
  void forgetThrough(long end) {
    if (end >= knownEnd) {
      knownEnd = Frontier.NONE;
    }
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
