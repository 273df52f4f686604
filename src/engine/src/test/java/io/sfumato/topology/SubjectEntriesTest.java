// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Entries.end;
import static io.sfumato.topology.Entries.number;
import static io.sfumato.topology.Entries.record;
import static io.sfumato.topology.Entries.start;
import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.gate.StateEpoch;
import io.sfumato.release.Plan;
import io.sfumato.schema.MeanRelease;
import io.sfumato.schema.NamesRelease;
import io.sfumato.serde.JournalEntry.Activation;
import io.sfumato.serde.JournalEntry.Candidate;
import io.sfumato.serde.JournalEntry.Departure;
import io.sfumato.serde.JournalEntry.Drained;
import io.sfumato.serde.JournalEntry.Enrolment;
import io.sfumato.serde.JournalEntry.Forgetting;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Observations;
import io.sfumato.serde.JournalEntry.Seal;
import io.sfumato.serde.JournalEntry.Skip;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.OpenMemory;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.PipelineStopException;
import io.sfumato.topology.context.ReleaseFailedException;
import io.sfumato.topology.context.SpentShares;
import io.sfumato.topology.store.StagedWrites;
import io.sfumato.topology.subjects.SubjectStateMachine;
import io.sfumato.topology.version.BudgetTerms;
import io.sfumato.topology.version.MetaStore;
import io.sfumato.topology.version.StateIdentity;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What each entry of the journal does to a keeper, and what is done with it when windows close. */
class SubjectEntriesTest {
  private static final long SIZE = 10_000;

  private static final String OBSERVED = Fixture.YAML;

  private static final String ROSTER =
      OBSERVED
              .replace("clock: records", "clock: ticks, begin: 2026-06-01")
              .replace("windows: 2", "windows: 20")
          + "subjects: roster\n";

  private static final String QUERIES =
      """
      pipeline: test
      version: 1
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c] }
      window: { size: 10s, grace: 2s }
      budget: { name: test, unit: record, epsilon: 4, delta: 1e-5, period: window }
      releases:
        - histogram: { name: mix, share: { epsilon: 1, delta: 1e-6 } }
        - abc: { name: coin, threshold: 0.3, share: { epsilon: 0.5, delta: 2e-7 }, queries: 3, keep: 2 }
      """;

  private final List<String> told = new ArrayList<>();

  /** Who has spent anything, as it was told last. */
  private long spending;

  private final PipelineMeters meters =
      new PipelineMeters() {
        @Override
        public void observed(int records) {
          told.add("observed " + records);
        }

        @Override
        public void closed(int partition, long end) {
          told.add("closed " + (end - NOW) / SIZE);
        }

        @Override
        public void resumed(int partition, long end) {
          told.add("resumed " + (end - NOW) / SIZE);
        }

        @Override
        public void announced(int partition) {
          told.add("announced");
        }

        @Override
        public void handedOver(int partition, int version, long from) {
          told.add("handed over to " + version + " from " + (from - NOW) / SIZE);
        }

        @Override
        public void spent(int partition, String share, SpentShares spent) {
          told.add("spent " + share);
          spending = spent.subjects();
        }
      };

  private SlicedStateMachine begun(String yaml) {
    return begun(yaml, 1);
  }

  private SlicedStateMachine begun(String yaml, int sources) {
    return SlicedStateMachine.begun(Fixture.plan(yaml), sources, meters);
  }

  private static Candidate candidate(String output, String query, int window) {
    return new Candidate(
        output, query, 0, 1, "ann", start(window), List.of(), List.of(0.4, 0.3, 0.3));
  }

  private static Activation activation(SlicedStateMachine keeper, String yaml, int window) {
    Plan plan = Fixture.plan(yaml);
    return new Activation(
        plan.pipeline().version(),
        start(window),
        plan.digestText(),
        keeper.deployment().noiseKey().tag());
  }

  private static String second(String yaml) {
    return yaml.replace("version: 1", "version: 2");
  }

  /** "topic subject", with the code of refusals. */
  private static List<String> left(SlicedStateMachine keeper) {
    return keeper.outputs().stream()
        .map(
            output ->
                output.topic().equals(Names.REFUSALS)
                    ? output.refusal().getOutput() + " " + output.refusal().getCode()
                    : output.topic() + " " + output.key())
        .toList();
  }

  private static int rows(SlicedStateMachine keeper, String store) {
    keeper.commit();
    return keeper.store(store).alive().size();
  }

  private static long rows(SlicedStateMachine keeper, char kind) {
    keeper.commit();
    return keeper.store(Names.META_STORE).alive().keySet().stream()
        .filter(key -> key.get()[0] == kind)
        .count();
  }

  @Test
  void aSourceThatBeginsAnewStopsTheKeeper() {
    SlicedStateMachine keeper = begun(OBSERVED);
    assertThatThrownBy(() -> keeper.take(new Genesis(0, new StateEpoch(8, 8))))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("restarted from an offset before");
  }

  @Test
  void recordsOfABatchAllCount() {
    SlicedStateMachine keeper = begun(OBSERVED);
    keeper.take(new Observations(List.of(record("ann", 0), record("bob", 0), record("ann", 1))));
    assertThat(rows(keeper, Names.DATASET_STORE)).isEqualTo(3);
    assertThat(told).filteredOn(line -> line.startsWith("obs")).hasSize(3);
  }

  @Test
  void recordsBeforeTheBeginningAreNobodys() {
    SlicedStateMachine keeper = begun(ROSTER);
    keeper.take(record("ann", -1));
    assertThat(rows(keeper, Names.DATASET_STORE)).isZero();
    assertThat(told).filteredOn(line -> line.startsWith("obs")).isEmpty();
  }

  @Test
  void aRecordOfAClosedWindowStopsTheKeeper() {
    SlicedStateMachine keeper = begun(OBSERVED);
    assertThatThrownBy(() -> keeper.take(record("ann", -1)))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("closed");
    assertThat(rows(keeper, Names.DATASET_STORE)).isZero();
  }

  /** From when it is asked for, and from the first open window where that is earlier. */
  @Test
  void aChangeOfTheRosterHoldsFromAWindowThatIsOpen() {
    SlicedStateMachine keeper = begun(ROSTER);
    keeper.take(end(0));
    keeper.take(new Enrolment("ann", start(0)), new Enrolment("bob", start(2) - 1));
    keeper.take(end(1), end(2), end(3));
    keeper.settle();
    assertThat(left(keeper)).containsExactly("mix ann", "mix ann", "mix bob", "mix ann", "mix bob");
    keeper.take(new Departure("ann", start(0)), new Departure("bob", start(5)));
    keeper.take(end(4), end(5));
    keeper.settle();
    assertThat(left(keeper)).hasSize(6).last().isEqualTo("mix bob");
    assertThat(rows(keeper, Names.SUBJECT_STORE)).as("nobody is left").isZero();
  }

  @Test
  void whatNoOutputAnswersIsRefused() {
    SlicedStateMachine none = begun(OBSERVED);
    none.take(candidate("coin", "q", 0));
    assertThat(left(none)).containsExactly("coin VERSION_CHANGED");
    SlicedStateMachine other = begun(QUERIES);
    other.take(candidate("dice", "q", 0));
    assertThat(left(other)).containsExactly("dice VERSION_CHANGED");
    assertThat(other.store(Names.QUERY_STORE).alive()).isEmpty();
  }

  @Test
  void whatAnEarlierVersionWasAskedTheNextDoesNotAnswer() {
    SlicedStateMachine keeper = begun(QUERIES);
    keeper.take(record("ann", 0), end(0), activation(keeper, second(QUERIES), 1));
    keeper.settle();
    keeper.restart(Fixture.plan(second(QUERIES)));
    keeper.settle();
    keeper.take(record("ann", 1));
    keeper.take(candidate("coin", "q", 1), NOW, Fixture.plan(QUERIES));
    assertThat(left(keeper)).containsExactly("mix ann", "coin VERSION_CHANGED");
    keeper.take(candidate("coin", "q", 1), NOW, Fixture.plan(second(QUERIES)));
    keeper.take(end(1));
    keeper.settle();
    assertThat(left(keeper)).endsWith("mix ann", "coin ann");
  }

  /** What waits for windows of the next version is refused at once, and so is what comes later. */
  @Test
  void windowsOfTheNextVersionAreLeftToIt() {
    SlicedStateMachine keeper = begun(QUERIES);
    keeper.take(record("ann", 0), candidate("coin", "early", 1));
    keeper.take(activation(keeper, second(QUERIES), 1));
    assertThat(told).contains("announced");
    keeper.take(candidate("coin", "late", 1), end(0), record("ann", 1), end(1));
    keeper.settle();
    assertThat(left(keeper))
        .containsExactlyInAnyOrder("coin VERSION_CHANGED", "coin VERSION_CHANGED", "mix ann");
    assertThat(told).contains("closed 1", "handed over to 2 from 1").doesNotContain("closed 2");
    assertThat(rows(keeper, Names.DATASET_STORE)).isEqualTo(2);
    told.clear();
    keeper.restart(Fixture.plan(QUERIES));
    keeper.take(candidate("coin", "later", 1), record("ann", 2), end(2));
    keeper.settle();
    assertThat(left(keeper)).hasSize(4).last().isEqualTo("coin VERSION_CHANGED");
    assertThat(told).doesNotContain("closed 2", "closed 3");
    keeper.restart(Fixture.plan(second(QUERIES)));
    keeper.settle();
    assertThat(left(keeper)).hasSize(6).endsWith("mix ann", "mix ann");
    assertThat(told).contains("closed 3");
  }

  @Test
  void nothingIsHandedOverBeforeItsWindowIsNext() {
    SlicedStateMachine keeper = begun(OBSERVED);
    keeper.take(record("ann", 0), activation(keeper, second(OBSERVED), 2), end(0));
    keeper.settle();
    assertThat(told).contains("announced").noneMatch(line -> line.startsWith("handed"));
    keeper.take(end(1));
    assertThat(told).noneMatch(line -> line.startsWith("handed"));
    keeper.settle();
    assertThat(told).contains("handed over to 2 from 2");
  }

  private static ReleaseFailedException failed(
      SlicedStateMachine keeper, String output, int window) {
    return Fixture.failed(
        keeper.deployment(), keeper.store(Names.META_STORE), output, "ann", start(window), 0);
  }

  /** Those before it are released; it, and all behind it, wait with their data. */
  @Test
  void aReleaseThatFailedHoldsItsPartitionUntilItIsSkipped() {
    holds(OBSERVED);
    holds(ROSTER);
  }

  private void holds(String yaml) {
    SlicedStateMachine keeper = begun(yaml);
    for (String who : List.of("aaa", "ann", "bob")) {
      keeper.take(new Enrolment(who, who.equals("ann") ? NOW : start(who.equals("aaa") ? 0 : 1)));
    }
    keeper.take(new Departure("aaa", start(1)));
    ReleaseFailedException failed = failed(keeper, "mix", 1);
    keeper.take(record("aaa", 0), record("ann", 0), record("ann", 1), record("bob", 1));
    keeper.deployment().holds().add(failed);
    keeper.take(end(0), end(1));
    keeper.settle();
    assertThat(left(keeper)).containsExactly("mix aaa", "mix ann");
    assertThat(rows(keeper, Names.DATASET_STORE)).isEqualTo(2);
    keeper.take(new Forgetting("ann"), new Seal());
    keeper.settle();
    assertThat(rows(keeper, Names.DATASET_STORE)).as("they are still to be released").isEqualTo(2);
    keeper.restart(Fixture.plan(yaml));
    assertThat(keeper.slice(1, 1)).as("nothing is left that could be done").isFalse();
    keeper.settle();
    assertThat(left(keeper)).hasSize(2);
    keeper.take(new Skip(failed.tag()));
    keeper.settle();
    assertThat(left(keeper))
        .containsExactly("mix aaa", "mix ann", "mix OPERATOR_SKIPPED", "mix bob");
    assertThat(rows(keeper, Names.DATASET_STORE)).isZero();
    keeper.restart(Fixture.plan(yaml));
    assertThatThrownBy(() -> keeper.take(new Seal()))
        .as("only now it is drained")
        .hasMessageContaining("is sealed");
  }

  @Test
  void anAnswerThatFailedHoldsWhatItNeeds() {
    SlicedStateMachine keeper = begun(QUERIES);
    ReleaseFailedException failed = failed(keeper, "coin/q", 0);
    keeper.take(record("ann", 0), candidate("coin", "q", 0), end(0));
    keeper.deployment().holds().add(failed);
    for (int window = 1; window < 5; window++) {
      keeper.settle();
      keeper.take(end(window));
    }
    keeper.settle();
    assertThat(left(keeper)).containsExactly("mix ann");
    assertThat(rows(keeper, Names.DATASET_STORE)).as("two windows are over").isEqualTo(1);
    keeper.take(new Skip(failed.tag()));
    keeper.settle();
    assertThat(left(keeper)).containsExactly("mix ann", "coin OPERATOR_SKIPPED");
    assertThat(rows(keeper, Names.DATASET_STORE)).isZero();
  }

  @Test
  void theLastOfAllSourcesThatDrainSealsTheLedger() {
    SlicedStateMachine keeper = begun(OBSERVED, 2);
    keeper.take(record("ann", 0), new Drained(1), record("ann", 0), end(0));
    keeper.take(new Watermark(1, start(1)));
    keeper.settle();
    assertThat(left(keeper)).containsExactly("mix ann");
    keeper.take(new Drained(0));
    keeper.take(record("ann", 1));
    assertThat(rows(keeper, Names.DATASET_STORE)).as("nothing more is taken in").isZero();
    keeper.settle();
    keeper.restart(Fixture.plan(OBSERVED));
    keeper.take(record("ann", 1));
    keeper.settle();
    assertThat(left(keeper))
        .as("other partitions may have releases left: a drained one idles beside them")
        .containsExactly("mix ann");
    assertThatThrownBy(() -> keeper.take(new Seal())).hasMessageContaining("is sealed");
  }

  /** Nothing is left to do, so that it is drained at once. */
  @Test
  void aSealHandsBackWhatWaitsForOpenWindows() {
    SlicedStateMachine keeper = begun(QUERIES);
    keeper.take(record("ann", 0), candidate("coin", "q", 0));
    keeper.settle();
    keeper.take(new Seal());
    keeper.settle();
    assertThat(left(keeper)).containsExactly("coin VERSION_CHANGED");
    assertThatThrownBy(() -> keeper.take(new Seal())).hasMessageContaining("is sealed");
  }

  /** A turn is as long as a poll may take: what is left is done in the next one. */
  @Test
  void aTurnHasAtMostSoManySubjects() {
    SlicedStateMachine keeper =
        begun(OBSERVED.replace("histogram: {", "histogram: { method: laplace,"));
    List<Observation> records = new ArrayList<>();
    for (int i = 0; i < 2_060; i++) {
      records.add(record("s" + i, 0));
    }
    keeper.take(new Observations(records), end(0));
    assertThat(keeper.slice(1, 1_000)).isTrue();
    assertThat(keeper.outputs()).as("one step").hasSize(50);
    assertThat(keeper.slice(Integer.MAX_VALUE, 1_000)).isTrue();
    assertThat(keeper.outputs()).hasSize(2_050);
    assertThat(keeper.slice(Integer.MAX_VALUE, 1_000)).isFalse();
    assertThat(keeper.outputs()).hasSize(2_060);
    assertThat(keeper.slice(1, 1)).isFalse();
  }

  /** Rows that windows leave, and what a window costs: the same however many there were. */
  @Test
  void whatIsOverLeavesNothing() {
    SlicedStateMachine keeper =
        begun(
            ROSTER
                .replace("period: lifetime", "period: window")
                .replace("windows: 20", "windows: 1"));
    keeper.take(new Enrolment("ann", NOW));
    List<Long> costs = new ArrayList<>();
    for (int window = 0; window < 30; window++) {
      long before = keeper.operations();
      keeper.take(record("ann", window), record("bob", window), end(window));
      if (window % 10 == 9) {
        keeper.take(new Forgetting("ann"));
      }
      keeper.settle();
      keeper.settle();
      costs.add(keeper.operations() - before);
    }
    assertThat(left(keeper)).hasSize(30);
    assertThat(rows(keeper, Names.DATASET_STORE)).isZero();
    assertThat(rows(keeper, Names.LEDGER_STORE)).isLessThanOrEqualTo(1);
    assertThat(rows(keeper, 'm')).as("closing times").isLessThanOrEqualTo(1);
    assertThat(rows(keeper, Names.META_STORE)).isLessThanOrEqualTo(10);
    assertThat(costs.get(28)).isEqualTo(costs.get(8));
  }

  @Test
  void ofSubjectsOfOneWindowItIsToldHowMuchIsSpentAfterACommit() {
    SlicedStateMachine keeper = begun(OBSERVED);
    keeper.take(record("ann", 0), end(0));
    keeper.settle();
    keeper.slice(0, 1);
    assertThat(told).contains("spent mix");
    told.clear();
    keeper.slice(0, 1);
    keeper.take(record("ann", 1));
    assertThat(told).as("once a commit").doesNotContain("spent mix");
    keeper.commit();
    keeper.take(record("ann", 1));
    assertThat(told).contains("spent mix");
  }

  @Test
  void ofPeriodsThatAreOverNobodyIsCounted() {
    SlicedStateMachine keeper = begun(OBSERVED.replace("period: lifetime", "period: 30s"));
    keeper.take(record("ann", 0), record("bob", 0), end(0));
    keeper.settle();
    keeper.slice(0, 1);
    assertThat(spending).isEqualTo(2);
    keeper.take(end(2));
    keeper.settle();
    keeper.slice(0, 1);
    assertThat(spending).as("of a period that nobody has spent anything of").isZero();
    keeper.take(record("ann", 3), end(3));
    keeper.settle();
    keeper.slice(0, 1);
    assertThat(spending).isEqualTo(1);
  }

  @Test
  void whereEverySpanIsAPeriodEachWindowIsCharged() {
    SlicedStateMachine keeper =
        begun(
            OBSERVED
                .replace("clock: records", "clock: ticks, begin: 2026-06-01")
                .replace("period: lifetime", "period: { any: 30s }")
                .replace(", windows: 2", ""));
    for (int window = 0; window < 5; window++) {
      keeper.take(record("ann", window), end(window));
    }
    keeper.settle();
    assertThat(left(keeper)).hasSize(5).containsOnly("mix ann");
    assertThat(rows(keeper, Names.LEDGER_STORE)).as("the share affords every window").isZero();
  }

  @Test
  void whereEverySpanIsAPeriodAWindowThatOneHasNoRoomForIsRefused() {
    SlicedStateMachine keeper =
        begun(
            OBSERVED
                .replace("clock: records", "clock: ticks, begin: 2026-06-01")
                .replace("period: lifetime", "period: { any: 30s }"));
    for (int window = 0; window < 5; window++) {
      keeper.take(record("ann", window), end(window));
    }
    keeper.settle();
    assertThat(left(keeper))
        .as("two of the four windows that a span touches")
        .containsExactly("mix ann", "mix ann", "mix PERIOD_SPENT", "mix PERIOD_SPENT", "mix ann");
    assertThat(rows(keeper, Names.LEDGER_STORE)).isPositive();
  }

  /** What a partition that ends had of the heap is the others'. */
  @Test
  void memoryIsSharedByThosePartitionsThatRun() {
    OpenMemory memory = new OpenMemory(1_000);
    Deployment deployment = Fixture.deployment(1, meters).with(memory);
    Plan plan = Fixture.plan(OBSERVED);
    ProcessorRun<String> one = new KeeperRun().begun(plan, deployment);
    ProcessorRun<String> two = new KeeperRun().begun(plan, deployment);
    assertThat(memory.share().bytes()).isEqualTo(500);
    two.close();
    assertThat(memory.share().bytes()).isEqualTo(1_000);
    SubjectStateMachine.processor(plan, deployment).close();
    assertThat(memory.share().bytes()).as("of one that never began").isEqualTo(1_000);
    one.close();
  }

  private static final String NAMES =
      """
      pipeline: test
      input:
        topic: in
        subject: land
        user: who
        time: at
        category: what
        categories: { discover: { name: terms, share: { epsilon: 900000, delta: 1e-6 } } }
      contributions: { per-window: 4 }
      subjects: [west]
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 900000, delta: 1e-6, period: 60s }
      """;

  private static Observation named(String subject, String name) {
    return new Observation(subject, NOW, 0, List.of(), 0, name);
  }

  /** Of a subject that the file lists: names are kept over a restart, found, and then forgotten. */
  @Test
  void namesAreFoundAndThoseThatAreNotLeaveNothing() {
    SlicedStateMachine keeper = begun(NAMES);
    for (int i = 0; i < 9; i++) {
      keeper.take(new Observations(List.of(named("west", "many"), named("east", "many"))));
      keeper.restart(Fixture.plan(NAMES));
    }
    keeper.take(new Observations(List.of(named("west", "one"))), end(0));
    keeper.settle();
    assertThat(keeper.outputs()).singleElement().extracting(o -> o.key()).isEqualTo("west");
    NamesRelease release = (NamesRelease) Outputs.decodeAny(keeper.outputs().get(0).value());
    assertThat(release.getNames())
        .extracting(name -> name.getName() + " " + name.getCount())
        .containsExactly("many 9");
    assertThat(rows(keeper, Names.DATASET_STORE)).isZero();
    assertThat(keeper.store(Names.NAME_STORE).alive().keySet())
        .map(key -> new String(key.get(), StandardCharsets.UTF_8))
        .noneMatch(key -> key.contains("one") || key.contains("east"));
  }

  /** A window that some source keeps open answers nothing, and candidates wait for it so long. */
  @Test
  void aBoundaryThatClosesNothingTellsTheTimeToWhatWaits() {
    SlicedStateMachine keeper =
        begun(QUERIES.replace("keep: 2", "keep: 2, waiting: { time: 15s }"), 2);
    keeper.take(record("ann", 0), candidate("coin", "q", 0));
    keeper.settle();
    keeper.take(new Watermark(0, start(1)), NOW + 14_000);
    keeper.settle();
    assertThat(left(keeper)).isEmpty();
    keeper.take(new Watermark(0, start(2)), NOW + 16_000);
    keeper.settle();
    assertThat(left(keeper)).containsExactly("coin EXPIRED");
  }

  /** Step by step, though not one window is closed. */
  @Test
  void allThatHasWaitedForTooLongIsRefused() {
    String yaml = QUERIES.replace("keep: 2", "keep: 2, waiting: { time: 15s }");
    SlicedStateMachine keeper = new SlicedStateMachine(Fixture.plan(yaml), 2, meters);
    for (int source = 0; source < 2; source++) {
      keeper.take(new Genesis(source, new StateEpoch(7, 7)));
    }
    keeper.take(new Watermark(0, NOW), record("ann", 0));
    for (String query : List.of("p", "q", "r")) {
      keeper.take(candidate("coin", query, 0));
    }
    keeper.settle();
    keeper.take(new Watermark(0, start(1)), NOW + 16_000);
    for (int refused = 1; refused <= 3; refused++) {
      keeper.slice(1, 1);
      assertThat(left(keeper)).hasSize(refused).containsOnly("coin EXPIRED");
    }
  }

  /** What was asked while it could be answered is, before the data goes. */
  @Test
  void whoIsForgottenIsAnsweredFirstWhatIsDecided() {
    SlicedStateMachine keeper = begun(QUERIES);
    keeper.take(record("ann", 0), candidate("coin", "q", 0), end(0), new Forgetting("ann"));
    assertThat(left(keeper)).containsExactly("coin ann");
    keeper.settle();
    assertThat(left(keeper)).containsExactly("coin ann", "mix ann");
    assertThat(rows(keeper, Names.DATASET_STORE)).isZero();
  }

  private static final String SUMS =
      """
      pipeline: test
      version: 1
      input: { topic: in, subject: who, time: at, values: [x] }
      window: { size: 10s, grace: 2s }
      budget: { name: test, unit: record, epsilon: 2, delta: 1e-5, period: lifetime }
      releases:
        - mean: { name: run, value: x, bounds: [0, 8], running: forever, share: { epsilon: 2, delta: 1e-6 }, windows: 80 }
      """;

  /** What draws keep of her goes at once where all is released, else with the last release. */
  @Test
  void sumsOfWhoIsForgottenGo() {
    SlicedStateMachine keeper = begun(SUMS);
    keeper.take(number("ann", 0), number("bob", 0), end(0));
    keeper.settle();
    assertThat(rows(keeper, Names.RUNNING_STORE)).isEqualTo(2);
    keeper.take(new Forgetting("ann"));
    assertThat(rows(keeper, Names.RUNNING_STORE)).isEqualTo(1);
    keeper.take(number("bob", 1), end(1), new Forgetting("bob"));
    assertThat(rows(keeper, Names.RUNNING_STORE)).as("one is still to be released").isEqualTo(1);
    keeper.settle();
    assertThat(left(keeper)).containsExactly("run ann", "run bob", "run bob");
    assertThat(rows(keeper, Names.RUNNING_STORE)).isZero();
    assertThat(rows(keeper, 'r') + rows(keeper, 'x')).as("nor is her name kept").isZero();
  }

  /** Windows of the new version are released by it alone, though it has read nothing yet. */
  @Test
  void whatANewVersionReleasesItHasTakenOver() {
    SlicedStateMachine keeper = begun(OBSERVED);
    keeper.take(record("ann", 0), activation(keeper, second(OBSERVED), 0), end(0));
    keeper.settle();
    assertThat(left(keeper)).isEmpty();
    keeper.restart(Fixture.plan(second(OBSERVED)));
    keeper.settle();
    assertThat(left(keeper)).containsExactly("mix ann");
    assertThatThrownBy(() -> keeper.restart(Fixture.plan(OBSERVED)))
        .hasMessageContaining("the state is already at version 2");
  }

  /** And what it has read, though it has released nothing yet. */
  @Test
  void whatANewVersionReadsItHasTakenOver() {
    SlicedStateMachine keeper = begun(OBSERVED);
    keeper.take(activation(keeper, second(OBSERVED), 0));
    keeper.settle();
    keeper.restart(Fixture.plan(second(OBSERVED)));
    keeper.take(record("ann", 0));
    assertThatThrownBy(() -> keeper.restart(Fixture.plan(OBSERVED)))
        .hasMessageContaining("the state is already at version 2");
  }

  @Test
  void whatIsReleasedAfterARestartIsNews() {
    SlicedStateMachine keeper = begun(OBSERVED);
    keeper.take(record("ann", 0), end(0));
    keeper.restart(Fixture.plan(OBSERVED));
    told.clear();
    keeper.settle();
    assertThat(told).contains("closed 1").doesNotContain("resumed 1");
    keeper.restart(Fixture.plan(OBSERVED));
    told.clear();
    keeper.take(new Watermark(0, start(1) + SIZE));
    keeper.settle();
    assertThat(told).contains("closed 2");
  }

  /** Where queries are answered who left is known as long as her data is there. */
  @Test
  void ofWhoHasLeftWhatIsKeptStillAnswers() {
    SlicedStateMachine keeper = begun(QUERIES + "subjects: roster\n");
    keeper.take(new Enrolment("ann", NOW), record("ann", 0), end(0));
    keeper.settle();
    keeper.take(new Departure("ann", start(1)), end(1));
    keeper.settle();
    keeper.take(candidate("coin", "q", 0));
    assertThat(left(keeper)).containsExactly("mix ann", "coin ann");
    keeper.take(end(2), end(3), end(4));
    keeper.settle();
    assertThat(rows(keeper, Names.DATASET_STORE)).isZero();
    assertThat(rows(keeper, Names.SUBJECT_STORE)).isZero();
  }

  /** Also of the very last one that was decided. */
  @Test
  void whatIsDecidedOfWhoIsForgottenGoesAtOnce() {
    SlicedStateMachine keeper = begun(QUERIES);
    keeper.take(record("ann", 0), record("bob", 0), end(0));
    keeper.settle();
    keeper.take(new Forgetting("bob"));
    assertThat(rows(keeper, Names.DATASET_STORE)).isEqualTo(1);
    keeper.take(new Forgetting("ann"));
    assertThat(rows(keeper, Names.DATASET_STORE)).isZero();
  }

  /** A state as programs left it that knew no beginning. */
  private SlicedStateMachine begunBefore(Plan plan) {
    SlicedStateMachine keeper = new SlicedStateMachine(plan, 1, meters);
    StagedWrites store = new StagedWrites(keeper.store(Names.META_STORE));
    StateIdentity.Maker maker = StateIdentity.Maker.of(plan, keeper.deployment());
    new MetaStore(store)
        .put(new StateIdentity(new StateEpoch(7, 7), Long.MIN_VALUE, maker, BudgetTerms.of(plan)));
    store.flush();
    keeper.restart(plan);
    return keeper;
  }

  /** A file that is told later where windows begin must not drop what is not decided. */
  @Test
  void windowsThatAreNotDecidedAreNotBeforeTheBeginning() {
    String at = "ticks, begin: 2026-06-01T00:00:%d0Z";
    String roster = ROSTER.replace(", begin: 2026-06-01", "");
    String observed = roster.replace("subjects: roster\n", "");
    for (String yaml : List.of(roster, observed)) {
      Plan first = Fixture.plan(yaml.replace("ticks", at.formatted(1)));
      Plan second = Fixture.plan(yaml.replace("ticks", at.formatted(2)));
      SlicedStateMachine keeper = begunBefore(Fixture.plan(yaml));
      keeper.take(new Enrolment("ann", NOW), new Watermark(0, NOW));
      keeper.take(record("ann", 0), record("ann", 1), end(0));
      if (yaml.equals(roster)) {
        assertThatThrownBy(() -> keeper.restart(first))
            .as("window 0 is closed, and not decided")
            .isInstanceOf(PipelineStopException.class)
            .hasMessageContaining("Write begin: 2026-06-01");
        keeper.restart(Fixture.plan(yaml));
      }
      keeper.settle();
      assertThatThrownBy(() -> keeper.restart(second))
          .isInstanceOf(PipelineStopException.class)
          .hasMessageContaining("Write begin: 2026-06-01T00:00:10");
      keeper.restart(first);
      keeper.take(end(1));
      keeper.settle();
      assertThat(left(keeper)).containsExactly("mix ann", "mix ann");
    }
  }

  @Test
  void sumsOfWhoLeavesGo() {
    SlicedStateMachine keeper = begun(SUMS + "subjects: roster\n");
    keeper.take(new Enrolment("ann", NOW), number("ann", 0), end(0));
    keeper.settle();
    assertThat(rows(keeper, Names.RUNNING_STORE)).isEqualTo(1);
    keeper.take(new Departure("ann", start(1)), end(1));
    keeper.settle();
    assertThat(rows(keeper, Names.RUNNING_STORE)).isZero();
  }

  /** She was forgotten between two windows that are released later: the second begins anew. */
  @Test
  void whatIsReleasedLaterIsReleasedAsIfSheHadBeenForgottenInTime() {
    SlicedStateMachine keeper = begun(SUMS);
    keeper.take(number("ann", 0), end(0), new Forgetting("ann"), number("ann", 1), end(1));
    keeper.settle();
    assertThat(keeper.outputs())
        .map(output -> ((MeanRelease) Outputs.decodeAny(output.value())).getSince().toEpochMilli())
        .containsExactly(start(0), start(1));
  }

  /** Step by step, and all of it. */
  @Test
  void whatNobodyReleasesIsDroppedWhereverStepsEnd() {
    SlicedStateMachine roster = begun(QUERIES + "subjects: roster\n");
    roster.take(new Enrolment("ann", NOW), record("ann", 0));
    for (int i = 0; i < 8; i++) {
      roster.take(record("s" + i, 0));
    }
    roster.take(end(0));
    finish(roster, 2);
    assertThat(rows(roster, Names.DATASET_STORE)).as("ann's answers queries").isEqualTo(1);
    SlicedStateMachine observed = begun(QUERIES);
    for (int i = 0; i < 8; i++) {
      observed.take(record("s" + i, 0));
    }
    String next = second(QUERIES).replaceFirst("  - abc: .*\n", "");
    observed.take(end(0), activation(observed, next, 1));
    observed.settle();
    assertThat(rows(observed, Names.DATASET_STORE)).isEqualTo(8);
    observed.restart(Fixture.plan(next));
    finish(observed, 2);
    assertThat(rows(observed, Names.DATASET_STORE)).isZero();
    SlicedStateMachine summed = begun(SUMS);
    for (int i = 0; i < 8; i++) {
      summed.take(number("s" + i, 0));
    }
    String renamed =
        second(SUMS)
            .replace("name: run", "name: other")
            .replace("delta: 1e-6 }", "delta: 1e-6, ledger: run }");
    summed.take(end(0), activation(summed, renamed, 1));
    summed.settle();
    assertThat(rows(summed, Names.RUNNING_STORE)).isEqualTo(8);
    summed.restart(Fixture.plan(renamed));
    finish(summed, 2);
    assertThat(rows(summed, Names.RUNNING_STORE)).isZero();
  }

  private static void finish(SlicedStateMachine keeper, int step) {
    int turns = 0;
    while (keeper.slice(1, step)) {
      assertThat(turns++).as("turns").isLessThan(100);
    }
  }

  @Test
  void namesOfWhoHasLeftGo() {
    SlicedStateMachine keeper = begun(NAMES.replace("[west]", "roster"));
    keeper.take(new Enrolment("ann", NOW));
    for (int i = 0; i < 9; i++) {
      keeper.take(new Observations(List.of(named("ann", "many"), named("ann", "more"))));
    }
    keeper.take(end(0));
    keeper.settle();
    assertThat(keeper.outputs()).hasSize(1);
    assertThat(rows(keeper, Names.NAME_STORE)).isPositive();
    keeper.take(new Departure("ann", start(1)), end(1));
    keeper.settle();
    assertThat(rows(keeper, Names.NAME_STORE)).isZero();
  }

  /** Each name has draws of its own: one that failed holds its subject, and all behind it. */
  @Test
  void aNameThatFailedHoldsThePartitionUntilItIsSkipped() {
    SlicedStateMachine keeper = begun(NAMES.replace("[west]", "[ann]"));
    ReleaseFailedException failed = failed(keeper, "terms/many", 0);
    keeper.deployment().holds().add(failed);
    for (int i = 0; i < 9; i++) {
      keeper.take(new Observations(List.of(named("ann", "many"), named("ann", "more"))));
    }
    keeper.take(end(0));
    keeper.settle();
    assertThat(keeper.outputs()).isEmpty();
    assertThat(rows(keeper, Names.NAME_STORE)).isPositive();
    keeper.take(new Skip(failed.tag()));
    keeper.settle();
    NamesRelease release = (NamesRelease) Outputs.decodeAny(keeper.outputs().get(0).value());
    assertThat(release.getNames())
        .extracting(name -> name.getName() + " " + name.getCount())
        .containsExactly("more 9");
  }

  /** Twenty for each subject that a step may look at, and the rest in the next one. */
  @Test
  void aSubjectWithManyNamesIsDecidedInSeveralSteps() {
    SlicedStateMachine one = manyNames();
    for (int step = 0; step < 2; step++) {
      assertThat(one.slice(1, 1)).isTrue();
      assertThat(one.outputs()).as("twenty").isEmpty();
    }
    assertThat(one.slice(1, 1)).isTrue();
    assertThat(one.outputs()).hasSize(1);
    finish(one, 1);
    NamesRelease release = (NamesRelease) Outputs.decodeAny(one.outputs().get(0).value());
    assertThat(release.getNames()).hasSize(50);
    SlicedStateMachine two = manyNames();
    assertThat(two.slice(1, 2)).isTrue();
    assertThat(two.outputs()).as("forty").isEmpty();
    two.slice(1, 2);
    assertThat(two.outputs()).hasSize(1);
  }

  private SlicedStateMachine manyNames() {
    SlicedStateMachine keeper = begun(NAMES);
    List<Observation> records = new ArrayList<>();
    for (int name = 0; name < 50; name++) {
      records.add(named("west", "n" + name));
    }
    for (int i = 0; i < 9; i++) {
      keeper.take(new Observations(records));
    }
    keeper.take(end(0));
    return keeper;
  }
}
