// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.charge;

import io.sfumato.accounting.Ledger;
import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.topology.store.StagedStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;

/** Charge counts. Key: budget period (sortable), share, subject. */
public final class LedgerStore {
  private static final int FORMAT = 1;
  private static final int OPEN = 0;
  private static final int EXHAUSTED = 1;

  private final StagedStore store;
  private final Optional<LedgerTotals> totals;

  /** The last that was read or kept: what asks whether a charge fits makes it next. */
  private Optional<Kept> last = Optional.empty();

  private record Kept(Key key, Entry entry) {}

  /** One whose charges nobody counts. */
  public LedgerStore(StagedStore store) {
    this(store, Optional.empty());
  }

  /**
   * @param totals is told of every change
   */
  public LedgerStore(StagedStore store, LedgerTotals totals) {
    this(store, Optional.of(totals));
  }

  private LedgerStore(StagedStore store, Optional<LedgerTotals> totals) {
    this.store = store;
    this.totals = totals;
  }

  /** Where a ledger lies. */
  public record Key(long period, String share, String subject) {
    /** Stands before every ledger of a period, and is none's. */
    public static Key first(long period) {
      return new Key(period, "", "");
    }

    /** Inverse of {@link #encode}. */
    public static Key decode(byte[] bytes) {
      ByteReader in = new ByteReader(bytes);
      return new Key(in.sortable(), in.text(), in.restAsText());
    }

    /** Whether it stands at another key or before it in the store. */
    public boolean isUpTo(Key other) {
      return encode().compareTo(other.encode()) <= 0;
    }

    /** Sorts by period first. */
    public Bytes encode() {
      return Bytes.wrap(
          new ByteWriter()
              .sortable(period)
              .text(share)
              .raw(subject.getBytes(StandardCharsets.UTF_8))
              .toBytes());
    }
  }

  /**
   * A ledger and whether its end was announced.
   *
   * @param status whether the one EXHAUSTED refusal was published
   */
  public record Entry(Ledger ledger, Status status) {
    public static final Entry EMPTY = new Entry(Ledger.EMPTY, Status.OPEN);

    /** Whether nothing stands in it: never charged, or handed back. */
    public boolean isUnused() {
      return ledger.counts().isEmpty();
    }

    /** Format, status, then each charge's number and count. */
    public byte[] encode() {
      ByteWriter out = new ByteWriter().fixed8(FORMAT);
      out.fixed8(status == Status.EXHAUSTED ? LedgerStore.EXHAUSTED : LedgerStore.OPEN);
      for (Map.Entry<Integer, Long> count : ledger.counts().entrySet()) {
        out.unsigned(count.getKey()).unsigned(count.getValue());
      }
      return out.toBytes();
    }

    /** Inverse of {@link #encode}. */
    public static Entry decode(byte[] bytes) {
      ByteReader in = new ByteReader(bytes).format(FORMAT, "a ledger");
      Status status = in.fixed8() == LedgerStore.EXHAUSTED ? Status.EXHAUSTED : Status.OPEN;
      TreeMap<Integer, Long> counts = new TreeMap<>();
      while (!in.atEnd()) {
        counts.put((int) in.unsigned(), in.unsigned());
      }
      return new Entry(new Ledger(counts), status);
    }
  }

  /** Whether the end of a ledger was announced. */
  public enum Status {
    OPEN,
    EXHAUSTED
  }

  /** An empty one where nothing was charged. */
  public Entry get(Key key) {
    if (last.isPresent() && last.get().key().equals(key)) {
      return last.get().entry();
    }
    byte[] bytes = store.get(key.encode());
    Entry entry = bytes == null ? Entry.EMPTY : Entry.decode(bytes);
    last = Optional.of(new Kept(key, entry));
    return entry;
  }

  /** The first entries after a key, or from the beginning. */
  public void after(Optional<Key> key, int most, BiConsumer<Key, Entry> reader) {
    Bytes from = key.map(Key::encode).orElse(null);
    int read = 0;
    try (KeyValueIterator<Bytes, byte[]> range = store.range(from, null)) {
      while (range.hasNext() && read < most) {
        KeyValue<Bytes, byte[]> next = range.next();
        if (!next.key.equals(from)) {
          reader.accept(Key.decode(next.key.get()), Entry.decode(next.value));
          read++;
        }
      }
    }
  }

  /**
   * What a slice deleted.
   *
   * @param last key of them; nothing if there were none
   */
  public record Deleted(int ledgers, Optional<Key> last) {}

  /**
   * Deletes ledgers of periods before one.
   *
   * @param after where the last slice ended: all up to there are deleted
   */
  public Deleted deleteBefore(long period, Optional<Key> after, int most) {
    List<Bytes> over = new ArrayList<>();
    Bytes from = after.map(Key::encode).orElse(null);
    try (KeyValueIterator<Bytes, byte[]> range = store.range(from, Key.first(period).encode())) {
      while (range.hasNext() && over.size() < most) {
        KeyValue<Bytes, byte[]> next = range.next();
        if (!next.key.equals(from)) {
          over.add(next.key);
          totals.ifPresent(
              sums ->
                  sums.changed(
                      Key.decode(next.key.get()), Entry.decode(next.value).ledger().size(), 0));
        }
      }
    }
    over.forEach(store::delete);
    last = Optional.empty();
    return new Deleted(
        over.size(),
        over.isEmpty()
            ? Optional.empty()
            : Optional.of(Key.decode(over.get(over.size() - 1).get())));
  }

  /** Keeps what is charged now. */
  public void put(Key key, Entry entry) {
    totals.ifPresent(sums -> sums.changed(key, get(key).ledger().size(), entry.ledger().size()));
    store.put(key.encode(), entry.encode());
    last = Optional.of(new Kept(key, entry));
  }
}
