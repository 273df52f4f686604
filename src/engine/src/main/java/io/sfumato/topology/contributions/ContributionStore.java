// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.contributions;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.gate.NoiseKey;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.Selections;
import io.sfumato.serde.JournalEntry.Contribution;
import io.sfumato.topology.dataset.DatasetStore.Key;
import io.sfumato.topology.dataset.ReadAhead;
import io.sfumato.topology.store.StagedWrites;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.utils.Bytes;

/** What users have contributed to open windows. Key: window start (sortable), user. */
public final class ContributionStore {
  /** Before the blocks of several selections: what no format of contributions is. */
  private static final int SEVERAL = 0;

  private final StagedWrites store;

  /** One for each selection of the file's records. */
  private final List<Contributions.Layout> layouts;

  /** What rows and entries call these. */
  private final List<Integer> ids;

  private final NoiseKey noiseKey;

  private final ReadAhead<UserWindow> ahead;

  /** Starts of windows that somebody may have contributed to. */
  private final NavigableSet<Long> windows = new TreeSet<>();

  public ContributionStore(StagedWrites store, Pipeline pipeline, NoiseKey noiseKey) {
    this.store = store;
    this.layouts = Contributions.Layout.of(pipeline);
    this.ids = Selections.of(pipeline).ids();
    this.noiseKey = noiseKey;
    this.ahead =
        new ReadAhead<>(
            store, (key, bytes) -> new UserWindow(key, decode(bytes, key)), ReadAhead.LEAST);
    windows.addAll(store.leadingNumbers());
  }

  /**
   * A user's contributions to one window.
   *
   * @param selections of the file's records, at least one
   */
  public record UserWindow(Key key, List<Contributions> selections) {
    public UserWindow {
      selections = List.copyOf(selections);
    }

    /** Of the records that the file's input selects. */
    public Contributions contributions() {
      return selections.get(0);
    }
  }

  /**
   * What of a user's window may count under the bounds of one question of the file.
   *
   * @param selection that the question is about: its number
   */
  public Contributions within(UserWindow closed, int selection, Population bounds) {
    return closed.selections().get(selection).within(bounds, subjectRanks(closed.key()));
  }

  /**
   * Subjects of the records of a user's window that do not count, as far as that is told.
   *
   * @param charged the records that count
   */
  public List<String> leftOut(UserWindow closed, List<Contributions.Entry> charged) {
    return closed.contributions().leftOut(subjectRanks(closed.key()), charged);
  }

  /**
   * Subjects of which the user has more records than count or are told as left out.
   *
   * @param selection that is asked about: its number
   * @param bounds of the question
   * @param counting what of the user's window may count under them
   */
  public List<String> beyond(
      UserWindow closed, int selection, Population bounds, Contributions counting) {
    return closed
        .selections()
        .get(selection)
        .beyond(subjectRanks(closed.key()), bounds, counting.counted());
  }

  private ToLongFunction<String> subjectRanks(Key key) {
    return subject -> noiseKey.rank(key.subject(), key.windowStart(), subject);
  }

  /**
   * Adds records in their order. Those of one user and window that follow each other, as items of
   * one array do, are one change of their row.
   */
  public void add(List<Contribution> records) {
    int end;
    for (int begin = 0; begin < records.size(); begin = end) {
      end = begin + 1;
      while (end < records.size() && share(records.get(begin), records.get(end))) {
        end++;
      }
      addToRow(records.subList(begin, end));
    }
  }

  private static boolean share(Contribution one, Contribution other) {
    return one.windowStart() == other.windowStart() && one.user().equals(other.user());
  }

  private void addToRow(List<Contribution> records) {
    Key of = new Key(records.get(0).windowStart(), records.get(0).user());
    Bytes key = of.encode();
    byte[] before = store.get(key);
    List<Contributions> mine = before == null ? none() : decode(before, of);
    ToLongFunction<String> ranks = subjectRanks(of);
    boolean changed = false;
    for (Contribution record : records) {
      int place = place(record);
      if (place >= 0) {
        mine.get(place).add(entry(record), ranks);
        changed = true;
      }
    }
    if (changed) {
      windows.add(of.windowStart());
      store.put(key, encode(mine));
    }
  }

  private static Contributions.Entry entry(Contribution record) {
    return new Contributions.Entry(
        record.subject(),
        record.category(),
        record.rank(),
        record.values(),
        record.name(),
        record.place());
  }

  /** Of a selection that another version had, no place: below 0. */
  private int place(Contribution record) {
    return record.selection() == 0 ? 0 : ids.indexOf(record.selection());
  }

  private List<Contributions> none() {
    return layouts.stream().map(Contributions::new).toList();
  }

  /** As a file of one selection always had them; several behind each other, each with its name. */
  private byte[] encode(List<Contributions> selections) {
    if (selections.size() == 1) {
      return selections.get(0).encode();
    }
    ByteWriter out = new ByteWriter().fixed8(SEVERAL);
    for (int number = 0; number < selections.size(); number++) {
      if (!selections.get(number).isEmpty()) {
        out.unsigned(ids.get(number)).block(selections.get(number).encode());
      }
    }
    return out.toBytes();
  }

  private List<Contributions> decode(byte[] bytes, Key key) {
    ToLongFunction<String> ranks = subjectRanks(key);
    byte[][] blocks = blocks(bytes);
    List<Contributions> found = new ArrayList<>(blocks.length);
    for (int number = 0; number < blocks.length; number++) {
      Contributions.Layout layout = layouts.get(number);
      found.add(
          blocks[number] == null
              ? new Contributions(layout)
              : Contributions.decode(blocks[number], layout, ranks));
    }
    return found;
  }

  /** The bytes of each selection, in their order; null where a user has nothing. */
  private byte[][] blocks(byte[] row) {
    byte[][] blocks = new byte[layouts.size()][];
    if (row[0] != SEVERAL) {
      // Of a file of one selection, perhaps of an earlier version.
      blocks[0] = row;
      return blocks;
    }
    ByteReader in =
        new ByteReader(row).format(SEVERAL, "a user's contributions to several selections");
    while (!in.atEnd()) {
      int number = ids.indexOf((int) in.unsigned());
      byte[] block = in.block();
      if (number >= 0) {
        blocks[number] = block;
      }
    }
    return blocks;
  }

  /**
   * The first after a key, in order, of windows that start before {@code limit}. All of these are
   * closed: what was read ahead stays right until it is deleted.
   */
  public List<UserWindow> after(Optional<Key> key, long limit, int most) {
    ahead.moveTo(key);
    if (!ahead.has(most)) {
      ahead.read(limit, most);
    }
    return ahead.first(limit, most);
  }

  /** Deletes what is kept of a user's window. */
  public void delete(Key key) {
    Bytes at = key.encode();
    store.delete(at);
    ahead.drop(at);
  }

  /** Deletes what a user has in windows that start at a time or after it. */
  public void forget(String user, long from) {
    for (long window : windows.tailSet(from)) {
      Key key = new Key(window, user);
      if (store.get(key.encode()) != null) {
        delete(key);
      }
    }
  }

  /** Nothing is left in windows that start before a time, and nothing will come. */
  public void emptied(long before) {
    windows.headSet(before).clear();
  }
}
