// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Entries.beginning;
import static io.sfumato.topology.Entries.end;
import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.schema.MeanRelease;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Activation;
import io.sfumato.serde.JournalEntry.Departure;
import io.sfumato.serde.JournalEntry.Enrolment;
import io.sfumato.serde.JournalEntry.Forgetting;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What draws keep of earlier windows goes where nobody may read it again. */
class ForgottenMemoriesTest {
  private static final long SIZE = 10_000;

  private static final String FILE =
      """
      pipeline: test
      version: 1
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b], values: [x] }
      window: { size: 10s, grace: 2s }
      budget: { name: test, unit: record, epsilon: 900000, delta: 1e-5, period: lifetime }
      releases:
        - mean: { name: run, value: x, bounds: [0, 8], by: total, running: forever, share: { epsilon: 300000, delta: 1e-6 }, windows: 5 }
        - mean: { name: last, value: x, bounds: [0, 8], by: total, over: 3, share: { epsilon: 300000, delta: 1e-6 }, windows: 5 }
        - histogram: { name: mix, method: laplace, post-processing: history, share: { epsilon: 100, delta: 1e-6 }, windows: 5 }
        - bounds: { name: range, value: x, share: { epsilon: 400 } }
      """;

  private static final String ROSTER = FILE + "subjects: roster\n";
  private static final String LISTED = FILE + "subjects: [ann, bob]\n";

  private final Deployment deployment = Fixture.deployment(1, PipelineMeters.none());
  private final KeeperRun state = new KeeperRun();

  /** Windows in which each of some subjects has a record. */
  private static List<JournalEntry> windows(int from, int to, String... subjects) {
    List<JournalEntry> journal = new ArrayList<>();
    for (int window = from; window < to; window++) {
      for (String subject : subjects) {
        journal.add(Entries.number(subject, window));
      }
      journal.add(end(window));
    }
    return journal;
  }

  private List<String> run(String yaml, List<? extends JournalEntry> journal) {
    return state.run(Fixture.plan(yaml), deployment, journal).stream()
        .filter(output -> List.of("run", "last", Names.REFUSALS).contains(output.child()))
        .map(ForgottenMemoriesTest::shown)
        .toList();
  }

  /** Of which windows it is, and of how many records: their numbers are public. */
  private static String shown(KeeperRun.Output output) {
    if (output.child().equals(Names.REFUSALS)) {
      var refusal = Outputs.decodeRefusal(output.value());
      return "%s/%s@%d: %s"
          .formatted(
              refusal.getOutput(),
              refusal.getSubject(),
              number(refusal.getWindowStart().toEpochMilli()),
              refusal.getCode());
    }
    MeanRelease release = (MeanRelease) Outputs.decodeAny(output.value());
    boolean runs = release.getLastRecords() == null;
    return "%s/%s@%d: %d since %d"
        .formatted(
            output.child(),
            release.getSubject(),
            number(release.getWindowStart().toEpochMilli()),
            runs ? release.getRecords() : release.getLastRecords(),
            number((runs ? release.getSince() : release.getLastSince()).toEpochMilli()));
  }

  private static long number(long windowStart) {
    return (windowStart - NOW) / SIZE;
  }

  /** "output/subject" of each memory. */
  private TreeSet<String> memories() {
    TreeSet<String> found = new TreeSet<>();
    try (var rows = state.store(Names.RUNNING_STORE).all()) {
      rows.forEachRemaining(
          row -> {
            byte[] key = row.key.get();
            int end = 1 + key[0];
            found.add(
                new String(key, 1, key[0], StandardCharsets.UTF_8)
                    + "/"
                    + new String(key, end, key.length - end, StandardCharsets.UTF_8));
          });
    }
    return found;
  }

  /** Entries of the state that wait for windows to be released. */
  private List<Byte> waiting() {
    List<Byte> found = new ArrayList<>();
    try (var rows = state.store(Names.META_STORE).all()) {
      rows.forEachRemaining(
          row -> {
            if ("rx".indexOf(row.key.get()[0]) >= 0) {
              found.add(row.key.get()[0]);
            }
          });
    }
    return found;
  }

  @Test
  void whoIsForgottenBeginsAnewAndNothingOfHerStays() {
    List<JournalEntry> journal = new ArrayList<>(beginning());
    journal.addAll(windows(0, 2, "ann", "bob"));
    run(FILE, journal);
    assertThat(memories()).contains("run/ann", "last/ann", "run/bob", "last/bob");
    run(FILE, List.of(new Forgetting("ann")));
    assertThat(memories())
        .contains("run/bob", "last/bob", "history of mix/ann", "bounds of x/ann")
        .doesNotContain("run/ann", "last/ann");
    assertThat(waiting()).isEmpty();
    assertThat(run(FILE, windows(2, 3, "ann", "bob")))
        .containsExactlyInAnyOrder(
            "run/ann@2: 1 since 2",
            "last/ann@2: 1 since 2",
            "run/bob@2: 3 since 0",
            "last/bob@2: 3 since 0");
  }

  /** What was charged stays charged: five windows, forgotten or not. */
  @Test
  void theLedgerGoesOn() {
    List<JournalEntry> journal = new ArrayList<>(beginning());
    for (int window = 0; window < 6; window++) {
      journal.addAll(windows(window, window + 1, "ann"));
      journal.add(new Forgetting("ann"));
    }
    List<String> outputs = run(FILE, journal);
    assertThat(outputs).contains("run/ann@4: 1 since 4", "run/ann@5: EXHAUSTED");
    assertThat(outputs).filteredOn(output -> output.startsWith("run/ann")).hasSize(6);
  }

  /** In the middle of what is left to release she is forgotten twice: each time all is anew. */
  @Test
  void whatWasClosedIsReleasedAsIfThatHadBeenBefore() {
    SlicedStateMachine keeper = new SlicedStateMachine(Fixture.plan(FILE), 1);
    List<JournalEntry> journal = new ArrayList<>(beginning());
    journal.addAll(windows(0, 2, "ann"));
    journal.add(new Forgetting("ann"));
    journal.addAll(windows(2, 4, "ann"));
    journal.add(new Forgetting("ann"));
    journal.addAll(windows(4, 5, "ann"));
    journal.forEach(entry -> keeper.take(entry, NOW));
    assertThat(keeper.outputs()).isEmpty();
    keeper.settle();
    assertThat(keeper.outputs())
        .filteredOn(output -> output.topic().equals("run"))
        .map(output -> shown(new KeeperRun.Output("run", NOW, output.value())))
        .containsExactly(
            "run/ann@0: 1 since 0",
            "run/ann@1: 2 since 0",
            "run/ann@2: 1 since 2",
            "run/ann@3: 2 since 2",
            "run/ann@4: 1 since 4");
  }

  /** No window of hers comes afterwards: it goes when the last is released. */
  @Test
  void whatIsReleasedLastIsForgottenThen() {
    SlicedStateMachine keeper = new SlicedStateMachine(Fixture.plan(FILE), 1);
    beginning().forEach(entry -> keeper.take(entry, NOW));
    windows(0, 2, "ann", "bob").forEach(entry -> keeper.take(entry, NOW));
    keeper.take(new Forgetting("ann"), NOW);
    windows(2, 3, "bob").forEach(entry -> keeper.take(entry, NOW));
    keeper.settle();
    assertThat(keeper.store(Names.RUNNING_STORE).alive().keySet())
        .map(key -> new String(key.get(), 1, key.get().length - 1, StandardCharsets.UTF_8))
        .contains("runbob", "history of mixann")
        .doesNotContain("runann", "lastann");
    assertThat(keeper.store(Names.META_STORE).alive().keySet())
        .noneMatch(key -> "rx".indexOf(key.get()[0]) >= 0);
  }

  /** A keeper with two closed windows of as many subjects, of which the first is released. */
  private static SlicedStateMachine remembering(int subjects) {
    SlicedStateMachine keeper = new SlicedStateMachine(Fixture.plan(FILE), 1);
    beginning().forEach(entry -> keeper.take(entry, NOW));
    for (int window = 0; window < 2; window++) {
      for (int i = 0; i < subjects; i++) {
        keeper.take(Entries.number("s" + i, window), NOW);
      }
      keeper.take(end(window), NOW);
      if (window == 0) {
        keeper.settle();
      }
    }
    return keeper;
  }

  private static long forgettingAll(int subjects) {
    SlicedStateMachine keeper = remembering(subjects);
    long before = keeper.operations();
    for (int i = 0; i < subjects; i++) {
      keeper.take(new Forgetting("s" + i), NOW);
    }
    keeper.settle();
    assertThat(keeper.store(Names.RUNNING_STORE).alive().keySet())
        .hasSize(2 * subjects)
        .noneMatch(key -> new String(key.get(), StandardCharsets.UTF_8).contains("run"));
    return keeper.operations() - before;
  }

  @Test
  void forgettingTenTimesAsManyCostsTenTimesAsMuch() {
    assertThat(forgettingAll(600)).isLessThanOrEqualTo(12 * forgettingAll(60));
  }

  /** Where anybody may come back, a start skips the memories of an output that stays. */
  @Test
  void aStartCostsNoMoreWhereMoreIsRemembered() {
    assertThat(lookedAtByAStart(600))
        .as("one step of each of four outputs at most")
        .isEqualTo(lookedAtByAStart(60))
        .isLessThanOrEqualTo(4 * 50);
  }

  private static long lookedAtByAStart(int subjects) {
    SlicedStateMachine keeper = remembering(subjects);
    keeper.settle();
    long before = keeper.store(Names.RUNNING_STORE).operations();
    keeper.restart(Fixture.plan(FILE));
    keeper.settle();
    return keeper.store(Names.RUNNING_STORE).operations() - before;
  }

  @Test
  void whoLeavesLeavesNothingThatIsSummedUp() {
    List<JournalEntry> journal = new ArrayList<>(beginning());
    journal.add(new Enrolment("ann", NOW));
    journal.add(new Enrolment("bob", NOW));
    journal.addAll(windows(0, 2, "ann", "bob"));
    journal.add(new Departure("ann", NOW + 3 * SIZE));
    run(ROSTER, journal);
    assertThat(run(ROSTER, windows(2, 3, "ann", "bob")))
        .as("she left from window 3 on")
        .contains("run/ann@2: 3 since 0", "run/bob@2: 3 since 0");
    assertThat(memories()).contains("run/ann");
    run(ROSTER, windows(3, 4, "bob"));
    assertThat(memories())
        .contains("run/bob", "history of mix/ann", "bounds of x/ann")
        .doesNotContain("run/ann", "last/ann");
    run(ROSTER, List.of(new Enrolment("ann", NOW)));
    assertThat(run(ROSTER, windows(4, 5, "ann", "bob")))
        .contains("run/ann@4: 1 since 4", "run/bob@4: 5 since 0");
  }

  /** A gap of no window is none. */
  @Test
  void whoComesBackAtOnceGoesOn() {
    List<JournalEntry> journal = new ArrayList<>(beginning());
    journal.add(new Enrolment("ann", NOW));
    journal.addAll(windows(0, 2, "ann"));
    journal.add(new Departure("ann", NOW));
    journal.add(new Enrolment("ann", NOW));
    journal.addAll(windows(2, 3, "ann"));
    assertThat(run(ROSTER, journal)).contains("run/ann@2: 3 since 0");
  }

  private void announce(String yaml, String next, int window) {
    var plan = Fixture.plan(next);
    run(
        yaml,
        List.of(
            new Activation(
                plan.pipeline().version(),
                NOW + window * SIZE,
                plan.digestText(),
                deployment.noiseKey().tag())));
    run(yaml, List.of());
  }

  /** She is forgotten while windows are closed that only the next version may release. */
  @Test
  void theNextVersionReleasesWhatWasClosedAndBeginsAnewBehindIt() {
    String next = FILE.replace("version: 1", "version: 2");
    List<JournalEntry> journal = new ArrayList<>(beginning());
    journal.addAll(windows(0, 1, "ann"));
    run(FILE, journal);
    announce(FILE, next, 1);
    journal = new ArrayList<>(windows(1, 3, "ann"));
    journal.add(new Forgetting("ann"));
    assertThat(run(FILE, journal)).isEmpty();
    assertThat(memories()).contains("run/ann");
    assertThat(run(next, List.of()))
        .contains("run/ann@1: 2 since 0", "run/ann@2: 3 since 0")
        .hasSize(4);
    assertThat(memories()).doesNotContain("run/ann", "last/ann");
    assertThat(waiting()).isEmpty();
    assertThat(run(next, windows(3, 4, "ann"))).contains("run/ann@3: 1 since 3");
  }

  @Test
  void aVersionWithoutAnOutputDropsWhatItsDrawsKept() {
    String next =
        FILE.replace("version: 1", "version: 2")
            .lines()
            .filter(line -> !line.contains("name: last") && !line.contains("name: mix"))
            .reduce("", (text, line) -> text + line + "\n");
    List<JournalEntry> journal = new ArrayList<>(beginning());
    journal.addAll(windows(0, 2, "ann", "bob"));
    run(FILE, journal);
    announce(FILE, next, 2);
    assertThat(memories()).as("the old version is still in force").contains("last/ann");
    assertThat(run(next, windows(2, 3, "ann")))
        .as("what the new one has goes on")
        .containsExactly("run/ann@2: 3 since 0");
    assertThat(memories())
        .containsExactly(
            "bounds of x/ann",
            "bounds of x/bob",
            "history of mix/ann",
            "history of mix/bob",
            "run/ann",
            "run/bob");
  }

  @Test
  void aVersionWithAShorterListDropsWhatItsSubjectsLeft() {
    String next = LISTED.replace("version: 1", "version: 2").replace("[ann, bob]", "[ann]");
    List<JournalEntry> journal = new ArrayList<>(beginning());
    journal.addAll(windows(0, 2, "ann", "bob"));
    run(LISTED, journal);
    announce(LISTED, next, 2);
    assertThat(run(next, windows(2, 3, "ann"))).contains("run/ann@2: 3 since 0");
    assertThat(memories())
        .contains("run/ann", "last/ann", "history of mix/bob")
        .doesNotContain("run/bob", "last/bob");
  }
}
