// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.contributions;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.topology.contributions.Contributions.Entry;
import io.sfumato.topology.store.Scan;
import io.sfumato.topology.store.StagedWrites;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;

/**
 * Which names a user's records of a budget period have counted for, where a file bounds these in
 * the whole period. A name is kept as a hash of 64 bits: of two with one hash too few records
 * count, never too many. Key: period (sortable), user. What a user has spent is in the ledger; this
 * goes with it.
 *
 * <p>Where a user is forgotten the hashes go too, since a guess could be tested against them. What
 * was spent stays, and without its names nothing more counts in that period.
 */
final class PeriodRecords {
  private static final int FORMAT = 1;

  /** In the place of a period: from which window on a user is forgotten. */
  private static final long FORGOTTEN = Long.MAX_VALUE;

  private final StagedWrites store;
  private final int perName;

  /** Whether there may be users whose hashes have to go. */
  private boolean forgets = true;

  /** How far periods that are over were deleted. */
  private final Scan front;

  /** Up to which period everything is deleted. */
  private long cleared = Long.MIN_VALUE;

  /**
   * @param perName k: most records of a user and period that count for one name
   */
  PeriodRecords(StagedWrites store, int perName) {
    this.store = store;
    this.perName = perName;
    this.front = new Scan(store, key("", Long.MIN_VALUE));
  }

  /** What a user's records of one period have counted for: names, and how many for each. */
  final class OfUser {
    private final Bytes key;
    private final SortedMap<Long, Long> names;

    /** Hashes of those that were allowed last, in their order. */
    private final List<Long> hashes = new ArrayList<>();

    private OfUser(Bytes key, SortedMap<Long, Long> names) {
      this.key = key;
      this.names = names;
    }

    /** How many there were. */
    long records() {
      return names.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Those of more records for whose names there is room, in their order. */
    List<Entry> allowed(List<Entry> more) {
      SortedMap<Long, Long> counts = new TreeMap<>(names);
      List<Entry> allowed = new ArrayList<>();
      hashes.clear();
      for (Entry entry : more) {
        long hash = hash(entry);
        if (counts.merge(hash, 1L, Long::sum) <= perName) {
          allowed.add(entry);
          hashes.add(hash);
        }
      }
      return allowed;
    }

    /**
     * The first ones of those that were allowed count.
     *
     * @param counted how many of them
     */
    void add(int counted) {
      hashes.subList(0, counted).forEach(hash -> names.merge(hash, 1L, Long::sum));
      ByteWriter out = new ByteWriter().fixed8(FORMAT);
      names.forEach((name, records) -> out.fixed64(name).unsigned(records));
      store.put(key, out.toBytes());
    }
  }

  /** What is kept of a user's period. */
  OfUser of(String user, long period) {
    Bytes key = key(user, period);
    SortedMap<Long, Long> names = new TreeMap<>();
    byte[] bytes = store.get(key);
    if (bytes != null) {
      ByteReader in = new ByteReader(bytes).format(FORMAT, "a user's records of a period");
      while (!in.atEnd()) {
        names.put(in.fixed64(), in.unsigned());
      }
    }
    return new OfUser(key, names);
  }

  /**
   * Notes that a user is forgotten.
   *
   * @param from start of the first window that is not closed: those before it are decided as if
   *     nothing had happened
   */
  void forget(String user, long from) {
    store.put(key(user, FORGOTTEN), new ByteWriter().sortable(from).toBytes());
    forgets = true;
  }

  /** Every window that starts before a time is decided: who is forgotten since then goes. */
  void decided(long before) {
    if (!forgets) {
      return;
    }
    forgets = false;
    for (var next : store.first(key("", FORGOTTEN), null, Integer.MAX_VALUE)) {
      if (new ByteReader(next.value).sortable() <= before) {
        ByteReader key = new ByteReader(next.key.get());
        key.sortable();
        delete(key.restAsText());
        store.delete(next.key);
      } else {
        forgets = true;
      }
    }
  }

  /** Deletes what is kept of a user, period by period: there are few. */
  private void delete(String user) {
    for (long period : store.leadingNumbers()) {
      Bytes key = key(user, period);
      if (period != FORGOTTEN && store.get(key) != null) {
        store.delete(key);
      }
    }
  }

  /** Deletes some of periods before one: their ledgers go too. */
  void deleteBefore(long period, int most) {
    if (period > cleared
        && front.take(key("", period), most, over -> store.delete(over.key)) < most) {
      cleared = period;
    }
  }

  private static long hash(Entry entry) {
    return ByteBuffer.wrap(new CanonicalEncoder().text(entry.subject()).text(entry.name()).digest())
        .getLong();
  }

  private static Bytes key(String user, long period) {
    return Bytes.wrap(
        new ByteWriter().sortable(period).raw(user.getBytes(StandardCharsets.UTF_8)).toBytes());
  }
}
