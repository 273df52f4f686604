// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.dataset;

import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.SparseSums;
import io.sfumato.mechanism.abc.FeatureSum;
import io.sfumato.mechanism.abc.NumberSums;
import io.sfumato.serde.JournalEntry.Observation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** A dataset that records are still added to; the same as {@link Contents}, but it changes. */
public final class OpenDataset {
  private final DatasetStore.Key key;
  private final Contents.Layout layout;
  private final long[] counts;
  private OptionalLong leftOut;
  private OptionalLong users;
  private final long fixedBytes;
  private Optional<FeatureSum> features;
  private Optional<NumberSums> sums;
  private Optional<Reservoir> reservoir;
  private final SortedMap<String, OpenTally> tallies = new TreeMap<>();

  /** Null where nobody asks. */
  private final SortedMap<Integer, Long> cells;

  /** Null where each record is an event of its own. */
  private final SortedSet<Long> events;

  /** Of the file's other questions. */
  private final List<OpenDataset> others = new ArrayList<>();

  private boolean changed;

  public OpenDataset(DatasetStore.Key key, Contents contents, Contents.Layout layout) {
    this.key = key;
    this.layout = layout;
    this.counts = contents.histogram().map(Histogram::counts).orElse(null);
    this.leftOut = contents.leftOut();
    this.users = contents.users();
    this.features = contents.features();
    this.sums = contents.sums();
    this.reservoir = contents.reservoir();
    layout
        .tallies()
        .forEach(rule -> tallies.put(rule.canonical(), new OpenTally(rule, contents.tally(rule))));
    this.cells = contents.cells().map(OpenDataset::open).orElse(null);
    this.events = contents.events().map(known -> new TreeSet<>(known.ranks())).orElse(null);
    this.fixedBytes = layout.heldBytes(key);
    for (int number = 0; number < contents.others().size(); number++) {
      others.add(new OpenDataset(key, contents.others().get(number), layout.others().get(number)));
    }
  }

  private static SortedMap<Integer, Long> open(SparseSums users) {
    SortedMap<Integer, Long> open = new TreeMap<>();
    for (int i = 0; i < users.size(); i++) {
      open.put(users.place(i), users.sum(i));
    }
    return open;
  }

  /** Whose it is, and of which window. */
  public DatasetStore.Key key() {
    return key;
  }

  /** Memory that it takes, about. */
  public long heldBytes() {
    long bytes = fixedBytes + reservoir.map(Reservoir::heldBytes).orElse(0L);
    bytes += events == null ? 0 : (long) Contents.Layout.EVENT_BYTES * events.size();
    bytes += cells == null ? 0 : (long) Contents.Layout.CELL_BYTES * cells.size();
    for (OpenTally tally : tallies.values()) {
      bytes += tally.heldBytes();
    }
    for (OpenDataset other : others) {
      bytes += other.heldBytes();
    }
    return bytes;
  }

  /** Adds a record to its question, unless it is a copy of an event that counts already. */
  public void add(Observation record) {
    if (record.question() > 0) {
      others.get(record.question() - 1).addOwn(record);
    } else {
      addOwn(record);
    }
  }

  private void addOwn(Observation record) {
    if (events != null && (events.size() > EventIds.MOST || !events.add(record.rank()))) {
      return;
    }
    if (leftOut.isPresent() && record.category() == layout.places()) {
      leftOut = OptionalLong.of(Math.addExact(leftOut.getAsLong(), 1));
      return;
    }
    if (users.isPresent() && record.category() == layout.places() + 1) {
      users = OptionalLong.of(Math.addExact(users.getAsLong(), 1));
      return;
    }
    if (cells != null && record.category() > layout.places() + 1) {
      cells.merge((int) (record.category() - layout.places() - 2), 1L, Math::addExact);
      return;
    }
    if (counts != null) {
      int place = layout.placeOf(record);
      counts[place] = Math.addExact(counts[place], 1);
    }
    boolean whole = record.values().stream().noneMatch(x -> x.isNaN());
    if (features.isPresent() && whole) {
      features = features.map(sum -> sum.plus(layout.quantised(record)));
    }
    if (sums.isPresent() && whole) {
      sums =
          sums.map(kept -> kept.plus(layout.sums().orElseThrow(), Contents.Layout.numbers(record)));
    }
    if (reservoir.isPresent() && whole) {
      reservoir = reservoir.map(sample -> sample.plus(layout.ranked(record)));
    }
    if (!tallies.isEmpty()) {
      double[] numbers = Contents.Layout.numbers(record);
      tallies.values().forEach(tally -> tally.add(record.category(), numbers));
    }
  }

  /** As they are now. */
  public Contents contents() {
    return new Contents(
        Optional.ofNullable(counts).map(Histogram::new),
        leftOut,
        users,
        features,
        sums,
        reservoir,
        layout.tallies(rule -> tallies.get(rule.canonical()).tally()),
        Optional.ofNullable(cells).map(OpenDataset::closed),
        Optional.ofNullable(events).map(known -> new EventIds(List.copyOf(known))),
        others.stream().map(OpenDataset::contents).toList());
  }

  private static SparseSums closed(SortedMap<Integer, Long> cells) {
    return new SparseSums(
        cells.values().stream().mapToLong(Long::longValue).sum(),
        cells.keySet().stream().mapToInt(Integer::intValue).toArray(),
        cells.values().stream().mapToLong(Long::longValue).toArray());
  }

  /** Whether it changed since {@link #written}. */
  public boolean isChanged() {
    return changed;
  }

  /**
   * Notes a change.
   *
   * @return whether it is the first one
   */
  public boolean change() {
    boolean first = !changed;
    changed = true;
    return first;
  }

  void written() {
    changed = false;
  }
}
