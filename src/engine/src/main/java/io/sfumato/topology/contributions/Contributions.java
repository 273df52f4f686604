// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.contributions;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.pipeline.CellPlaces;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.Selections;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A user's records of one window that may count: at most C for each of at most S subjects, whatever
 * the user sends. Which ones depends on these records alone, never on the order in which they came:
 * of the subjects those with the smallest ranks, of each subject's records likewise. Copies of an
 * event have one rank, and count once. Where names are counted, at most k of a subject's records
 * for one name: again those with the smallest ranks.
 *
 * <p>Where it is told how many were left out, at most D of a user, it also keeps how many records
 * each of S + D subjects had, C + D at most: those with the smallest ranks again. More than S + D
 * subjects have lost D records by themselves, and so has one with C + D records. Where it is asked
 * who has still more, it keeps one more of both.
 */
public final class Contributions {
  private static final int FORMAT = 1;

  /** Added where it is kept how many records subjects had. */
  private static final int COUNTED = 1;

  /** Added where records have numbers. */
  private static final int NUMBERED = 2;

  /** Added where records have names. */
  private static final int NAMED = 4;

  /** Added where records may be copies of one event. */
  private static final int IDENTIFIED = 8;

  /** Copies of an event are one, whatever category they have; those with other names are not. */
  private static final Comparator<Entry> BY_EVENT =
      Comparator.comparingLong(Entry::rank)
          .thenComparing(Entry::subject)
          .thenComparing(Entry::name);

  private static final Comparator<Entry> BY_RANK =
      Comparator.comparingLong(Entry::rank)
          .thenComparing(Entry::subject)
          .thenComparingLong(Entry::category)
          .thenComparing(Entry::name)
          .thenComparing(Entry::values, Contributions::compare);

  private final Layout layout;
  private final Population population;
  private final Comparator<Entry> order;

  /** D, 0 where nobody asks. */
  private final int mostLeftOut;

  /** Of how many records beyond C it is known that they were there: D, or one more. */
  private final int mostKnown;

  private final Map<String, Subject> subjects = new TreeMap<>();

  public Contributions(Layout layout) {
    this.layout = layout;
    this.population = layout.population();
    this.order = layout.identified() ? BY_EVENT : BY_RANK;
    this.mostLeftOut = population.leftOut().orElse(0);
    this.mostKnown = mostLeftOut + (layout.beyond() ? 1 : 0);
  }

  /**
   * How one pipeline keeps them.
   *
   * @param population what of a user counts
   * @param numbers of a record, 0 where records have none
   * @param identified whether records may be copies of one event
   * @param beyond whether it is asked who has more records than count or are told as left out
   */
  public record Layout(Population population, int numbers, boolean identified, boolean beyond) {
    /** Where nobody asks who has more records. */
    public Layout(Population population, int numbers, boolean identified) {
      this(population, numbers, identified, false);
    }

    /** Where each record is an event of its own. */
    public Layout(Population population, int numbers) {
      this(population, numbers, false);
    }

    /** The same with other bounds. */
    Layout with(Population bounds) {
      return new Layout(bounds, numbers, identified, beyond);
    }

    /**
     * Those of a pipeline whose users are protected, one for each of its selections: wide enough
     * for each of its questions.
     *
     * @throws java.util.NoSuchElementException if it has no users
     */
    static List<Layout> of(Pipeline pipeline) {
      List<Layout> layouts = new ArrayList<>();
      Selections selections = Selections.of(pipeline);
      for (int selection = 0; selection < selections.all().size(); selection++) {
        layouts.add(
            new Layout(
                selections.widest(selection).orElseThrow(),
                pipeline.input().values().size(),
                pipeline.input().id().isPresent(),
                selections.countsBeyond(selection)));
      }
      return layouts;
    }
  }

  /**
   * One record.
   *
   * @param rank keyed hash of its place in the log, or of its event's id
   * @param values its numbers; none where records have none
   * @param name of its category where nobody listed any; else empty
   * @param place keyed hash of its place in the log, where its rank is that of an id; else 0
   */
  public record Entry(
      String subject, long category, long rank, List<Double> values, String name, long place) {
    public Entry {
      values = List.copyOf(values);
    }

    /** One that is an event of its own. */
    public Entry(String subject, long category, long rank, List<Double> values, String name) {
      this(subject, category, rank, values, name, 0);
    }

    /** Of a category that is listed, or none. */
    public Entry(String subject, long category, long rank, List<Double> values) {
      this(subject, category, rank, values, "");
    }

    /** One without numbers. */
    public Entry(String subject, long category, long rank) {
      this(subject, category, rank, List.of());
    }
  }

  /** Ranks are hashes of places, so that what follows them decides next to never. */
  private static int compare(List<Double> one, List<Double> other) {
    for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
      int order = Double.compare(one.get(i), other.get(i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(one.size(), other.size());
  }

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
    mine.records = known(mine.records + 1);
    if (known && mine.entries.isEmpty()) {
      // A subject that goes never comes back: those before it stay before it.
      return;
    }
    // They are in order: one record may bring thousands.
    int place = Collections.binarySearch(mine.entries, entry, order);
    if (place >= 0 && layout.identified()) {
      // A copy: of both the one whose place comes first, whichever was read first.
      if (entry.place() < mine.entries.get(place).place()) {
        mine.entries.set(place, entry);
      }
      return;
    }
    mine.entries.add(place < 0 ? -place - 1 : place, entry);
    if (population.oneName().isPresent()) {
      boundName(mine.entries, entry.name());
    }
    if (mine.entries.size() > population.records()) {
      mine.entries.remove(mine.entries.size() - 1);
    }
    if (!known && subjects.size() > population.subjects()) {
      List<String> ranked = ranked(subjectRanks);
      ranked.stream()
          .skip(population.subjects())
          .forEach(name -> subjects.get(name).entries.clear());
      ranked.stream()
          .skip((long) population.subjects() + mostKnown)
          .forEach(name -> subjects.remove(name));
    }
  }

  /**
   * Of more than k records for one name the last goes. What comes later never makes room for it:
   * whoever stands before it is followed by others of its name alone.
   */
  private void boundName(List<Entry> entries, String name) {
    int found = 0;
    for (int place = 0; place < entries.size(); place++) {
      if (entries.get(place).name().equals(name) && ++found > population.perName()) {
        entries.remove(place);
        return;
      }
    }
  }

  /** Whether nobody's records are known. */
  public boolean isEmpty() {
    return subjects.isEmpty();
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
    List<Entry> all =
        subjects.values().stream().flatMap(mine -> mine.entries.stream()).sorted(order).toList();
    return (layout.identified() ? oncePerEvent(all) : all.stream())
        .limit(population.records())
        .toList();
  }

  /**
   * What of them may count under bounds that are no wider: the same as if these alone had been kept
   * to. Which subjects, and which records of a subject, come first does not depend on bounds.
   *
   * @param bounds of a question of the file
   * @param subjectRanks as they were when records were added
   */
  public Contributions within(Population bounds, ToLongFunction<String> subjectRanks) {
    if (bounds.records() == population.records() && bounds.subjects() == population.subjects()) {
      return this;
    }
    Contributions narrower = new Contributions(layout.with(bounds));
    List<String> first =
        bounds.subjects() < subjects.size() ? ranked(subjectRanks) : List.copyOf(subjects.keySet());
    for (int place = 0; place < Math.min(first.size(), bounds.subjects()); place++) {
      Subject all = subjects.get(first.get(place));
      Subject mine = new Subject();
      mine.records = all.records;
      mine.entries.addAll(all.entries.subList(0, Math.min(all.entries.size(), bounds.records())));
      narrower.subjects.put(first.get(place), mine);
    }
    return narrower;
  }

  /**
   * The cells in which the user counts as a distinct user: every subject that is kept, and of all
   * categories of their records that are kept the first ones, in the order of ranks. Unlike
   * records, subjects are not fewer where one of them has many.
   *
   * @param asked which cells are counted
   * @param mostCategories G, over all subjects
   */
  public List<Cell> cells(CellPlaces asked, int mostCategories) {
    List<Entry> all =
        subjects.values().stream().flatMap(mine -> mine.entries.stream()).sorted(order).toList();
    List<Entry> events = (layout.identified() ? oncePerEvent(all) : all.stream()).toList();
    Stream<Cell> ofSubjects =
        asked.bySubject()
            ? events.stream().map(Entry::subject).distinct().map(Cell::ofSubject)
            : Stream.empty();
    Stream<Cell> ofCategories =
        asked.categories() > 0
            ? events.stream()
                .map(entry -> new Cell(entry.subject(), OptionalInt.of((int) entry.category())))
                .distinct()
                .limit(mostCategories)
            : Stream.empty();
    return Stream.concat(ofSubjects, ofCategories).toList();
  }

  /**
   * What has a count of users of its own.
   *
   * @param category of the subject; empty where all are together
   */
  public record Cell(String subject, OptionalInt category) {
    static Cell ofSubject(String subject) {
      return new Cell(subject, OptionalInt.empty());
    }
  }

  /** Of copies with other subjects or categories, the one whose place comes first. */
  private static Stream<Entry> oncePerEvent(List<Entry> sorted) {
    Map<Long, Entry> events = new LinkedHashMap<>();
    for (Entry entry : sorted) {
      events.merge(entry.rank(), entry, (one, other) -> other.place() < one.place() ? other : one);
    }
    return events.values().stream();
  }

  /**
   * The subject of each record that does not count: of the first D, in the order of the subjects'
   * ranks. Empty where nobody asks.
   *
   * @param subjectRanks as they were when records were added
   */
  public List<String> leftOut(ToLongFunction<String> subjectRanks) {
    return leftOut(subjectRanks, counted());
  }

  /**
   * The same where of those that count some only were charged for.
   *
   * @param subjectRanks as they were when records were added
   * @param charged they, some of {@link #counted}
   */
  public List<String> leftOut(ToLongFunction<String> subjectRanks, List<Entry> charged) {
    if (mostLeftOut == 0) {
      return List.of();
    }
    List<String> lost = new ArrayList<>();
    lost(subjectRanks, charged)
        .forEach(
            (name, records) -> {
              for (long left = records; left > 0 && lost.size() < mostLeftOut; left--) {
                lost.add(name);
              }
            });
    return lost;
  }

  /**
   * Subjects of which records are neither counted nor told as left out: of those that are kept the
   * first S, in the order of ranks. At least one where the user has more records than that. Empty
   * where nobody asks.
   *
   * @param subjectRanks as they were when records were added
   * @param bounds S and D, which are no larger than those of what is kept
   * @param counted the records that count under them
   */
  public List<String> beyond(
      ToLongFunction<String> subjectRanks, Population bounds, List<Entry> counted) {
    if (!layout.beyond()) {
      return List.of();
    }
    int mostTold = bounds.leftOut().orElse(0);
    List<String> lacking = new ArrayList<>();
    Map<String, Long> lost = lost(subjectRanks, counted);
    // As many as would be kept under these bounds alone.
    List<String> first = lost.keySet().stream().limit(bounds.subjects() + mostTold + 1L).toList();
    long told = 0;
    for (String subject : first) {
      long more = Math.min(lost.get(subject), mostTold - told);
      told += more;
      if (lost.get(subject) > more && lacking.size() < bounds.subjects()) {
        lacking.add(subject);
      }
    }
    return lacking;
  }

  /** How many records of each subject do not count, in the order of the subjects' ranks. */
  private Map<String, Long> lost(ToLongFunction<String> subjectRanks, List<Entry> charged) {
    Map<String, Long> counted =
        charged.stream().collect(Collectors.groupingBy(Entry::subject, Collectors.counting()));
    Map<String, Long> lost = new LinkedHashMap<>();
    for (String name : ranked(subjectRanks)) {
      lost.put(name, subjects.get(name).records - counted.getOrDefault(name, 0L));
    }
    return lost;
  }

  /** Whether it is kept how many records subjects had. */
  private boolean isCounted() {
    return mostKnown > 0;
  }

  /** As the users' store has them. */
  public byte[] encode() {
    ByteWriter out = new ByteWriter().fixed8(format(isCounted()));
    subjects.forEach(
        (name, mine) -> {
          out.text(name);
          if (isCounted()) {
            out.unsigned(mine.records);
          }
          out.unsigned(mine.entries.size());
          mine.entries.forEach(entry -> write(entry, out));
        });
    return out.toBytes();
  }

  private void write(Entry entry, ByteWriter out) {
    out.unsigned(entry.category()).fixed64(entry.rank());
    if (layout.identified()) {
      out.fixed64(entry.place());
    }
    if (population.oneName().isPresent()) {
      out.text(entry.name());
    }
    if (layout.numbers() > 0) {
      out.doubles(entry.values());
    }
  }

  private Entry read(String subject, ByteReader in) {
    long category = in.unsigned();
    long rank = in.fixed64();
    long place = layout.identified() ? in.fixed64() : 0;
    String name = population.oneName().isPresent() ? in.text() : "";
    return new Entry(
        subject, category, rank, layout.numbers() > 0 ? in.doubles() : List.of(), name, place);
  }

  /**
   * @param counted whether it is kept how many records subjects had
   */
  private int format(boolean counted) {
    return FORMAT
        + (counted ? COUNTED : 0)
        + (layout.numbers() > 0 ? NUMBERED : 0)
        + (population.oneName().isPresent() ? NAMED : 0)
        + (layout.identified() ? IDENTIFIED : 0);
  }

  /**
   * Inverse of {@link #encode}, of this layout or of that of an earlier version of the file, whose
   * bounds may have been others. What that version did not keep is not there.
   *
   * @param subjectRanks as they are when records are added
   */
  public static Contributions decode(
      byte[] bytes, Layout layout, ToLongFunction<String> subjectRanks) {
    Contributions found = new Contributions(layout);
    boolean counted = found.isCounted();
    boolean other = bytes[0] == found.format(!counted);
    found.readFrom(bytes, other != counted);
    if (!other && found.isWithinBounds()) {
      return found;
    }
    Contributions read = new Contributions(layout);
    found.subjects.forEach(
        (name, theirs) -> {
          theirs.entries.forEach(entry -> read.add(entry, subjectRanks));
          Optional.ofNullable(read.subjects.get(name))
              .ifPresent(mine -> mine.records = Math.max(mine.records, read.known(theirs.records)));
        });
    return read;
  }

  /** Of how many records of a subject it is known that they were there. */
  private int known(int records) {
    return Math.min(records, population.records() + mostKnown);
  }

  /** Names have bounds, too, but where they are discovered no version takes over. */
  private boolean isWithinBounds() {
    int used = 0;
    for (Subject mine : subjects.values()) {
      if (mine.entries.size() > population.records()) {
        return false;
      }
      used += mine.entries.isEmpty() ? 0 : 1;
    }
    return used <= population.subjects();
  }

  /** Inverse of {@link #encode}. */
  public static Contributions decode(byte[] bytes, Layout layout) {
    Contributions read = new Contributions(layout);
    read.readFrom(bytes, read.isCounted());
    return read;
  }

  private void readFrom(byte[] bytes, boolean counted) {
    ByteReader in = new ByteReader(bytes).format(format(counted), "a user's contributions");
    while (!in.atEnd()) {
      String name = in.text();
      Subject mine = new Subject();
      mine.records = counted ? (int) in.unsigned() : 0;
      for (long left = in.unsigned(); left > 0; left--) {
        mine.entries.add(read(name, in));
      }
      subjects.put(name, mine);
    }
  }
}
