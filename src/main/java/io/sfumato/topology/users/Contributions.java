// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.users;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.pipeline.Population;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * A user's records of one window that may count: at most C for each of at most S subjects, whatever
 * the user sends. Which ones depends on these records alone, never on the order in which they came:
 * of the subjects those with the smallest ranks, of each subject's records likewise.
 *
 * <p>Where it is told how many were left out, at most D of a user, it also keeps how many records
 * each of S + D subjects had, C + D at most: those with the smallest ranks again. More than S + D
 * subjects have lost D records by themselves, and so has one with C + D records.
 */
public final class Contributions {
  private static final int FORMAT = 1;

  /** With the numbers of records that subjects had. */
  private static final int FORMAT_NUMBERED = 2;

  private static final Comparator<Entry> BY_RANK =
      Comparator.comparingLong(Entry::rank)
          .thenComparing(Entry::subject)
          .thenComparingInt(Entry::category);

  private final Population population;

  /** D, 0 where nobody asks. */
  private final int mostLeftOut;

  private final Map<String, Subject> subjects = new TreeMap<>();

  public Contributions(Population population) {
    this.population = population;
    this.mostLeftOut = population.leftOut().orElse(0);
  }

  /**
   * One record.
   *
   * @param rank keyed hash of its place in the log
   */
  public record Entry(String subject, int category, long rank) {}

  /** What is kept of a subject: its records that may count, by rank, and how many it had. */
  private static final class Subject {
    private final List<Entry> entries = new ArrayList<>();
    private int records;
  }

  /**
   * Adds a record, if it may count.
   *
   * @param subjectRanks keyed hashes of subjects, for this user and window
   */
  public void add(Entry entry, ToLongFunction<String> subjectRanks) {
    boolean known = subjects.containsKey(entry.subject());
    Subject mine = subjects.computeIfAbsent(entry.subject(), name -> new Subject());
    mine.records = Math.min(mine.records + 1, population.records() + mostLeftOut);
    if (known && mine.entries.isEmpty()) {
      // A subject that goes never comes back: those before it stay before it.
      return;
    }
    // They are in order: one record may bring thousands.
    int place = Collections.binarySearch(mine.entries, entry, BY_RANK);
    mine.entries.add(place < 0 ? -place - 1 : place, entry);
    if (mine.entries.size() > population.records()) {
      mine.entries.remove(mine.entries.size() - 1);
    }
    if (!known && subjects.size() > population.subjects()) {
      List<String> ranked = ranked(subjectRanks);
      ranked.stream()
          .skip(population.subjects())
          .forEach(name -> subjects.get(name).entries.clear());
      ranked.stream()
          .skip((long) population.subjects() + mostLeftOut)
          .forEach(name -> subjects.remove(name));
    }
  }

  private List<String> ranked(ToLongFunction<String> subjectRanks) {
    // A rank costs a hash: one for each, not one for each comparison.
    Map<String, Long> ranks = new HashMap<>();
    subjects.keySet().forEach(name -> ranks.put(name, subjectRanks.applyAsLong(name)));
    return subjects.keySet().stream()
        .sorted(
            Comparator.<String>comparingLong(ranks::get).thenComparing(Comparator.naturalOrder()))
        .toList();
  }

  /** Those that count: of all that may, the C with the smallest ranks. */
  public List<Entry> counted() {
    return subjects.values().stream()
        .flatMap(mine -> mine.entries.stream())
        .sorted(BY_RANK)
        .limit(population.records())
        .toList();
  }

  /**
   * The subject of each record that does not count: of the first D, in the order of the subjects'
   * ranks. Empty where nobody asks.
   *
   * @param subjectRanks as they were when records were added
   */
  public List<String> leftOut(ToLongFunction<String> subjectRanks) {
    if (mostLeftOut == 0) {
      return List.of();
    }
    Map<String, Long> counted =
        counted().stream().collect(Collectors.groupingBy(Entry::subject, Collectors.counting()));
    List<String> lost = new ArrayList<>();
    for (String name : ranked(subjectRanks)) {
      long records = subjects.get(name).records - counted.getOrDefault(name, 0L);
      for (long left = records; left > 0 && lost.size() < mostLeftOut; left--) {
        lost.add(name);
      }
    }
    return lost;
  }

  /** As the users' store has them. */
  public byte[] encode() {
    ByteWriter out = new ByteWriter().fixed8(format());
    subjects.forEach(
        (name, mine) -> {
          out.text(name);
          if (mostLeftOut > 0) {
            out.unsigned(mine.records);
          }
          out.unsigned(mine.entries.size());
          mine.entries.forEach(entry -> out.unsigned(entry.category()).fixed64(entry.rank()));
        });
    return out.toBytes();
  }

  private int format() {
    return mostLeftOut > 0 ? FORMAT_NUMBERED : FORMAT;
  }

  /** Inverse of {@link #encode}. */
  public static Contributions decode(byte[] bytes, Population population) {
    Contributions read = new Contributions(population);
    ByteReader in = new ByteReader(bytes).format(read.format(), "a user's contributions");
    while (!in.atEnd()) {
      String name = in.text();
      Subject mine = new Subject();
      mine.records = read.mostLeftOut > 0 ? (int) in.unsigned() : 0;
      for (long left = in.unsigned(); left > 0; left--) {
        mine.entries.add(new Entry(name, (int) in.unsigned(), in.fixed64()));
      }
      read.subjects.put(name, mine);
    }
    return read;
  }
}
