// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Entries.end;
import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.gate.StateEpoch;
import io.sfumato.release.Plan;
import io.sfumato.schema.Refusal;
import io.sfumato.schema.RefusalCode;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Activation;
import io.sfumato.serde.JournalEntry.Candidate;
import io.sfumato.serde.JournalEntry.Forgetting;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.version.MetaStore;
import io.sfumato.topology.version.VersionHandover;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * What is done for one entry of the journal does not grow with the number of subjects; what it
 * leaves to do grows with it, and no faster. Counted in rows of stores that keep their tombstones.
 */
class BoundedEntriesTest {
  private static final long SIZE = 10_000;

  private static final String YAML =
      """
      pipeline: test
      version: 1
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c] }
      window: { size: 10s, grace: 2s }
      budget: { name: test, unit: record, epsilon: 8, delta: 1e-5 }
      releases:
        - histogram: { name: mix, share: { epsilon: 2, delta: 1e-6 }, windows: 20 }
        - abc: { name: coin, threshold: 0.4, share: { epsilon: 2, delta: 1e-6 }, queries: 3, candidates: 4, keep: 2, waiting: { entries: 4, time: 40s } }
      """;

  private static final Plan PLAN = Fixture.plan(YAML);

  private static SlicedStateMachine keeper() {
    SlicedStateMachine keeper = new SlicedStateMachine(PLAN, 1);
    keeper.take(new Genesis(0, new StateEpoch(7, 7)), NOW);
    keeper.take(new Watermark(0, NOW), NOW);
    return keeper;
  }

  private static String subject(int number) {
    return "s%05d".formatted(number);
  }

  private static void records(SlicedStateMachine keeper, int subjects, int window) {
    for (int i = 0; i < subjects; i++) {
      keeper.take(new Observation(subject(i), NOW + window * SIZE, i % 3, List.of(), 0), NOW);
    }
  }

  private static void candidates(
      SlicedStateMachine keeper, int subjects, int window, String query) {
    for (int i = 0; i < subjects; i++) {
      keeper.take(candidate(subject(i), window, query), NOW);
    }
  }

  private static JournalEntry candidate(String subject, int window, String query) {
    return new Candidate(
        "coin", query, 0, 4, subject, NOW + window * SIZE, List.of(), List.of(0.4, 0.4, 0.2));
  }

  private static Activation activation(int window) {
    return new Activation(2, NOW + window * SIZE, "00", "tag");
  }

  /** What an entry costs behind some that leave work for so many subjects, none of it done. */
  private static long cost(int subjects, Consumer<SlicedStateMachine> before, JournalEntry entry) {
    SlicedStateMachine keeper = keeper();
    before.accept(keeper);
    keeper.commit();
    int published = keeper.outputs().size();
    long operations = keeper.operations();
    keeper.take(entry, NOW + 41_000);
    keeper.commit();
    assertThat(keeper.outputs())
        .as("outputs for one entry, beside %d subjects", subjects)
        .hasSize(published);
    return keeper.operations() - operations;
  }

  @Test
  void forgettingASubjectReleasesNothingOfOthers() {
    assertThat(forgetting(1_000)).isLessThanOrEqualTo(forgetting(10) + 10);
  }

  private static long forgetting(int subjects) {
    return cost(
        subjects,
        keeper -> {
          records(keeper, subjects, 0);
          candidates(keeper, subjects, 0, "q");
          keeper.take(candidate("else", 7, "q"), NOW);
          keeper.take(end(0), NOW);
        },
        new Forgetting("else"));
  }

  @Test
  void aBoundaryRefusesNobodyByItself() {
    assertThat(boundary(1_000)).isLessThanOrEqualTo(boundary(10) + 10);
  }

  private static long boundary(int subjects) {
    return cost(subjects, keeper -> candidates(keeper, subjects, 5, "q"), end(0));
  }

  @Test
  void anActivationRefusesNobodyByItself() {
    assertThat(activating(1_000)).isLessThanOrEqualTo(activating(10) + 10);
  }

  private static long activating(int subjects) {
    return cost(subjects, keeper -> candidates(keeper, subjects, 5, "q"), activation(3));
  }

  /** Whoever asks meets what is decided of the own candidates, and looks at nobody else's. */
  @Test
  void aCandidateSettlesNobodyElses() {
    assertThat(asking(1_000)).isLessThanOrEqualTo(asking(10) + 10);
  }

  private static long asking(int subjects) {
    return cost(
        subjects,
        keeper -> {
          candidates(keeper, subjects, 0, "q");
          for (int i = 0; i < subjects; i++) {
            keeper.take(candidate(subject(i), 2 + i, "far"), NOW);
          }
          keeper.take(candidate("else", 7, "q"), NOW);
          keeper.take(end(0), NOW);
          // Half of them are refused: what was deleted of theirs is passed by nobody again.
          keeper.slice(subjects / 10, 5);
        },
        candidate("else", 8, "next"));
  }

  @Test
  void slicesRefuseWhatABoundaryLeftAsOfThatBoundary() {
    SlicedStateMachine keeper = keeper();
    candidates(keeper, 300, 5, "q");
    keeper.take(end(0), NOW + 40_001);
    keeper.take(end(1), NOW + 99_000);
    assertThat(keeper.slice(1, 50)).isTrue();
    assertThat(keeper.outputs()).hasSize(50);
    keeper.restart(PLAN);
    assertThat(keeper.slice(2, 50)).isTrue();
    assertThat(keeper.outputs()).hasSize(150);
    keeper.settle();
    assertThat(keeper.outputs())
        .hasSize(300)
        .allSatisfy(output -> assertThat(output.timestamp()).isEqualTo(NOW + 40_001))
        .extracting(output -> output.refusal().getCode())
        .containsOnly(RefusalCode.EXPIRED);
    assertThat(keeper.outputs()).extracting(SlicedStateMachine.Output::key).doesNotHaveDuplicates();
    assertThat(keeper.store(Names.QUERY_STORE).alive()).isEmpty();
    assertThat(kinds(keeper)).as("times that nobody asks for").doesNotContain("kk");
  }

  /** First letters of the keys of the meta store, in order. */
  private static String kinds(SlicedStateMachine keeper) {
    StringBuilder kinds = new StringBuilder();
    keeper
        .store(Names.META_STORE)
        .alive()
        .keySet()
        .forEach(key -> kinds.append((char) key.get()[0]));
    return kinds.toString();
  }

  /** The next version may begin once everybody is refused whom this one must refuse. */
  @Test
  void aVersionHandsOverWhenAllAreRefused() {
    SlicedStateMachine keeper = keeper();
    candidates(keeper, 300, 5, "q");
    keeper.take(activation(1), NOW + 1_000);
    keeper.take(end(0), NOW + 41_000);
    keeper.take(candidate("late", 5, "q"), NOW + 2_000);
    assertThat(keeper.outputs()).as("who asks now is refused now").hasSize(1);
    for (int done = 50; done < 300; done += 50) {
      keeper.slice(1, 50);
      keeper.restart(PLAN);
      assertThat(keeper.outputs()).hasSizeLessThan(301);
      assertThat(isReady(keeper)).isFalse();
    }
    keeper.settle();
    assertThat(isReady(keeper)).isTrue();
    List<Refusal> refusals =
        keeper.outputs().stream().map(SlicedStateMachine.Output::refusal).toList();
    assertThat(refusals).hasSize(301);
    assertThat(refusals).extracting(Refusal::getCode).containsOnly(RefusalCode.VERSION_CHANGED);
    assertThat(keeper.outputs().subList(1, 301))
        .allSatisfy(output -> assertThat(output.timestamp()).isEqualTo(NOW + 1_000));
    assertThat(kinds(keeper)).doesNotContain("e");
  }

  private static boolean isReady(SlicedStateMachine keeper) {
    return VersionHandover.decode(keeper.store(Names.META_STORE).alive().get(MetaStore.TAKEOVER))
        .ready();
  }

  /** Forgotten while her window waits to be released: released, never asked again, then deleted. */
  @Test
  void whoIsForgottenIsReleasedAnswersNothingAndGoes() {
    SlicedStateMachine keeper = keeper();
    records(keeper, 100, 0);
    keeper.take(candidate(subject(7), 0, "before"), NOW);
    keeper.take(end(0), NOW + 50);
    records(keeper, 100, 1);
    keeper.take(new Forgetting(subject(7)), NOW);
    assertThat(keeper.outputs())
        .extracting(SlicedStateMachine.Output::topic)
        .containsExactly("coin");
    keeper.take(candidate(subject(7), 0, "behind"), NOW);
    assertThat(keeper.outputs().get(1).refusal().getCode()).isEqualTo(RefusalCode.UNKNOWN_SUBJECT);
    assertThat(kinds(keeper)).as("staged").doesNotContain("f");
    keeper.slice(1, 50);
    keeper.restart(PLAN);
    assertThat(kinds(keeper)).contains("f");
    keeper.take(candidate(subject(7), 0, "released"), NOW);
    keeper.settle();
    assertThat(keeper.outputs()).hasSize(103);
    assertThat(keeper.outputs())
        .filteredOn(output -> output.topic().equals("mix"))
        .extracting(SlicedStateMachine.Output::key)
        .contains(subject(7))
        .doesNotHaveDuplicates();
    assertThat(kinds(keeper))
        .as("nothing is left to remember")
        .doesNotContain("f")
        .doesNotContain("g");
    assertThat(datasets(keeper))
        .as("of others both windows are there")
        .hasSize(198)
        .noneMatch(key -> key.endsWith(HexFormat.of().formatHex(subject(7).getBytes())));
    keeper.take(new Forgetting(subject(8)), NOW);
    keeper.commit();
    assertThat(datasets(keeper)).hasSize(196);
    assertThat(kinds(keeper)).doesNotContain("f");
  }

  private static List<String> datasets(SlicedStateMachine keeper) {
    return keeper.store(Names.DATASET_STORE).alive().keySet().stream()
        .map(key -> HexFormat.of().formatHex(key.get()))
        .toList();
  }

  private static List<String> codes(SlicedStateMachine keeper, String query) {
    return keeper.outputs().stream()
        .filter(output -> output.refusal().getQueryId().equals(query))
        .map(output -> output.refusal().getCode() + "@" + (output.timestamp() - NOW))
        .toList();
  }

  /** A version without queries has no use for what the one before kept for its queries. */
  @Test
  void aVersionWithoutQueriesDropsWhatWasKeptForThem() {
    SlicedStateMachine keeper = keeper();
    records(keeper, 300, 0);
    String next = YAML.replace("version: 1", "version: 2").replaceAll("  - abc: .*\n", "");
    Plan plan = Fixture.plan(next);
    keeper.take(
        new Activation(
            2,
            NOW + SIZE,
            plan.digestText(),
            Fixture.deployment(1, PipelineMeters.none()).noiseKey().tag()),
        NOW);
    records(keeper, 300, 1);
    keeper.take(end(0), NOW);
    keeper.settle();
    assertThat(datasets(keeper)).hasSize(600);
    keeper.restart(plan);
    keeper.slice(1, 50);
    keeper.commit();
    assertThat(datasets(keeper)).as("a slice at a time").hasSize(550);
    keeper.restart(plan);
    keeper.settle();
    assertThat(datasets(keeper)).as("open ones are left").hasSize(300);
    keeper.take(end(1), NOW);
    keeper.settle();
    assertThat(datasets(keeper)).isEmpty();
    assertThat(keeper.outputs()).hasSize(600);
  }

  /** Windows are released, answer, and are forgotten; candidates wait, expire and are answered. */
  @Test
  void tenTimesAsManySubjectsCostTenTimesAsMuch() {
    assertThat(life(1_000)).isLessThanOrEqualTo(12 * life(100));
  }

  private static long life(int subjects) {
    SlicedStateMachine keeper = keeper();
    long before = keeper.operations();
    for (int window = 0; window < 5; window++) {
      records(keeper, subjects, window);
      candidates(keeper, subjects, window, "q" + window);
      candidates(keeper, subjects, window + 50, "far" + window);
      keeper.take(end(window), NOW + window * 50_000);
      do {
        // As pieces come in between records: each of them looks for what is left.
        keeper.commit();
      } while (keeper.slice(1, 10));
    }
    return keeper.operations() - before;
  }
}
