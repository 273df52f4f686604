// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * A store of sorted files that are never merged, and that counts: what was deleted stays as a
 * tombstone, which whoever reads a range passes one by one.
 */
public final class WornStore implements KeyValueStore<Bytes, byte[]> {
  private final String name;

  /** Tombstones are empty. */
  private final TreeMap<Bytes, Optional<byte[]>> rows = new TreeMap<>();

  private long operations;

  public WornStore(String name) {
    this.name = name;
  }

  /** Rows written, asked for, and passed in ranges, tombstones included. */
  public long operations() {
    return operations;
  }

  /** Everything that is alive. */
  Map<Bytes, byte[]> alive() {
    Map<Bytes, byte[]> alive = new TreeMap<>();
    rows.forEach((key, value) -> value.ifPresent(bytes -> alive.put(key, bytes)));
    return alive;
  }

  @Override
  public void put(Bytes key, byte[] value) {
    operations++;
    rows.put(key, Optional.ofNullable(value));
  }

  @Override
  public byte[] putIfAbsent(Bytes key, byte[] value) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void putAll(List<KeyValue<Bytes, byte[]>> entries) {
    entries.forEach(entry -> put(entry.key, entry.value));
  }

  @Override
  public byte[] delete(Bytes key) {
    throw new UnsupportedOperationException();
  }

  @Override
  public byte[] get(Bytes key) {
    operations++;
    return rows.getOrDefault(key, Optional.empty()).orElse(null);
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
    operations++;
    var behind = from == null ? rows : rows.tailMap(from, true);
    // Writes while it is read do not show, as in a snapshot.
    return new Range((to == null ? behind : behind.headMap(to, true)).entrySet());
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> all() {
    return range(null, null);
  }

  /** One by one, for whoever looks ahead too. */
  private final class Range implements KeyValueIterator<Bytes, byte[]> {
    private final Iterator<Map.Entry<Bytes, Optional<byte[]>>> left;
    private Map.Entry<Bytes, Optional<byte[]>> next;

    Range(Iterable<Map.Entry<Bytes, Optional<byte[]>>> entries) {
      this.left = entries.iterator();
    }

    @Override
    public boolean hasNext() {
      while (next == null && left.hasNext()) {
        operations++;
        Map.Entry<Bytes, Optional<byte[]>> entry = left.next();
        next = entry.getValue().isPresent() ? entry : null;
      }
      return next != null;
    }

    @Override
    public KeyValue<Bytes, byte[]> next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      KeyValue<Bytes, byte[]> entry = KeyValue.pair(next.getKey(), next.getValue().orElseThrow());
      next = null;
      return entry;
    }

    @Override
    public Bytes peekNextKey() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
      // Nothing is held.
    }
  }

  @Override
  public long approximateNumEntries() {
    return rows.size();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void init(StateStoreContext context, StateStore root) {
    // Nothing to restore.
  }

  @Override
  public void close() {
    // It is looked at behind the processor's end.
  }

  @Override
  public boolean persistent() {
    return false;
  }

  @Override
  public boolean isOpen() {
    return true;
  }
}
