// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.budget;

import io.sfumato.accounting.Ledger;
import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.gate.LedgerRule;
import io.sfumato.topology.store.Scan;
import io.sfumato.topology.store.StagedWrites;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;

/** Charge counts. Key: budget period (sortable), share, subject. */
public final class LedgerStore implements LedgerRule.Ledgers<LedgerStore.Key> {
  private static final int FORMAT = 1;
  private static final int OPEN = 0;
  private static final int EXHAUSTED = 1;

  private final StagedWrites store;
  private final List<Listener> listeners = new ArrayList<>();

  /** How far ledgers of periods that are over were deleted. */
  private final Scan front;

  /** The last that was read or kept: what asks whether a charge fits makes it next. */
  private Optional<Last> last = Optional.empty();

  private record Last(Key key, Entry entry) {}

  public LedgerStore(StagedWrites store) {
    this.store = store;
    this.front = new Scan(store, Key.first(Long.MIN_VALUE).encode());
  }

  /** Follows changes of ledgers. */
  public interface Listener {
    /** A ledger changes; one without charges stands for none. */
    void changed(Key key, Entry before, Entry after);
  }

  /** From now on a listener hears of every change, before it is kept. */
  public void addListener(Listener listener) {
    listeners.add(listener);
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

  @Override
  public Ledger get(Key key) {
    return entry(key).ledger();
  }

  @Override
  public void put(Key key, Ledger ledger) {
    put(key, new Entry(ledger, entry(key).status()));
  }

  /** An empty one where nothing was charged. */
  public Entry entry(Key key) {
    if (last.isPresent() && last.get().key().equals(key)) {
      return last.get().entry();
    }
    byte[] bytes = store.get(key.encode());
    Entry entry = bytes == null ? Entry.EMPTY : Entry.decode(bytes);
    last = Optional.of(new Last(key, entry));
    return entry;
  }

  /** Keeps what is charged now. */
  public void put(Key key, Entry entry) {
    changed(key, entry(key), entry);
    store.put(key.encode(), entry.encode());
    last = Optional.of(new Last(key, entry));
  }

  private void changed(Key key, Entry before, Entry after) {
    listeners.forEach(listener -> listener.changed(key, before, after));
  }

  /** The first entries after a key, or from the beginning. */
  public void after(Optional<Key> key, int most, BiConsumer<Key, Entry> reader) {
    Bytes from = key.map(after -> Scan.after(after.encode())).orElse(null);
    for (KeyValue<Bytes, byte[]> next : store.first(from, null, most)) {
      reader.accept(Key.decode(next.key.get()), Entry.decode(next.value));
    }
  }

  /**
   * Deletes ledgers of periods before one, the first ones first.
   *
   * @return how many; fewer than {@code most} only when none is left
   */
  public int deleteBefore(long period, int most) {
    last = Optional.empty();
    return front.take(
        Key.first(period).encode(),
        most,
        over -> {
          changed(Key.decode(over.key.get()), Entry.decode(over.value), Entry.EMPTY);
          store.delete(over.key);
        });
  }
}
