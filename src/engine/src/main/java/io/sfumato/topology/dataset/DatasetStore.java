// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.dataset;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.topology.store.Scan;
import io.sfumato.topology.store.StagedWrites;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.kafka.common.utils.Bytes;

/**
 * The open datasets, and the closed ones that are not yet released or still answer queries. Key:
 * window start (sortable), subject. Value: see {@link ContentsCodec}.
 */
public final class DatasetStore {
  /** Kept however little memory there is: a batch of records costs no read and write for each. */
  private static final int LEAST_OPEN = 100;

  private static final Key BEFORE_ALL = new Key(Long.MIN_VALUE, "");

  private final StagedWrites store;
  private final Contents.Layout layout;
  private final LongSupplier memory;
  private final int leastOpen;

  /** Those that records were added to lately, the least recent first. */
  private final Map<Key, OpenDataset> open = new LinkedHashMap<>(16, 0.75f, true);

  /** Those of them that the store does not know yet, by window. */
  private final NavigableMap<Long, List<OpenDataset>> changed = new TreeMap<>();

  /** Memory of {@link #open}, about. */
  private long held;

  private final EvictedDatasets evicted = new EvictedDatasets();

  private final ReadAhead<Dataset> ahead;

  /** Starts of windows that may have datasets. */
  private final NavigableSet<Long> windows = new TreeSet<>();

  /** How far those in front that are done with were deleted. */
  private final Scan front;

  /**
   * @param memory bytes that open datasets may take at this moment, about; the store holds all of
   *     them
   */
  public DatasetStore(StagedWrites store, Contents.Layout layout, LongSupplier memory) {
    this(store, layout, memory, LEAST_OPEN, ReadAhead.LEAST);
  }

  /**
   * @param leastOpen datasets kept in memory however little there is, at least 1
   * @param readAhead datasets read at once, at least 1
   */
  public DatasetStore(
      StagedWrites store,
      Contents.Layout layout,
      LongSupplier memory,
      int leastOpen,
      int readAhead) {
    this.store = store;
    this.layout = layout;
    this.memory = memory;
    this.leastOpen = leastOpen;
    this.ahead =
        new ReadAhead<>(
            store,
            (key, bytes) -> new Dataset(key, ContentsCodec.decode(bytes, layout)),
            readAhead);
    this.front = new Scan(store, BEFORE_ALL.encode());
    windows.addAll(store.leadingNumbers());
    windows.forEach(evicted::alwaysLookFor);
  }

  /** A place in the order in which datasets are released: by window, then by subject. */
  public record Key(long windowStart, String subject) {
    /** Sorts as releases are ordered. */
    public Bytes encode() {
      return Bytes.wrap(
          new ByteWriter()
              .sortable(windowStart)
              .raw(subject.getBytes(StandardCharsets.UTF_8))
              .toBytes());
    }

    /** Inverse of {@link #encode}: reads to the end. */
    public static Key read(ByteReader in) {
      return new Key(in.sortable(), in.restAsText());
    }
  }

  /** Adds a record to its subject's window. */
  public void add(Observation record) {
    Key key = new Key(record.windowStart(), record.subject());
    OpenDataset dataset = open.get(key);
    if (dataset == null) {
      dataset = new OpenDataset(key, begun(key).orElseGet(layout::empty), layout);
      open.put(key, dataset);
      windows.add(key.windowStart());
    } else {
      held -= dataset.heldBytes();
    }
    dataset.add(record);
    held += dataset.heldBytes();
    if (dataset.change()) {
      changed.computeIfAbsent(key.windowStart(), window -> new ArrayList<>()).add(dataset);
    }
    makeRoom();
  }

  /** What the store has of a dataset; it is asked only if it may have something. */
  private Optional<Contents> begun(Key key) {
    return evicted.mayContain(key) ? stored(key) : Optional.empty();
  }

  /** Forgets the oldest until the rest fits into what memory there is now. */
  private void makeRoom() {
    long room = memory.getAsLong();
    evicted.shrinkTo(room / 2);
    while (open.size() > leastOpen && held + evicted.heldBytes() > room) {
      Iterator<OpenDataset> datasets = open.values().iterator();
      OpenDataset oldest = datasets.next();
      if (oldest.isChanged()) {
        write();
      }
      datasets.remove();
      held -= oldest.heldBytes();
      evicted.add(oldest.key(), room / 2);
    }
  }

  /** Datasets that memory holds. */
  public int open() {
    return open.size();
  }

  /** Memory that they and what is known of evicted ones take, about. */
  public long heldBytes() {
    return held + evicted.heldBytes();
  }

  /** Hands everything that changed to the store. */
  public void write() {
    write(changed);
  }

  private void write(NavigableMap<Long, List<OpenDataset>> windows) {
    for (List<OpenDataset> datasets : windows.values()) {
      for (OpenDataset dataset : datasets) {
        // One that was deleted meanwhile has no change left.
        if (dataset.isChanged()) {
          Bytes at = dataset.key().encode();
          store.put(at, ContentsCodec.encode(dataset.contents()));
          front.written(at);
          dataset.written();
        }
      }
    }
    windows.clear();
  }

  /** What is kept of a dataset; nothing of one without records. */
  public Optional<Dataset> get(Key key) {
    OpenDataset dataset = open.get(key);
    return (dataset == null ? stored(key) : Optional.of(dataset.contents()))
        .map(contents -> new Dataset(key, contents));
  }

  private Optional<Contents> stored(Key key) {
    return Optional.ofNullable(store.get(key.encode()))
        .map(bytes -> ContentsCodec.decode(bytes, layout));
  }

  /** Deletes a dataset, open or closed. */
  public void delete(Key key) {
    OpenDataset dataset = open.remove(key);
    if (dataset != null) {
      held -= dataset.heldBytes();
      dataset.written();
    }
    Bytes at = key.encode();
    store.delete(at);
    ahead.drop(at);
  }

  /**
   * The first datasets after a key, in order, of windows that start before {@code limit}. All of
   * these are closed: what was read ahead stays right until it is deleted.
   */
  public List<Dataset> after(Optional<Key> key, long limit, int most) {
    ahead.moveTo(key);
    if (!ahead.has(most)) {
      write(changed.headMap(limit, false));
      evicted.closeBefore(limit);
      ahead.read(limit, most);
    }
    return ahead.first(limit, most);
  }

  /**
   * Deletes datasets of windows that start before a limit, the first ones first.
   *
   * @return how many; fewer than {@code most} only when none is left
   */
  public int deleteFront(long limit, int most) {
    return deleteFront(new Key(limit, "").encode(), limit, most);
  }

  /** The same, up to a dataset and with it. */
  public int deleteFrontThrough(Key last, int most) {
    return deleteFront(Scan.after(last.encode()), last.windowStart() + 1, most);
  }

  private int deleteFront(Bytes to, long limit, int most) {
    write(changed.headMap(limit, false));
    return front.take(to, most, entry -> delete(Key.read(new ByteReader(entry.key.get()))));
  }

  /**
   * Deletes those datasets of one subject that a condition holds for.
   *
   * @return start of the last window in which the subject has another
   */
  public OptionalLong forget(String subject, Predicate<Key> condition) {
    OptionalLong last = OptionalLong.empty();
    for (long window : windows) {
      Key key = new Key(window, subject);
      if (!open.containsKey(key) && store.get(key.encode()) == null) {
        continue;
      }
      if (condition.test(key)) {
        delete(key);
      } else {
        last = OptionalLong.of(window);
      }
    }
    return last;
  }

  /** Nothing is left in windows that start before a limit, and nothing will come. */
  public void emptied(long limit) {
    windows.headSet(limit).clear();
  }
}
