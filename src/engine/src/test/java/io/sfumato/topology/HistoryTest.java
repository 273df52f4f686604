// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Entries.beginning;
import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.estimate.history.EmpiricalBayesHistogram;
import io.sfumato.estimate.history.LearningCounts;
import io.sfumato.estimate.history.ReleaseHistory;
import io.sfumato.mechanism.additive.NoisyHistogram;
import io.sfumato.pipeline.FactText;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ShownOutput;
import io.sfumato.release.Plan;
import io.sfumato.release.Releases;
import io.sfumato.release.Shown;
import io.sfumato.release.count.PlannedCount;
import io.sfumato.rows.Card;
import io.sfumato.schema.HistoryCountRelease;
import io.sfumato.schema.HistoryRelease;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Contribution;
import io.sfumato.serde.JournalEntry.Contributions;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Histograms that learn from what was released before. */
class HistoryTest {
  private static final long SIZE = 10_000;

  private static final String RECORDS =
      """
      pipeline: test
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c] }
      window: { size: 10s, grace: 2s }
      budget: { name: test, unit: record, epsilon: 1, delta: 1e-6, period: window }
      releases:
        - histogram: { name: mix, method: laplace, post-processing: history, share: { epsilon: 1, delta: 1e-6 } }
      """;

  private static final String USERS =
      """
      pipeline: test
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b, c] }
      contributions: { per-window: 2, subjects: 1 }
      subjects: [north, south]
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 2, delta: 1e-6, period: window }
      releases:
        - histogram: { name: mix, method: best, post-processing: history, share: { epsilon: 1, delta: 5e-7 } }
        - histogram: { name: plain, method: laplace, share: { epsilon: 0.5, delta: 3e-7 } }
        - count: { name: many, method: laplace, post-processing: history, share: { epsilon: 0.5, delta: 2e-7 } }
      """;

  private static List<JournalEntry> window(int window, int... counts) {
    long start = NOW + window * SIZE;
    List<JournalEntry> journal = new ArrayList<>();
    for (int category = 0; category < counts.length; category++) {
      for (int i = 0; i < counts[category]; i++) {
        journal.add(new Observation("ann", start, category, List.of(), 0));
      }
    }
    journal.add(new Watermark(0, start + SIZE));
    return journal;
  }

  private static List<HistoryRelease> run(KeeperRun run, Plan plan, List<JournalEntry> journal) {
    return run.run(plan, Fixture.deployment(1, PipelineMeters.none()), journal).stream()
        .map(output -> (HistoryRelease) Outputs.decodeAny(output.value()))
        .toList();
  }

  private static NoisyHistogram mechanism(Plan plan) {
    return (NoisyHistogram) plan.releases().get(0).plan().mechanism();
  }

  /**
   * Whoever reads the topic from its beginning makes the same shares of the noisy counts, bit for
   * bit: nothing else went into them. A window without records is skipped.
   */
  @Test
  void shouldPublishAllThatItLearnsFrom() {
    Plan plan = Fixture.plan(RECORDS);
    List<JournalEntry> journal = new ArrayList<>(beginning());
    for (int window = 0; window < 80; window++) {
      if (window != 11 && window != 12) {
        journal.addAll(window(window, 30, 6, window % 3));
      }
    }
    List<HistoryRelease> releases = run(new KeeperRun(), plan, journal);
    assertThat(releases).hasSize(78);
    EmpiricalBayesHistogram learning = new EmpiricalBayesHistogram(mechanism(plan));
    ReleaseHistory past = ReleaseHistory.none(3);
    for (HistoryRelease release : releases) {
      EmpiricalBayesHistogram.Made made =
          learning.made(
              past,
              release.getWindowStart().toEpochMilli() / SIZE,
              release.getNoisyCounts().stream().mapToLong(Long::longValue).toArray(),
              release.getRecords());
      past = made.past();
      assertThat(release.getProbabilities())
          .containsExactlyElementsOf(IntStream.range(0, 3).mapToObj(made.shares()::share).toList());
      assertThat(release.getError95()).isEqualTo(made.errors());
      assertThat(release.getLearnedFrom()).isEqualTo(made.learned());
    }
    assertThat(releases.get(0).getLearnedFrom()).isZero();
    assertThat(releases.get(10).getLearnedFrom()).isEqualTo(10);
    assertThat(releases.get(11).getLearnedFrom()).isEqualTo(11);
    assertThat(releases)
        .extracting(HistoryRelease::getLearnedFrom)
        .allMatch(learned -> learned < ReleaseHistory.WINDOWS);
  }

  /** Each window by another program that has the state of the one before. */
  @Test
  void shouldGiveTheSameBytesAfterRestarts() {
    Plan plan = Fixture.plan(RECORDS);
    List<JournalEntry> journal = new ArrayList<>(beginning());
    for (int window = 0; window < 40; window++) {
      journal.addAll(window(window, 20, 3, 1));
    }
    List<KeeperRun.Output> once =
        new KeeperRun().run(plan, Fixture.deployment(1, PipelineMeters.none()), journal);
    KeeperRun run = new KeeperRun();
    List<KeeperRun.Output> again =
        new ArrayList<>(run.run(plan, Fixture.deployment(1, PipelineMeters.none()), beginning()));
    for (int window = 0; window < 40; window++) {
      again.addAll(
          run.run(plan, Fixture.deployment(1, PipelineMeters.none()), window(window, 20, 3, 1)));
    }
    assertThat(once).hasSize(40);
    assertThat(again).extracting(KeeperRun.Output::value).hasSize(40);
    for (int window = 0; window < 40; window++) {
      assertThat(again.get(window).value()).isEqualTo(once.get(window).value());
    }
  }

  /** Records of one user each in the ward "north", and the window's end. */
  private static List<JournalEntry> usersWindow(int window, int... categories) {
    long start = NOW + window * SIZE;
    List<Contribution> records =
        IntStream.range(0, categories.length)
            .mapToObj(
                i -> new Contribution("user" + i, start, "north", categories[i], i, List.of()))
            .toList();
    return List.of(new Contributions(records), new Watermark(0, start + SIZE));
  }

  /** A transaction that was lost is done again, from the state and entries that it had. */
  @Test
  void shouldGiveTheSameBytesAgain() {
    Plan plan = Fixture.plan(USERS);
    PopulationRun run = new PopulationRun();
    run.outputs(plan, PopulationRun.beginning());
    for (int window = 0; window < 4; window++) {
      List<String> before = run.lines();
      List<byte[]> outputs = run.outputs(plan, usersWindow(window, 0, 0, 1, window % 3));
      PopulationRun again = PopulationRun.of(before);
      assertThat(again.outputs(plan, usersWindow(window, 0, 0, 1, window % 3)))
          .hasSize(6)
          .containsExactlyElementsOf(outputs);
      assertThat(again.lines()).isEqualTo(run.lines());
      HistoryRelease north =
          outputs.stream()
              .map(Outputs::decodeAny)
              .filter(HistoryRelease.class::isInstance)
              .map(HistoryRelease.class::cast)
              .filter(release -> release.getSubject().equals("north"))
              .findFirst()
              .orElseThrow();
      assertThat(north.getRecords()).as("private").isNull();
      assertThat(north.getLearnedFrom()).isBetween(0, window);
    }
    assertThat(run.store(Names.RUNNING_STORE).approximateNumEntries()).isBetween(2L, 4L);
  }

  /** What is published of counts follows from their noisy ones, as it does for shares. */
  @Test
  void shouldPublishAllThatCountsLearnFrom() {
    Plan plan = Fixture.plan(USERS);
    PlannedCount planned = (PlannedCount) plan.releases().get(2);
    LearningCounts learning = new LearningCounts(planned.plan().mechanism().noise());
    PopulationRun run = new PopulationRun();
    run.outputs(plan, PopulationRun.beginning());
    ReleaseHistory past = ReleaseHistory.none(3);
    for (int window = 0; window < 5; window++) {
      HistoryCountRelease north =
          run.outputs(plan, usersWindow(window, 0, 0, 1, 0, 0)).stream()
              .map(Outputs::decodeAny)
              .filter(HistoryCountRelease.class::isInstance)
              .map(HistoryCountRelease.class::cast)
              .filter(release -> release.getSubject().equals("north"))
              .findFirst()
              .orElseThrow();
      LearningCounts.Made made =
          learning.made(
              past,
              north.getWindowStart().toEpochMilli() / SIZE,
              north.getNoisyCounts().stream().mapToLong(Long::longValue).toArray());
      past = made.past();
      assertThat(north.getEstimates()).isEqualTo(made.counts());
      assertThat(north.getError95()).isEqualTo(made.errors());
      assertThat(north.getLearnedFrom()).isEqualTo(window);
      OutputView view = Releases.viewOf(north).orElseThrow();
      assertThat(Shown.whole(north)).endsWith("  history of " + window);
      Card card = new ShownOutput(view, north).card(planned);
      assertThat(card.rows()).extracting(Card.Row::label).containsExactly("a", "b", "c");
      assertThat(card.facts()).containsExactly("history of " + window);
      north.setNoisyCounts(List.of(30L, 20L, 5L));
      assertThat(view.likelihood(north, planned)).isPresent();
      north.setNoisyCounts(List.of(1L));
      assertThatThrownBy(() -> view.likelihood(north, planned))
          .hasMessageContaining("noisy_counts: found 1 of 3 categories");
    }
    assertThat(FactText.of(planned.facts(plan.pipeline())))
        .contains("learning   history, from the noisy counts of up to 64 windows before");
  }

  /** Another window's records change what later ones learned by what was published alone. */
  @Test
  void shouldDrawTheSameNoiseWhateverWasBefore() {
    Plan plan = Fixture.plan(RECORDS);
    List<JournalEntry> first = new ArrayList<>(beginning());
    first.addAll(window(0, 30, 6, 1));
    first.addAll(window(1, 9, 9, 9));
    List<JournalEntry> second = new ArrayList<>(beginning());
    second.addAll(window(0, 1, 6, 30));
    second.addAll(window(1, 9, 9, 9));
    List<HistoryRelease> one = run(new KeeperRun(), plan, first);
    List<HistoryRelease> other = run(new KeeperRun(), plan, second);
    assertThat(one.get(1).getNoisyCounts()).isEqualTo(other.get(1).getNoisyCounts());
    assertThat(one.get(1).getProbabilities()).isNotEqualTo(other.get(1).getProbabilities());
  }

  @ParameterizedTest
  @ValueSource(strings = {RECORDS, USERS})
  void shouldShowWhatItIs(String yaml) {
    Plan plan = Fixture.plan(yaml);
    HistoryRelease release = yaml.equals(RECORDS) ? ofRecords(plan) : ofUsers(plan);
    PlannedRelease planned = plan.releases().get(0);
    OutputView view = Releases.viewOf(release).orElseThrow();
    assertThat(Shown.whole(release)).endsWith("  history of 0").contains("a ").contains("+-");
    Card card = new ShownOutput(view, release).card(planned);
    assertThat(card.rows()).extracting(Card.Row::label).containsExactly("a", "b", "c");
    assertThat(card.facts()).containsExactly("history of 0");
    assertThat(view.likelihood(release, planned)).isPresent();
    release.setRecords(yaml.equals(RECORDS) ? null : 12L);
    assertThatThrownBy(() -> view.likelihood(release, planned)).hasMessageContaining("records");
    release.setNoisyCounts(List.of(1L));
    assertThatThrownBy(() -> view.likelihood(release, planned))
        .hasMessageContaining("noisy_counts: found 1 numbers");
    assertThat(FactText.of(planned.facts(plan.pipeline())))
        .contains("learning   history, from releases of up to 64 windows before");
  }

  private static HistoryRelease ofRecords(Plan plan) {
    List<JournalEntry> journal = new ArrayList<>(beginning());
    journal.addAll(window(0, 30, 6, 1));
    return run(new KeeperRun(), plan, journal).get(0);
  }

  private static HistoryRelease ofUsers(Plan plan) {
    PopulationRun run = new PopulationRun();
    run.outputs(plan, PopulationRun.beginning());
    int[] categories = new int[60];
    return run.outputs(plan, usersWindow(0, categories)).stream()
        .map(Outputs::decodeAny)
        .filter(HistoryRelease.class::isInstance)
        .map(HistoryRelease.class::cast)
        .filter(release -> release.getSubject().equals("north"))
        .findFirst()
        .orElseThrow();
  }
}
