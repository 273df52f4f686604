// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.dataset;

import io.sfumato.bytes.ByteReader;
import io.sfumato.topology.dataset.DatasetStore.Key;
import io.sfumato.topology.store.StagedStore;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;

/** Closed datasets that were read before somebody asks for them, in their order. */
final class ReadAhead {
  private final StagedStore store;
  private final Contents.Layout layout;
  private final int least;

  /** What follows {@link #from} in the store. */
  private final Deque<Row> ahead = new ArrayDeque<>();

  private Bytes from;

  private record Row(Bytes at, Dataset dataset) {}

  /**
   * @param least datasets that are read at once, at least 1
   */
  ReadAhead(StagedStore store, Contents.Layout layout, int least) {
    this.store = store;
    this.layout = layout;
    this.least = least;
    this.from = new Key(Long.MIN_VALUE, "").encode();
  }

  /** Only what stands after a place is asked for now. */
  void moveTo(Bytes place) {
    if (place.compareTo(from) < 0) {
      ahead.clear();
    }
    from = place;
    while (!ahead.isEmpty() && ahead.peekFirst().at().compareTo(from) <= 0) {
      ahead.removeFirst();
    }
  }

  /** Whether {@code most} were read. */
  boolean has(int most) {
    return ahead.size() >= most;
  }

  /** Reads on, of windows that start before {@code limit}. */
  void read(long limit, int most) {
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
          ahead.addLast(
              new Row(next.key, new Dataset(at, ContentsCodec.decode(next.value, layout))));
        }
      }
    }
  }

  /** The first ones of windows that start before {@code limit}. */
  List<Dataset> first(long limit, int most) {
    return ahead.stream()
        .limit(most)
        .map(Row::dataset)
        .takeWhile(dataset -> dataset.key().windowStart() < limit)
        .toList();
  }

  /** One was deleted: most often it is what comes next. */
  void drop(Bytes at) {
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
