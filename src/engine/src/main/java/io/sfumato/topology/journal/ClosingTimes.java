// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.journal;

import io.sfumato.topology.version.MetaStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * For every window end that some source has passed, the largest of the Kafka timestamps at which
 * sources did: what a window's releases carry once the last source has passed it. A step function
 * of the window's end, kept as its steps, one for all sources together.
 *
 * <p>Values of windows that are closed never change. Of those that still wait for a source there
 * are at most {@link #MOST} steps, however far the others run ahead: then steps grow instead, and
 * their windows carry the largest timestamp of each step. All of it depends on what was passed and
 * in which order, never on how far releases are.
 *
 * <p>Hence the order in which a journal has the sources' boundaries matters where, and only where,
 * one source is {@link #MOST} windows or more ahead of another: for windows that waited then, two
 * runs over the same source logs may give different timestamps, none less than the exact one and
 * none larger than the largest that was passed. One journal always gives the same, and nothing but
 * Kafka timestamps rests on them. No rule with bounded memory is free of that: a window may close
 * as soon as a source has passed it, or after that source has passed any number of others, and its
 * timestamp would have to be the same, so that all of them would have to be kept.
 */
public final class ClosingTimes {
  /** Steps of windows that wait for a source. */
  public static final int MOST = 10_000;

  /** By the last window end of a step: its timestamp. A step begins after the one before. */
  private final TreeMap<Long, Long> steps;

  private final MetaStore store;
  private final int most;

  /** Window end up to which steps were told apart from those that wait, {@link #waiting}. */
  private long decided = Long.MIN_VALUE;

  private int waiting;

  /** Everything up to this was forgotten since this task began. */
  private long forgotten = Long.MIN_VALUE;

  /**
   * @param steps empty
   */
  public ClosingTimes(TreeMap<Long, Long> steps, MetaStore store, int most) {
    this.steps = steps;
    this.store = store;
    this.most = most;
    store.closingTimes(
        (end, timestamp) -> {
          steps.put(end, timestamp);
          waiting++;
        });
  }

  /** The first window end that any source has passed, as long as nothing was forgotten. */
  public long first() {
    return steps.firstKey();
  }

  /** The largest timestamp at which a source has passed a window's end, which some source has. */
  public long at(long windowEnd) {
    return steps.ceilingEntry(windowEnd).getValue();
  }

  /** The same, if it is not forgotten. */
  OptionalLong known(long windowEnd) {
    Map.Entry<Long, Long> step = steps.ceilingEntry(windowEnd);
    return step == null ? OptionalLong.empty() : OptionalLong.of(step.getValue());
  }

  /** Steps that end after {@code after}, and not after {@code through}. */
  SortedMap<Long, Long> steps(long after, long through) {
    return Collections.unmodifiableSortedMap(steps.subMap(after, false, through, true));
  }

  /**
   * A source has passed windows.
   *
   * @param from window end that it had passed before; {@link Long#MIN_VALUE} if none
   * @param to window end that it has passed now
   * @param closed window end that all sources had passed before
   */
  public void pass(long from, long to, long timestamp, OptionalLong closed) {
    closed.ifPresent(this::decide);
    raise(from, to, timestamp, waiting < most, closed.isEmpty());
  }

  /** What is closed now is cut off from what waits, so that it stays as it is: it is a step. */
  void decide(long closed) {
    if (closed > forgotten) {
      split(closed);
    }
    if (closed > decided) {
      waiting -= steps.subMap(decided, false, closed, true).size();
      decided = closed;
    }
  }

  /**
   * Gives windows after {@code from} up to {@code to} at least a timestamp.
   *
   * @param room whether steps may become more
   * @param open whether no window is closed: where the first one begins must then be kept exactly
   */
  private void raise(long from, long to, long timestamp, boolean room, boolean open) {
    if (room && from > forgotten) {
      split(from);
    }
    if (steps.isEmpty() || to > steps.lastKey()) {
      if (room || steps.isEmpty()) {
        put(to, timestamp);
      } else {
        long value = remove(steps.lastKey());
        put(to, Math.max(value, timestamp));
      }
    } else if (room || open && to < steps.firstKey()) {
      split(to);
    }
    long through = steps.ceilingKey(to);
    NavigableMap<Long, Long> passed = steps.subMap(from, false, through, true);
    List<Long> lower = new ArrayList<>();
    passed.forEach(
        (end, value) -> {
          if (value < timestamp) {
            lower.add(end);
          }
        });
    lower.forEach(end -> put(end, timestamp));
  }

  private void split(long end) {
    Map.Entry<Long, Long> around = steps.ceilingEntry(end);
    if (around != null && around.getKey() != end) {
      put(end, around.getValue());
    }
  }

  private void put(long end, long timestamp) {
    if (steps.put(end, timestamp) == null && end > decided) {
      waiting++;
    }
    store.putClosingTime(end, timestamp);
  }

  private long remove(long end) {
    if (end > decided) {
      waiting--;
    }
    store.deleteClosingTime(end);
    return steps.remove(end);
  }

  /** Forgets what no window that ends after {@code end} needs; all sources have passed it. */
  public void forgetThrough(long end) {
    forgotten = Math.max(forgotten, end);
    while (!steps.isEmpty() && steps.firstKey() <= end) {
      remove(steps.firstKey());
    }
  }
}
