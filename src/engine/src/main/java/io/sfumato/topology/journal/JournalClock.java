// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.journal;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.topology.store.StagedWrites;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.utils.Bytes;

/**
 * What time it is in the journal: the largest Kafka timestamp of the boundaries so far. It also
 * knows what time it was when windows closed, and the times that somebody may still ask for, so
 * that whether something was too late can be decided long after it was.
 */
public final class JournalClock {
  private static final int FORMAT = 1;
  private static final byte TIME = 'k';
  private static final byte CLOSE = 'h';

  private final StagedWrites store;
  private final Watermarks watermarks;

  /** Those that it showed, one after the other; the last one is now. */
  private final TreeSet<Long> times = new TreeSet<>();

  /**
   * By the window end through which a boundary closed: the time before that boundary. The last
   * entry is always that of what is closed now.
   */
  private final TreeMap<Long, Long> closes = new TreeMap<>();

  /** What was closed while no program kept this clock, and must still be written down. */
  private OptionalLong unseen = OptionalLong.empty();

  /**
   * @param store for its times
   * @param watermarks which have passed what the journal has passed
   */
  public JournalClock(StagedWrites store, Watermarks watermarks) {
    this.store = store;
    this.watermarks = watermarks;
    store.each(TIME, (key, value) -> times.add(key.sortable()));
    store.each(
        CLOSE,
        (key, value) ->
            closes.put(
                key.sortable(), new ByteReader(value).format(FORMAT, "a closing time").signed()));
    OptionalLong closed = watermarks.closedThrough();
    if (closed.isPresent() && (closes.isEmpty() || closes.lastKey() < closed.getAsLong())) {
      // Programs without this clock refused at each boundary what was too late: nothing is left.
      closes.put(closed.getAsLong(), Long.MIN_VALUE);
      unseen = closed;
    }
  }

  /** A boundary has come, and the windows that it closes are closed. */
  public void pass(long timestamp) {
    unseen.ifPresent(closed -> putClose(closed, Long.MIN_VALUE));
    unseen = OptionalLong.empty();
    OptionalLong closed = watermarks.closedThrough();
    if (closed.isPresent() && (closes.isEmpty() || closes.lastKey() < closed.getAsLong())) {
      putClose(closed.getAsLong(), now());
    }
    if (timestamp > now()) {
      times.add(timestamp);
      store.put(timeKey(timestamp), new byte[] {FORMAT});
    }
  }

  private void putClose(long closed, long time) {
    closes.put(closed, time);
    store.put(closeKey(closed), new ByteWriter().fixed8(FORMAT).signed(time).toBytes());
  }

  /** Milliseconds; the least number before the first boundary. */
  public long now() {
    return times.isEmpty() ? Long.MIN_VALUE : times.last();
  }

  /** What it last showed while a window was open that is closed now. */
  public long lastBeforeClose(long windowEnd) {
    return closes.ceilingEntry(windowEnd).getValue();
  }

  /** The first time later than another, which was passed and is not forgotten. */
  public long firstAfter(long time) {
    return times.higher(time);
  }

  /** Forgets all times but the present one. */
  public void forgetTimes() {
    while (times.size() > 1) {
      store.delete(timeKey(times.pollFirst()));
    }
  }

  /** Forgets when windows closed that end by a time. */
  public void forgetCloses(long through) {
    while (closes.size() > 1 && closes.firstKey() <= through) {
      Map.Entry<Long, Long> first = closes.pollFirstEntry();
      store.delete(closeKey(first.getKey()));
    }
  }

  private static Bytes timeKey(long time) {
    return Bytes.wrap(new ByteWriter().fixed8(TIME).sortable(time).toBytes());
  }

  private static Bytes closeKey(long closed) {
    return Bytes.wrap(new ByteWriter().fixed8(CLOSE).sortable(closed).toBytes());
  }
}
