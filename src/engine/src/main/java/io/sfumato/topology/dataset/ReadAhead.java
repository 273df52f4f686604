// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.dataset;

import io.sfumato.bytes.ByteReader;
import io.sfumato.topology.dataset.DatasetStore.Key;
import io.sfumato.topology.store.StagedWrites;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;

/**
 * Rows of closed windows that were read before somebody asks for them, in their order: each read
 * hands over all that is staged, and seeks. Nobody adds to closed windows, so that what was read
 * stays right until it is deleted.
 *
 * @param <T> a row
 */
public final class ReadAhead<T> {
  /** Rows that are read at once in production. */
  public static final int LEAST = 1_000;

  private static final Key BEFORE_ALL = new Key(Long.MIN_VALUE, "");

  private final StagedWrites store;
  private final BiFunction<Key, byte[], T> decoder;
  private final int least;

  /** What follows {@link #from} in the store. */
  private final Deque<Row<T>> ahead = new ArrayDeque<>();

  private Bytes from = BEFORE_ALL.encode();

  private record Row<T>(Bytes at, long windowStart, T value) {}

  /**
   * @param decoder of a key and its value
   * @param least rows that are read at once, at least 1
   */
  public ReadAhead(StagedWrites store, BiFunction<Key, byte[], T> decoder, int least) {
    this.store = store;
    this.decoder = decoder;
    this.least = least;
  }

  /** Only what stands after a place is asked for now; after none, everything. */
  public void moveTo(Optional<Key> key) {
    // Every subject has bytes, so a key without one lies before its window's rows.
    Bytes place = key.orElse(BEFORE_ALL).encode();
    if (place.compareTo(from) < 0) {
      ahead.clear();
    }
    from = place;
    while (!ahead.isEmpty() && ahead.peekFirst().at().compareTo(from) <= 0) {
      ahead.removeFirst();
    }
  }

  /** Whether {@code most} were read. */
  public boolean has(int most) {
    return ahead.size() >= most;
  }

  /** Reads on, of windows that start before {@code limit}. */
  public void read(long limit, int most) {
    Bytes last = ahead.isEmpty() ? from : ahead.peekLast().at();
    Bytes to = new Key(limit, "").encode();
    if (last.compareTo(to) > 0) {
      return;
    }
    int wanted = Math.max(most, least);
    try (KeyValueIterator<Bytes, byte[]> range = store.range(last, to)) {
      while (range.hasNext() && ahead.size() < wanted) {
        var next = range.next();
        if (!next.key.equals(last)) {
          Key at = Key.read(new ByteReader(next.key.get()));
          ahead.addLast(new Row<>(next.key, at.windowStart(), decoder.apply(at, next.value)));
        }
      }
    }
  }

  /** The first ones of windows that start before {@code limit}. */
  public List<T> first(long limit, int most) {
    return ahead.stream()
        .limit(most)
        .takeWhile(row -> row.windowStart() < limit)
        .map(Row::value)
        .toList();
  }

  /** One was deleted: most often it is what comes next. */
  public void drop(Bytes at) {
    if (ahead.isEmpty() || at.compareTo(ahead.peekFirst().at()) < 0) {
      return;
    }
    if (at.equals(ahead.peekFirst().at())) {
      ahead.removeFirst();
    } else if (at.compareTo(ahead.peekLast().at()) <= 0) {
      ahead.removeIf(row -> row.at().equals(at));
    }
  }
}
