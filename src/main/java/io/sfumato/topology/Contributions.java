// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.pipeline.Population;
import io.sfumato.serde.ByteReader;
import io.sfumato.serde.ByteWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * A user's records of one window that may count: at most C for each of at most S subjects, whatever
 * the user sends. Which ones depends on these records alone, never on the order in which they came:
 * of the subjects those with the smallest ranks, of each subject's records likewise.
 */
final class Contributions {
  private static final int FORMAT = 1;

  private static final Comparator<Entry> BY_RANK =
      Comparator.comparingLong(Entry::rank)
          .thenComparing(Entry::subject)
          .thenComparingInt(Entry::category);

  private final Population population;

  /** By subject; each list by rank. */
  private final Map<String, List<Entry>> entries = new TreeMap<>();

  Contributions(Population population) {
    this.population = population;
  }

  /**
   * One record.
   *
   * @param rank keyed hash of its place in the log
   */
  record Entry(String subject, int category, long rank) {}

  /**
   * Adds a record, if it may count.
   *
   * @param subjectRanks keyed hashes of subjects, for this user and window
   */
  void add(Entry entry, ToLongFunction<String> subjectRanks) {
    List<Entry> mine = entries.computeIfAbsent(entry.subject(), subject -> new ArrayList<>());
    mine.add(entry);
    mine.sort(BY_RANK);
    if (mine.size() > population.records()) {
      mine.remove(mine.size() - 1);
    }
    if (entries.size() > population.subjects()) {
      // A subject that goes never comes back: those before it stay before it.
      entries.remove(
          entries.keySet().stream()
              .max(Comparator.comparingLong(subjectRanks).thenComparing(Comparator.naturalOrder()))
              .orElseThrow());
    }
  }

  /** Those that count: of all that may, the C with the smallest ranks. */
  List<Entry> counted() {
    return entries.values().stream()
        .flatMap(List::stream)
        .sorted(BY_RANK)
        .limit(population.records())
        .toList();
  }

  byte[] encode() {
    ByteWriter out = new ByteWriter().fixed8(FORMAT);
    entries.forEach(
        (subject, mine) -> {
          out.text(subject).unsigned(mine.size());
          mine.forEach(entry -> out.unsigned(entry.category()).fixed64(entry.rank()));
        });
    return out.toBytes();
  }

  static Contributions decode(byte[] bytes, Population population) {
    Contributions read = new Contributions(population);
    ByteReader in = new ByteReader(bytes).format(FORMAT, "a user's contributions");
    while (!in.atEnd()) {
      String subject = in.text();
      List<Entry> mine = new ArrayList<>();
      for (long left = in.unsigned(); left > 0; left--) {
        mine.add(new Entry(subject, (int) in.unsigned(), in.fixed64()));
      }
      read.entries.put(subject, mine);
    }
    return read;
  }
}
