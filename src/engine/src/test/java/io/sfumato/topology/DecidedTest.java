// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Entries.end;
import static io.sfumato.topology.Entries.record;
import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.gate.StateEpoch;
import io.sfumato.release.Plan;
import io.sfumato.serde.JournalEntry.Activation;
import io.sfumato.serde.JournalEntry.Candidate;
import io.sfumato.serde.JournalEntry.Departure;
import io.sfumato.serde.JournalEntry.Enrolment;
import io.sfumato.serde.JournalEntry.Forgetting;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Seal;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.PipelineStopException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Each closed window of each subject is decided once; then its data is gone. */
class DecidedTest {
  private static final long SIZE = 10_000;

  private static final int SUBJECTS = 4;

  private static final String OBSERVED = Fixture.YAML;

  private static final String ROSTER =
      OBSERVED.replace("clock: records", "clock: ticks, begin: 2026-06-01") + "subjects: roster\n";

  private static final String QUERIES =
"""
pipeline: test
version: 1
input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c] }
window: { size: 10s, grace: 2s }
budget: { name: test, unit: record, epsilon: 4, delta: 1e-5, period: window }
releases:
  - histogram: { name: mix, share: { epsilon: 1, delta: 1e-6 } }
  - abc: { name: coin, threshold: 0.3, share: { epsilon: 0.5, delta: 2e-7 }, queries: 1, keep: 2 }
""";

  private final List<String> told = new ArrayList<>();

  private final PipelineMeters meters =
      new PipelineMeters() {
        @Override
        public void observed(int records) {
          told.add("observed " + records);
        }

        @Override
        public void notEnrolled(long records) {
          told.add("not enrolled " + records);
        }

        @Override
        public void heldBackBy(int partition, int source) {
          told.add("held back by " + source);
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
        public void passed(int partition, long foremost, OptionalLong all) {
          told.add("passed " + (foremost - NOW) / SIZE);
        }

        @Override
        public void forgot(int partition, int subjects) {
          told.add("forgot " + subjects);
        }

        @Override
        public void left(int partition) {
          told.add("left");
        }
      };

  private SlicedStateMachine begun(String yaml) {
    return SlicedStateMachine.begun(Fixture.plan(yaml), 1, meters);
  }

  private static List<String> released(SlicedStateMachine keeper) {
    return keeper.outputs().stream().map(o -> o.topic() + " " + o.key()).toList();
  }

  private static int datasets(SlicedStateMachine keeper) {
    keeper.commit();
    return keeper.store(Names.DATASET_STORE).alive().size();
  }

  private SlicedStateMachine withAWindow(String yaml) {
    SlicedStateMachine keeper = begun(yaml);
    for (int i = 0; i < SUBJECTS; i++) {
      keeper.take(record("s" + i, 0));
    }
    return keeper;
  }

  @Test
  void aDatasetIsKeptUntilItIsReleasedAndNoLonger() {
    SlicedStateMachine keeper = withAWindow(OBSERVED);
    keeper.take(record("s0", 1));
    assertThat(datasets(keeper)).isEqualTo(SUBJECTS + 1);
    keeper.take(end(0));
    keeper.settle();
    assertThat(released(keeper)).containsExactly("mix s0", "mix s1", "mix s2", "mix s3");
    assertThat(datasets(keeper)).as("the open one").isEqualTo(1);
    keeper.take(end(1));
    keeper.settle();
    assertThat(datasets(keeper)).isZero();
    assertThat(released(keeper)).hasSize(SUBJECTS + 1);
  }

  @Test
  void nothingIsDecidedTwiceWhereverSlicesAreCutAndProcessesEnd() {
    for (String yaml : List.of(OBSERVED, ROSTER)) {
      for (int pieces = 1; pieces <= SUBJECTS + 1; pieces++) {
        SlicedStateMachine keeper = withAWindow(yaml);
        for (int i = 0; i < SUBJECTS; i++) {
          keeper.take(new Enrolment("s" + i, NOW));
        }
        keeper.take(end(0));
        for (int turn = 0; turn < 3 * SUBJECTS; turn++) {
          keeper.slice(pieces, 1);
          keeper.restart(Fixture.plan(yaml));
          assertThat(datasets(keeper)).isEqualTo(SUBJECTS - keeper.outputs().size());
        }
        assertThat(released(keeper)).containsExactly("mix s0", "mix s1", "mix s2", "mix s3");
        assertThat(keeper.store(Names.LEDGER_STORE).alive()).hasSize(SUBJECTS);
      }
    }
  }

  @Test
  void aWindowWaitsForTheLastSource() {
    SlicedStateMachine keeper = new SlicedStateMachine(Fixture.plan(OBSERVED), 2, meters);
    for (int source = 0; source < 2; source++) {
      keeper.take(new Genesis(source, new StateEpoch(7, 7)), 1);
      keeper.take(new Watermark(source, NOW), 1);
    }
    keeper.take(record("s0", 0), 1);
    keeper.take(new Watermark(0, NOW + 2 * SIZE), 50);
    keeper.settle();
    assertThat(keeper.outputs()).isEmpty();
    assertThat(datasets(keeper)).isEqualTo(1);
    keeper.take(new Watermark(1, NOW + SIZE), 40);
    keeper.settle();
    assertThat(keeper.outputs())
        .extracting(SlicedStateMachine.Output::timestamp)
        .containsExactly(50L);
    assertThat(told).contains("held back by 1", "held back by -1");
  }

  /** Of who is not enrolled nothing is released, and nothing stays. */
  @Test
  void recordsOfNobodyWhoIsEnrolledAreDroppedWithTheirWindow() {
    SlicedStateMachine keeper = withAWindow(ROSTER);
    keeper.take(new Enrolment("s1", NOW));
    keeper.take(new Enrolment("t", NOW));
    keeper.take(record("s0", 1));
    keeper.take(end(0));
    keeper.settle();
    assertThat(released(keeper)).as("records or none").containsExactly("mix s1", "mix t");
    assertThat(datasets(keeper)).as("of the open window").isEqualTo(1);
    assertThat(told).filteredOn(line -> line.startsWith("not")).hasSize(3);
    keeper.take(new Departure("s1", NOW));
    keeper.take(end(1));
    keeper.settle();
    assertThat(released(keeper)).containsExactly("mix s1", "mix t", "mix t");
    assertThat(datasets(keeper)).isZero();
    assertThat(keeper.store(Names.SUBJECT_STORE).alive()).as("who has left is not kept").hasSize(1);
  }

  /** What is spent is refused once a lifetime, and its data goes all the same. */
  @Test
  void whereTheShareIsSpentNothingIsReleasedAndNothingStays() {
    SlicedStateMachine keeper = begun(OBSERVED);
    List<Integer> outputs = new ArrayList<>();
    for (int window = 0; window < 5; window++) {
      keeper.take(record("s0", window));
      keeper.take(end(window));
      keeper.settle();
      outputs.add(keeper.outputs().size());
      assertThat(datasets(keeper)).isZero();
      keeper.restart(Fixture.plan(OBSERVED));
    }
    assertThat(outputs).as("two windows, one word of their end").containsExactly(1, 2, 3, 3, 3);
    assertThat(released(keeper)).containsExactly("mix s0", "mix s0", "refusals s0");
  }

  @Test
  void whoIsForgottenLosesWhatIsOpenAtOnceAndWhatIsClosedWhenItIsReleased() {
    SlicedStateMachine keeper = withAWindow(OBSERVED);
    keeper.take(record("s0", 1));
    keeper.take(end(0));
    keeper.take(new Forgetting("s0"));
    assertThat(datasets(keeper)).as("the closed window's wait").isEqualTo(SUBJECTS);
    keeper.settle();
    assertThat(released(keeper)).hasSize(SUBJECTS);
    assertThat(datasets(keeper)).isZero();
    keeper.take(end(1));
    keeper.settle();
    assertThat(released(keeper)).hasSize(SUBJECTS);
    assertThat(told).contains("forgot 1");
  }

  /** Bounds come before the means that go by them, wherever they stand in the file, and once. */
  @Test
  void whatOthersGoByIsDrawnFirst() {
    SlicedStateMachine keeper =
        begun(
            """
            pipeline: test
            input: { topic: in, subject: who, time: at, values: [x] }
            window: { size: 10s, grace: 2s }
            budget: { name: test, unit: record, epsilon: 900000, delta: 1e-6, period: lifetime }
            releases:
              - mean: { name: means, value: x, bounds: auto, share: { epsilon: 700000 }, windows: 3 }
              - bounds: { name: range, value: x, share: { epsilon: 100000 } }
            """);
    for (int window = 0; window < 2; window++) {
      for (int i = 0; i < 5; i++) {
        keeper.take(new Observation("s0", NOW + window * SIZE, 0, List.of(4.0), 0));
      }
      keeper.take(end(window));
    }
    keeper.settle();
    assertThat(released(keeper)).containsExactly("range s0", "means s0", "means s0");
  }

  /** Where queries are answered datasets stay as long as the file says. */
  @Test
  void datasetsThatAnswerQueriesGoWhenTheirTimeIsOver() {
    SlicedStateMachine keeper = begun(QUERIES);
    List<Integer> kept = new ArrayList<>();
    for (int window = 0; window < 5; window++) {
      if (window < 2) {
        keeper.take(record("s0", window));
      }
      keeper.take(end(window));
      keeper.settle();
      kept.add(datasets(keeper));
    }
    assertThat(kept).as("two windows each").containsExactly(1, 2, 1, 0, 0);
    assertThat(released(keeper)).containsExactly("mix s0", "mix s0");
  }

  /** Who is forgotten answers no query any more. */
  @Test
  void whatIsKeptForQueriesGoesAtOnceWhereASubjectIsForgotten() {
    SlicedStateMachine keeper = begun(QUERIES);
    keeper.take(record("s0", 0));
    keeper.take(record("s1", 0));
    keeper.take(end(0));
    keeper.settle();
    assertThat(datasets(keeper)).isEqualTo(2);
    keeper.take(new Forgetting("s0"));
    assertThat(datasets(keeper)).isEqualTo(1);
    keeper.take(new Candidate("coin", "q", 0, 1, "s0", NOW, List.of(), List.of(0.4, 0.3, 0.3)));
    keeper.settle();
    assertThat(released(keeper)).hasSize(3).last().asString().startsWith("refusals");
  }

  @Test
  void whoIsForgottenBeforeTheReleaseLeavesNothingForQueries() {
    SlicedStateMachine keeper = begun(QUERIES);
    keeper.take(record("s0", 0));
    keeper.take(record("s1", 0));
    keeper.take(end(0));
    keeper.take(new Forgetting("s0"));
    assertThat(datasets(keeper)).as("both wait").isEqualTo(2);
    keeper.settle();
    assertThat(released(keeper)).containsExactly("mix s0", "mix s1");
    assertThat(datasets(keeper)).as("hers is not kept").isEqualTo(1);
  }

  /** A version without queries deletes what one with queries kept. */
  @Test
  void whatAnEarlierVersionKeptForQueriesIsDropped() {
    SlicedStateMachine keeper = begun(QUERIES);
    keeper.take(record("s0", 0));
    keeper.take(record("s1", 0));
    keeper.take(end(0));
    keeper.settle();
    keeper.take(record("s1", 1));
    String next = QUERIES.replace("version: 1", "version: 2").replaceFirst("  - abc: .*\n", "");
    Plan plan = Fixture.plan(next);
    keeper.take(
        new Activation(
            2, NOW + SIZE, plan.digestText(), Fixture.deployment(1, meters).noiseKey().tag()));
    keeper.settle();
    keeper.restart(plan);
    keeper.settle();
    assertThat(datasets(keeper)).as("the open window's").isEqualTo(1);
  }

  @Test
  void aSealReleasesWhatIsClosedAndNobodyGoesOnWithIt() {
    SlicedStateMachine keeper = withAWindow(OBSERVED);
    keeper.take(end(0));
    keeper.take(new Seal());
    keeper.slice(1, 1);
    keeper.restart(Fixture.plan(OBSERVED));
    keeper.take(record("s9", 1));
    keeper.settle();
    assertThat(released(keeper)).as("nothing more is taken in").hasSize(SUBJECTS);
    assertThat(datasets(keeper)).isZero();
    keeper.restart(Fixture.plan(OBSERVED));
    keeper.take(record("s9", 1));
    keeper.settle();
    assertThat(datasets(keeper)).as("drained, it idles at every start").isZero();
    assertThatThrownBy(() -> keeper.take(new Seal())).isInstanceOf(PipelineStopException.class);
  }

  @Test
  void whatWatchersHear() {
    SlicedStateMachine keeper = withAWindow(OBSERVED);
    told.clear();
    keeper.take(record("s0", 0));
    keeper.take(end(0));
    keeper.settle();
    keeper.slice(1, 1);
    keeper.close();
    assertThat(told)
        .containsExactly("observed 1", "held back by -1", "closed 1", "passed 1", "left");
    told.clear();
    keeper.restart(Fixture.plan(OBSERVED));
    keeper.settle();
    assertThat(told).contains("resumed 1");
  }
}
