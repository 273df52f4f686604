// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.contributions;

import io.sfumato.gate.NoiseKey;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.serde.JournalEntry.Contribution;
import io.sfumato.topology.dataset.DatasetStore.Key;
import io.sfumato.topology.dataset.ReadAhead;
import io.sfumato.topology.store.StagedWrites;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.utils.Bytes;

/** What users have contributed to open windows. Key: window start (sortable), user. */
public final class ContributionStore {
  private final StagedWrites store;
  private final Contributions.Layout layout;
  private final NoiseKey noiseKey;

  private final ReadAhead<UserWindow> ahead;

  /** Starts of windows that somebody may have contributed to. */
  private final NavigableSet<Long> windows = new TreeSet<>();

  public ContributionStore(StagedWrites store, Pipeline pipeline, NoiseKey noiseKey) {
    this.store = store;
    this.layout = Contributions.Layout.of(pipeline);
    this.noiseKey = noiseKey;
    this.ahead =
        new ReadAhead<>(
            store,
            (key, bytes) ->
                new UserWindow(key, Contributions.decode(bytes, layout, subjectRanks(key))),
            ReadAhead.LEAST);
    windows.addAll(store.leadingNumbers());
  }

  /** A user's contributions to one window. */
  public record UserWindow(Key key, Contributions contributions) {}

  /** Subjects of the records of a user's window that do not count, as far as that is told. */
  public List<String> leftOut(UserWindow closed) {
    return closed.contributions().leftOut(subjectRanks(closed.key()));
  }

  /** The same where of those that count some only were charged for. */
  public List<String> leftOut(UserWindow closed, List<Contributions.Entry> charged) {
    return closed.contributions().leftOut(subjectRanks(closed.key()), charged);
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
    if (before == null) {
      windows.add(of.windowStart());
    }
    Contributions mine =
        before == null
            ? new Contributions(layout)
            : Contributions.decode(before, layout, subjectRanks(of));
    ToLongFunction<String> ranks = subjectRanks(of);
    for (Contribution record : records) {
      mine.add(
          new Contributions.Entry(
              record.subject(),
              record.category(),
              record.rank(),
              record.values(),
              record.name(),
              record.place()),
          ranks);
    }
    store.put(key, mine.encode());
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
