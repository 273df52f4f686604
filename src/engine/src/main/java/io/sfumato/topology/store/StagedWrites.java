// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.store;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * A store whose writes wait in memory until the task commits: each key is then written, and logged,
 * once, all keys in one batch.
 */
public final class StagedWrites {
  /** Bounds the memory between two commits. */
  private static final int MOST = 20_000;

  private final KeyValueStore<Bytes, byte[]> store;

  /** What is to be written; null deletes. */
  private final Map<Bytes, byte[]> staged = new HashMap<>();

  public StagedWrites(KeyValueStore<Bytes, byte[]> store) {
    this.store = store;
  }

  /** Null if there is none. */
  public byte[] get(Bytes key) {
    byte[] value = staged.get(key);
    return value != null || staged.containsKey(key) ? value : store.get(key);
  }

  /** Puts a write off until the commit. */
  public void put(Bytes key, byte[] value) {
    staged.put(key, value);
    if (staged.size() >= MOST) {
      flush();
    }
  }

  /** Puts a deletion off until the commit. */
  public void delete(Bytes key) {
    put(key, null);
  }

  /**
   * The entries from a key to another, both included; null for no end. Writes while it is read may
   * not show.
   */
  public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
    flush();
    return store.range(from, to);
  }

  /**
   * The first entries from a key, included, to another, excluded; null for no end.
   *
   * @param most at least 0
   */
  public List<KeyValue<Bytes, byte[]>> first(Bytes from, Bytes to, int most) {
    List<KeyValue<Bytes, byte[]>> entries = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> range = range(from, to)) {
      while (entries.size() < most && range.hasNext()) {
        KeyValue<Bytes, byte[]> next = range.next();
        if (to == null || next.key.compareTo(to) < 0) {
          entries.add(next);
        }
      }
    }
    return entries;
  }

  /**
   * The numbers that keys begin with, in sortable form, each once. It seeks from one to the next:
   * they are few, and entries are many.
   */
  public List<Long> leadingNumbers() {
    List<Long> numbers = new ArrayList<>();
    List<KeyValue<Bytes, byte[]>> next = first(from(Long.MIN_VALUE), null, 1);
    while (!next.isEmpty()) {
      long number = new ByteReader(next.get(0).key.get()).sortable();
      numbers.add(number);
      next = number == Long.MAX_VALUE ? List.of() : first(from(number + 1), null, 1);
    }
    return numbers;
  }

  private static Bytes from(long number) {
    return Bytes.wrap(new ByteWriter().sortable(number).toBytes());
  }

  /** Reads every entry whose key begins with a byte, and the key after it. */
  public void each(byte kind, BiConsumer<ByteReader, byte[]> reader) {
    Bytes to = Bytes.wrap(new byte[] {(byte) (kind + 1)});
    try (KeyValueIterator<Bytes, byte[]> range = range(Bytes.wrap(new byte[] {kind}), to)) {
      while (range.hasNext()) {
        KeyValue<Bytes, byte[]> next = range.next();
        ByteReader key = new ByteReader(next.key.get());
        if (key.fixed8() == kind) {
          reader.accept(key, next.value);
        }
      }
    }
  }

  /** Writes everything that waits. */
  public void flush() {
    if (staged.isEmpty()) {
      return;
    }
    List<KeyValue<Bytes, byte[]>> entries = new ArrayList<>(staged.size());
    staged.forEach((key, value) -> entries.add(KeyValue.pair(key, value)));
    staged.clear();
    store.putAll(entries);
  }
}
