// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.bytes.CorruptBytesException;
import io.sfumato.pipeline.Population;
import io.sfumato.schema.ControlCommand;
import io.sfumato.schema.ControlEntry;
import io.sfumato.schema.CountRelease;
import io.sfumato.schema.DirichletRelease;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.contributions.Contributions;
import io.sfumato.topology.contributions.Contributions.Entry;
import io.sfumato.topology.contributions.Contributions.Layout;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many users feed one subject. Most files here have so much budget that the noise is 0 but for a
 * chance below 1e-200, so that what counted can be read off; outputs are never compared by chance.
 */
class PopulationTest {
  private static final String FILE =
      """
      pipeline: test
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b, c] }
      contributions: { per-window: 3, subjects: 2 }
      subjects: [north, south, west]
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 900000, delta: 1e-6, period: lifetime }
      releases:
      """;

  private static final String COUNTS =
      FILE + "  - count: { name: n, share: { epsilon: 900000, delta: 1e-6 }, windows: 2 }\n";

  private static final String LOST =
      FILE.replace("subjects: 2 }", "subjects: 2, left-out: 8 }")
          + "  - count: { name: n, share: { epsilon: 450000, delta: 4e-7 }, windows: 2 }\n"
          + "  - count: { name: lost, by: left-out, share: { epsilon: 450000, delta: 4e-7 }, windows: 2 }\n";

  private static final String RUNNING =
      FILE
          + "  - count: { name: n, by: total, running: 3, share: { epsilon: 900000, delta: 1e-6 },"
          + " windows: 9 }\n";

  @TempDir Path state;

  private static void event(Fixture pipeline, String who, String ward, long second, String what) {
    String user = who == null ? "" : "\"who\":\"" + who + "\",";
    pipeline.sendJson(second, "%s'ward':'%s','what':'%s'", user, ward, what);
  }

  private static List<CountRelease> counts(Fixture pipeline) {
    return pipeline.releases("n", CountRelease.class);
  }

  /** "subject@second counts" of each release. */
  private static List<String> shown(List<CountRelease> releases) {
    return releases.stream()
        .map(
            r ->
                "%s@%d %s"
                    .formatted(
                        r.getSubject(),
                        (r.getWindowStart().toEpochMilli() - NOW) / 1000,
                        r.getCounts()))
        .toList();
  }

  @Test
  void everyListedSubjectIsReleasedEveryWindowRecordsOrNone() {
    try (Fixture pipeline = new Fixture(COUNTS, state)) {
      pipeline.tick(2);
      event(pipeline, "ann", "north", 1, "a");
      event(pipeline, "bob", "north", 2, "b");
      event(pipeline, "ann", "south", 3, "b");
      pipeline.tick(22);
      List<CountRelease> releases = counts(pipeline);
      assertThat(shown(releases))
          .containsExactly(
              "north@0 [1, 1, 0]",
              "south@0 [0, 1, 0]",
              "west@0 [0, 0, 0]",
              "north@10 [0, 0, 0]",
              "south@10 [0, 0, 0]",
              "west@10 [0, 0, 0]");
      CountRelease first = releases.get(0);
      assertThat(first.getCategories()).containsExactly("a", "b", "c");
      assertThat(first.getGuarantee().getUnit()).isEqualTo("user");
      assertThat(first.getGuarantee().getAdjacency())
          .isEqualTo(
              "all records of one user in one period are added or removed, of which at most 3 count in"
                  + " each window; the subjects are public");
      assertThat(first.getSince()).isEqualTo(first.getWindowStart());
    }
  }

  @Test
  void recordsOfNobodyAndOfUnlistedSubjectsAreDeadLetters() {
    try (Fixture pipeline = new Fixture(COUNTS, state)) {
      pipeline.tick(2);
      event(pipeline, null, "north", 1, "a");
      event(pipeline, "", "north", 1, "a");
      event(pipeline, "ann", "east", 1, "a");
      event(pipeline, "ann", "", 1, "a");
      pipeline.tick(12);
      assertThat(pipeline.deadLetters())
          .containsExactly("1:NO_USER", "2:NO_USER", "3:UNLISTED_SUBJECT", "4:NO_SUBJECT");
      assertThat(shown(counts(pipeline)))
          .containsExactly("north@0 [0, 0, 0]", "south@0 [0, 0, 0]", "west@0 [0, 0, 0]");
    }
  }

  @Test
  void aUserCountsWithCRecordsInAllAndForSSubjects() {
    try (Fixture pipeline = new Fixture(COUNTS, state)) {
      pipeline.tick(2);
      for (int i = 0; i < 40; i++) {
        event(pipeline, "ann", List.of("north", "south", "west").get(i % 3), 1, "a");
      }
      event(pipeline, "bob", "west", 1, "c");
      pipeline.tick(12);
      List<CountRelease> releases = counts(pipeline);
      long ann = releases.stream().mapToLong(r -> r.getCounts().get(0)).sum();
      long subjects = releases.stream().filter(r -> r.getCounts().get(0) > 0).count();
      assertThat(ann).isEqualTo(3);
      assertThat(subjects).isLessThanOrEqualTo(2);
      assertThat(releases.get(2).getCounts().get(2)).as("bob").isEqualTo(1);
    }
  }

  @Test
  void aUserWhoHasSpentTheBudgetCountsNoMoreAndNobodyElseNoticesIt() {
    try (Fixture pipeline = new Fixture(COUNTS, state)) {
      pipeline.tick(2);
      for (int window = 0; window < 4; window++) {
        event(pipeline, "ann", "north", window * 10L + 1, "a");
        if (window > 1) {
          event(pipeline, "bob", "north", window * 10L + 1, "b");
        }
      }
      pipeline.tick(42);
      assertThat(shown(counts(pipeline)))
          .filteredOn(line -> line.startsWith("north"))
          .containsExactly(
              "north@0 [1, 0, 0]",
              "north@10 [1, 0, 0]",
              "north@20 [0, 1, 0]",
              "north@30 [0, 1, 0]");
      assertThat(pipeline.refusals()).as("a refusal would tell of ann").isEmpty();
    }
  }

  @Test
  void runningCountsAddUpAndBeginAnewWhenTheTreeIsFull() {
    try (Fixture pipeline = new Fixture(RUNNING, state)) {
      pipeline.tick(2);
      for (int window = 0; window < 5; window++) {
        event(pipeline, "ann", "west", window * 10L + 1, "a");
        event(pipeline, "bob", "west", window * 10L + 2, "b");
      }
      pipeline.tick(52);
      List<CountRelease> west =
          counts(pipeline).stream().filter(r -> r.getSubject().equals("west")).toList();
      assertThat(shown(west))
          .containsExactly(
              "west@0 [2]", "west@10 [4]", "west@20 [6]", "west@30 [2]", "west@40 [4]");
      assertThat(west)
          .extracting(r -> (r.getSince().toEpochMilli() - NOW) / 1000)
          .containsExactly(0L, 0L, 0L, 30L, 30L);
      assertThat(west.get(0).getCategories()).isEmpty();
    }
  }

  @Test
  void aUserWhoIsForgottenCountsInNoOpenWindow() {
    try (Fixture pipeline = new Fixture(COUNTS, state)) {
      pipeline.tick(2);
      event(pipeline, "ann", "north", 1, "a");
      event(pipeline, "bob", "north", 1, "b");
      pipeline.command(ControlCommand.FORGET, "ann");
      pipeline.tick(12);
      assertThat(shown(counts(pipeline))).contains("north@0 [0, 1, 0]");
    }
  }

  @Test
  void aRosterReachesTheSubjectsThroughTheirUsersKeeper() {
    String rostered = COUNTS.replace("subjects: [north, south, west]", "subjects: roster");
    try (Fixture pipeline = new Fixture(rostered, state)) {
      pipeline.command(ControlCommand.ENROL, "north", 0);
      pipeline.tick(2);
      event(pipeline, "ann", "north", 1, "a");
      event(pipeline, "ann", "south", 1, "a");
      pipeline.command(ControlCommand.LEAVE, "north", 20);
      pipeline.tick(42);
      assertThat(shown(counts(pipeline)))
          .containsExactly("north@0 [1, 0, 0]", "north@10 [0, 0, 0]");
      assertThat(pipeline.counts.seen).containsEntry("notEnrolled", 1);
    }
  }

  /** One user's presence must not decide whether anything is ever published. */
  @Test
  void aRecordFromBeforeTheBeginningIsLateAndStopsNothing() {
    List<List<String>> published = new ArrayList<>();
    for (boolean present : new boolean[] {false, true}) {
      try (Fixture pipeline = new Fixture(COUNTS, state.resolve("early-" + present))) {
        if (present) {
          event(pipeline, "eve", "north", -8, "a");
        }
        event(pipeline, "ann", "north", 1, "a");
        pipeline.tick(12);
        event(pipeline, "ann", "north", 11, "b");
        pipeline.tick(22);
        published.add(shown(counts(pipeline)));
        assertThat(pipeline.counts.seen.getOrDefault("LATE", 0)).isEqualTo(present ? 1 : 0);
      }
    }
    assertThat(published.get(0)).contains("north@0 [1, 0, 0]", "north@10 [0, 1, 0]").hasSize(6);
    assertThat(published.get(1)).isEqualTo(published.get(0));
  }

  /** The first tick may come when it likes, and late: history counts from the beginning. */
  @Test
  void historyBeforeTheFirstTickCounts() {
    List<List<String>> published = new ArrayList<>();
    String file = COUNTS.replace("windows: 2", "windows: 9");
    for (boolean ticked : new boolean[] {false, true}) {
      try (Fixture pipeline = new Fixture(file, state.resolve("history-" + ticked))) {
        for (int window = 0; window < 5; window++) {
          event(pipeline, "ann", "north", window * 10L + 1, "a");
          if (ticked) {
            pipeline.tick(window * 10L + 2);
          }
        }
        pipeline.tick(52);
        published.add(shown(counts(pipeline)));
      }
    }
    assertThat(published.get(0)).hasSize(15).contains("north@0 [1, 0, 0]", "north@40 [1, 0, 0]");
    assertThat(published.get(1)).isEqualTo(published.get(0));
  }

  /**
   * Windows are passed on in slices that a clock cuts, so many users keep a window of the users'
   * keeper waiting when the roster changes: what is released must not tell how many they are.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 60, 3_000})
  void whoIsReleasedDoesNotDependOnTheNumberOfUsers(int users) {
    String rostered = COUNTS.replace("subjects: [north, south, west]", "subjects: roster");
    try (Fixture pipeline = new Fixture(rostered, state)) {
      pipeline.command(ControlCommand.ENROL, "north");
      for (int user = 0; user < users; user++) {
        event(pipeline, "u" + user, user % 2 == 0 ? "north" : "south", 1, "a");
      }
      event(pipeline, "eve", "west", 11, "a");
      pipeline.tick(12);
      // The first window is closed; whether it is passed on already, nobody says.
      pipeline.command(ControlCommand.ENROL, "south");
      pipeline.command(ControlCommand.LEAVE, "north");
      pipeline.command(ControlCommand.ENROL, "west");
      pipeline.tick(22);
      int north = (users + 1) / 2;
      assertThat(shown(counts(pipeline)))
          .containsExactly(
              "north@0 [%d, 0, 0]".formatted(north), "south@10 [0, 0, 0]", "west@10 [1, 0, 0]");
      assertThat(pipeline.counts.seen.getOrDefault("notEnrolled", 0)).isEqualTo(users - north);
    }
  }

  @Test
  void shouldLeaveWindowsToAVersionThatIsAnnounced() {
    try (Fixture pipeline = new Fixture(COUNTS, state)) {
      pipeline.control(
          Outputs.encode(
              ControlEntry.newBuilder()
                  .setCommand(ControlCommand.ACTIVATE)
                  .setBudget("test")
                  .setVersion(2)
                  .setFrom(Instant.ofEpochMilli(NOW + 10_000))
                  .setDigest("00")
                  .setNoiseKey("k")
                  .build()));
      pipeline.tick(22);
      assertThat(pipeline.deadLetters()).isEmpty();
      assertThat(shown(counts(pipeline)))
          .containsExactly("north@0 [0, 0, 0]", "south@0 [0, 0, 0]", "west@0 [0, 0, 0]");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"dirichlet", "gaussian", "laplace", "best"})
  void sharesCarryErrorBarsAndNoNumberOfRecords(String method) {
    String file =
        FILE.replace("900000", "1")
            + "  - histogram: { name: mix, method: "
            + method
            + ", share: { epsilon: 1, delta: 1e-6 }, windows: 1 }\n";
    try (Fixture pipeline = new Fixture(file, state)) {
      pipeline.tick(2);
      event(pipeline, "ann", "north", 1, "a");
      pipeline.tick(12);
      List<DirichletRelease> releases = pipeline.releases();
      assertThat(releases).hasSize(3);
      for (DirichletRelease release : releases) {
        assertThat(release.getRecords()).isNull();
        assertThat(release.getError95()).hasSize(3).allMatch(e -> e > 0);
        assertThat(release.getProbabilities().stream().mapToDouble(p -> p).sum())
            .isCloseTo(1, within(1e-9));
        assertThat(release.getGuarantee().getMechanism()).contains("add-or-remove-3");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"', plan-records: [1, 2, 9]', 0.5", "', plan-records: 4', 0.25", "'',"})
  void releasesSayWhatIsLeftOutOfThePublicExampleWhateverTheDataIs(String example, Double leftOut) {
    String file =
        (COUNTS + "  - histogram: { name: mix, share: { epsilon: 1, delta: 1e-6 }, windows: 2 }\n")
            .replace("900000, delta: 1e-6, period", "900001, delta: 1e-5, period")
            .replace("subjects: 2 }", "subjects: 2" + example + " }");
    try (Fixture pipeline = new Fixture(file, state)) {
      pipeline.tick(2);
      for (int i = 0; i < 7; i++) {
        event(pipeline, "ann", "north", 1, "a");
      }
      pipeline.tick(12);
      assertThat(counts(pipeline))
          .hasSize(3)
          .extracting(CountRelease::getExampleLeftOut)
          .containsOnly(leftOut);
      assertThat(pipeline.releases())
          .hasSize(3)
          .extracting(DirichletRelease::getExampleLeftOut)
          .containsOnly(leftOut);
    }
  }

  @Test
  void whatMayCountDependsOnTheRecordsNotOnTheirOrder() {
    Random random = new Random(7);
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      entries.add(new Entry("s" + i % 5, i % 3, random.nextLong()));
    }
    requireOneResult(entries, 0, random);
  }

  /** Numbers decide last, where two places in the log have the same rank. */
  @Test
  void whatMayCountOfNumbersDependsOnTheRecordsNotOnTheirOrder() {
    Random random = new Random(8);
    List<Entry> entries = new ArrayList<>();
    List<Double> numbers = List.of(0.0, -0.0, 1.5, -2.25, Double.MIN_VALUE);
    for (int i = 0; i < 60; i++) {
      entries.add(
          new Entry(
              "s" + i % 5,
              0,
              random.nextInt(3),
              List.of(numbers.get(random.nextInt(5)), numbers.get(random.nextInt(5)))));
    }
    requireOneResult(entries, 2, random);
  }

  private static Population naming(int records, int subjects, int perName) {
    return new Population(
        "who",
        records,
        subjects,
        OptionalInt.empty(),
        Optional.empty(),
        OptionalInt.empty(),
        OptionalInt.of(perName),
        OptionalInt.empty(),
        OptionalInt.empty());
  }

  private static List<Entry> named(Random random, int records) {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < records; i++) {
      entries.add(
          new Entry(
              "s" + random.nextInt(5),
              0,
              random.nextLong(),
              List.of(),
              "n" + random.nextInt(1 + random.nextInt(12))));
    }
    return entries;
  }

  @Test
  void whichNamesMayCountDependsOnTheRecordsNotOnTheirOrder() {
    Random random = new Random(9);
    requireOneResult(named(random, 60), new Layout(naming(4, 2, 1), 0), random);
    requireOneResult(named(random, 60), new Layout(naming(4, 2, 3), 0), random);
  }

  /** Against all records at once: the subjects of least rank, then of each k a name, then C. */
  @Test
  void atMostSoManyOfAUserCountForOneName() {
    Random random = new Random(10);
    ToLongFunction<String> ranks = subject -> subject.hashCode() * 0x9E3779B97F4A7C15L;
    for (int round = 0; round < 1_000; round++) {
      int records = 1 + random.nextInt(6);
      Population population =
          naming(records, 1 + random.nextInt(records), 1 + random.nextInt(records));
      Layout layout = new Layout(population, 0);
      List<Entry> entries = named(random, 1 + random.nextInt(40));
      Contributions mine = new Contributions(layout);
      for (Entry entry : entries) {
        mine.add(entry, ranks);
        mine = Contributions.decode(mine.encode(), layout);
      }
      List<String> subjects =
          entries.stream()
              .map(Entry::subject)
              .distinct()
              .sorted(Comparator.comparingLong(ranks))
              .limit(population.subjects())
              .toList();
      Map<String, Integer> ofName = new TreeMap<>();
      List<Entry> allowed =
          entries.stream()
              .filter(entry -> subjects.contains(entry.subject()))
              .sorted(Comparator.comparingLong(Entry::rank))
              .filter(
                  entry ->
                      ofName.merge(entry.subject() + " " + entry.name(), 1, Integer::sum)
                          <= population.perName())
              .limit(records)
              .toList();
      assertThat(mine.counted()).isEqualTo(allowed);
    }
  }

  private static void requireOneResult(List<Entry> entries, int numbers, Random random) {
    for (OptionalInt leftOut :
        List.of(OptionalInt.empty(), OptionalInt.of(40), OptionalInt.of(1))) {
      Population population = new Population("who", 4, 2, leftOut, Optional.empty());
      requireOneResult(entries, new Layout(population, numbers), random);
    }
  }

  private static void requireOneResult(List<Entry> entries, Layout layout, Random random) {
    ToLongFunction<String> ranks = subject -> subject.hashCode() * 0x9E3779B97F4A7C15L;
    byte[] first = null;
    for (int shuffle = 0; shuffle < 200; shuffle++) {
      Contributions mine = new Contributions(layout);
      entries.forEach(entry -> mine.add(entry, ranks));
      byte[] bytes = mine.encode();
      first = first == null ? bytes : first;
      assertThat(bytes).isEqualTo(first);
      Contributions again = Contributions.decode(bytes, layout);
      assertThat(again.counted()).isEqualTo(mine.counted()).hasSize(4);
      assertThat(again.leftOut(ranks))
          .isEqualTo(mine.leftOut(ranks))
          .hasSize(layout.population().leftOut().orElse(0));
      Collections.shuffle(entries, random);
    }
  }

  /** Rows that live were written in the first two of these forms: they never change. */
  @Test
  void rowsWithoutNumbersKeepTheirBytes() {
    String name = "056e6f727468";
    String record = "02" + "0000000000000007";
    String numbers = "01" + "3ff0000000000000";
    OptionalInt none = OptionalInt.empty();
    assertRow(none, List.of(), "01" + name + "01" + record);
    assertRow(OptionalInt.of(5), List.of(), "02" + name + "01" + "01" + record);
    assertRow(none, List.of(1.0), "03" + name + "01" + record + numbers);
    assertRow(OptionalInt.of(5), List.of(1.0), "04" + name + "01" + "01" + record + numbers);
  }

  private static void assertRow(OptionalInt leftOut, List<Double> numbers, String row) {
    Population population = new Population("who", 4, 2, leftOut, Optional.empty());
    Layout layout = new Layout(population, numbers.size());
    Contributions mine = new Contributions(layout);
    Entry entry = new Entry("north", 2, 7, numbers);
    mine.add(entry, subject -> 0);
    assertThat(HexFormat.of().formatHex(mine.encode())).isEqualTo(row);
    byte[] bytes = HexFormat.of().parseHex(row);
    assertThat(Contributions.decode(bytes, layout).counted()).containsExactly(entry);
    Layout other = new Layout(population, 1 - numbers.size());
    assertThatThrownBy(() -> Contributions.decode(bytes, other))
        .as("another file's")
        .isInstanceOf(CorruptBytesException.class);
  }

  /** Ranks are keyed hashes: one a subject where a new one pushes others out, otherwise none. */
  @Test
  void aRecordCostsAtMostOneHashOfEachSubject() {
    Population population = new Population("who", 4, 2, OptionalInt.of(1000), Optional.empty());
    AtomicInteger hashes = new AtomicInteger();
    ToLongFunction<String> ranks =
        subject -> {
          hashes.incrementAndGet();
          return subject.hashCode() * 0x9E3779B97F4A7C15L;
        };
    Contributions mine = new Contributions(new Layout(population, 0));
    for (int i = 0; i < 1500; i++) {
      hashes.set(0);
      mine.add(new Entry("s" + i, 0, i), ranks);
      assertThat(hashes.get()).isLessThanOrEqualTo(2 + 1000 + 1);
    }
    hashes.set(0);
    byte[] before = mine.encode();
    String known = mine.leftOut(ranks).get(0);
    hashes.set(0);
    mine.add(new Entry(known, 0, 7), ranks);
    assertThat(hashes.get()).isZero();
    assertThat(mine.encode()).isNotEqualTo(before);
  }

  /** Against a count of all of a user's records, which nothing bounds. */
  @Test
  void whatIsLeftOutIsWhatDoesNotCountUpToItsBound() {
    Random random = new Random(11);
    ToLongFunction<String> ranks = subject -> subject.hashCode() * 0x9E3779B97F4A7C15L;
    for (int round = 0; round < 300; round++) {
      int most = 1 + random.nextInt(30);
      int records = 1 + random.nextInt(5);
      Population population =
          new Population(
              "who", records, 1 + random.nextInt(records), OptionalInt.of(most), Optional.empty());
      Layout layout = new Layout(population, 0);
      Contributions mine = new Contributions(layout);
      Map<String, Integer> all = new TreeMap<>();
      int sent = 1 + random.nextInt(40);
      for (int i = 0; i < sent; i++) {
        String subject = "s" + random.nextInt(8);
        mine.add(new Entry(subject, random.nextInt(3), random.nextLong()), ranks);
        all.merge(subject, 1, Integer::sum);
        mine = Contributions.decode(mine.encode(), layout);
      }
      List<Entry> counted = mine.counted();
      counted.forEach(entry -> all.merge(entry.subject(), -1, Integer::sum));
      List<String> lost = mine.leftOut(ranks);
      assertThat(lost).hasSize(Math.min(most, sent - counted.size()));
      lost.forEach(subject -> assertThat(all.merge(subject, -1, Integer::sum)).isNotNegative());
    }
  }

  @Test
  void whatIsLeftOutIsReleasedBySubjectAndIsNoPartOfOtherCounts() {
    try (Fixture pipeline = new Fixture(LOST, state)) {
      pipeline.tick(2);
      for (int i = 0; i < 9; i++) {
        event(pipeline, "ann", "north", 1, "a");
      }
      event(pipeline, "bob", "north", 1, "b");
      for (int i = 0; i < 30; i++) {
        event(pipeline, "eve", "west", 3, "c");
      }
      pipeline.tick(12);
      assertThat(shown(counts(pipeline)))
          .containsExactly("north@0 [3, 1, 0]", "south@0 [0, 0, 0]", "west@0 [0, 0, 3]");
      List<CountRelease> lost = pipeline.releases("lost", CountRelease.class);
      // Six of ann's, and of eve's 27 no more than D.
      assertThat(shown(lost)).containsExactly("north@0 [6]", "south@0 [0]", "west@0 [8]");
      assertThat(lost.get(0).getCategories()).isEmpty();
      assertThat(lost.get(0).getGuarantee().getAdjacency())
          .contains("of which at most 3 count, and at most 8 are told as left out, in each window");
    }
  }
}
