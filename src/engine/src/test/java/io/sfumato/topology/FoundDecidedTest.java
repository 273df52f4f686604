// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.release.Plan;
import io.sfumato.schema.CountRelease;
import io.sfumato.schema.SubjectRelease;
import io.sfumato.serde.JournalEntry.Enrolment;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Observations;
import io.sfumato.serde.JournalEntry.Skip;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.ReleaseFailedException;
import io.sfumato.topology.dataset.Contents;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Windows of subjects that are found. Budgets are so large that the noise is below one half but for
 * a chance below 1e-200: two users pass, or three, and one does not.
 */
class FoundDecidedTest {
  private static final long SIZE = 10_000;

  /** In the place of a category, after those of the file and of what is left out. */
  private static final int USER = 3;

  private static final String FILE =
      """
      pipeline: test
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
      contributions: { per-window: 6, subjects: 6 }
      subjects: { discover: { name: places, most: 2, forget-names: 2, share: { epsilon: 400000, delta: 5e-7 }, windows: 40 } }
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 800000, delta: 1e-6, period: lifetime }
      releases:
        - count: { name: n, by: total, running: forever, share: { epsilon: 400000, delta: 5e-7 }, windows: 40 }
      """;

  private static final Plan PLAN = Fixture.plan(FILE);

  private static void record(SlicedStateMachine keeper, String subject, int window) {
    keeper.take(Entries.record(subject, window));
  }

  /** So many users with one record each. */
  private static void users(SlicedStateMachine keeper, int users, String subject, int window) {
    for (int i = 0; i < users; i++) {
      record(keeper, subject, window);
      keeper.take(Entries.record(subject, window, USER));
    }
  }

  private static void close(SlicedStateMachine keeper, int window) {
    keeper.take(Entries.end(window));
  }

  private static void closeAndSettle(SlicedStateMachine keeper, int window) {
    close(keeper, window);
    keeper.settle();
  }

  /** "subject@window users", with a plus where it was found; sums; codes of refusals. */
  private static List<String> left(SlicedStateMachine keeper) {
    return keeper.outputs().stream().map(FoundDecidedTest::shown).toList();
  }

  private static String shown(SlicedStateMachine.Output output) {
    if (output.topic().equals(Names.REFUSALS)) {
      return output.refusal().getCode() + "@" + number(output.refusal().getWindowStart());
    }
    if (Outputs.decodeAny(output.value()) instanceof SubjectRelease found) {
      return "%s@%d %d%s"
          .formatted(
              found.getSubject(),
              number(found.getWindowStart()),
              Math.round(found.getUsers()),
              found.getFound() ? "+" : "");
    }
    CountRelease count = (CountRelease) Outputs.decodeAny(output.value());
    return count.getSubject() + "@" + number(count.getWindowStart()) + " total";
  }

  private static long number(java.time.Instant start) {
    return (start.toEpochMilli() - NOW) / SIZE;
  }

  private static List<String> keys(SlicedStateMachine keeper, String store) {
    keeper.commit();
    return keeper.store(store).alive().keySet().stream()
        .map(key -> new String(key.get(), StandardCharsets.UTF_8).strip())
        .toList();
  }

  /** What did not pass leaves nothing: no row, no output, no word. */
  @Test
  void whatIsFoundIsPublicAndWhatIsNotLeavesNothing() {
    SlicedStateMachine keeper = SlicedStateMachine.begun(PLAN);
    // Nobody says by command who is public.
    keeper.take(new Enrolment("east", NOW));
    users(keeper, 3, "north", 0);
    users(keeper, 1, "south", 0);
    // Records of users that do not count: nobody's.
    record(keeper, "west", 0);
    closeAndSettle(keeper, 0);
    assertThat(left(keeper)).containsExactly("north@0 3+");
    assertThat(keys(keeper, Names.DATASET_STORE)).isEmpty();
    assertThat(keys(keeper, Names.SUBJECT_STORE)).containsExactly("north");
    assertThat(keys(keeper, Names.RUNNING_STORE)).containsExactly("last passesnorth");
    users(keeper, 1, "north", 1);
    closeAndSettle(keeper, 1);
    assertThat(left(keeper)).containsExactly("north@0 3+", "north@1 1", "north@1 total");
    assertThat(keys(keeper, Names.DATASET_STORE)).isEmpty();
  }

  /** Where names are found too: those of subjects that are not public go with their records. */
  @Test
  void namesOfSubjectsThatAreNotPublicLeaveNothing() {
    Plan plan =
        Fixture.plan(
            """
            pipeline: test
            input:
              topic: in
              subject: ward
              user: who
              time: at
              category: what
              categories: { discover: { name: terms, share: { epsilon: 400000, delta: 2e-7 } } }
            contributions: { per-window: 6, subjects: 6 }
            subjects: { discover: { name: places, most: 1, share: { epsilon: 400000, delta: 2e-7 } } }
            window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
            budget: { name: test, unit: user, epsilon: 800000, delta: 1e-6, period: window }
            """);
    SlicedStateMachine keeper = SlicedStateMachine.begun(plan);
    // One that is found, one that does not pass, and, as the list is full then, a third.
    for (String subject : List.of("north", "south", "west")) {
      Observation named = new Observation(subject, NOW, 0, List.of(), 0, "secret");
      keeper.take(new Observations(List.of(named)));
    }
    for (int i = 0; i < 3; i++) {
      long user = Contents.Layout.user(plan.pipeline());
      keeper.take(new Observation("north", NOW, (int) user, List.of(), 0));
    }
    assertThat(keys(keeper, Names.NAME_STORE)).anyMatch(key -> key.contains("secret"));
    closeAndSettle(keeper, 0);
    assertThat(keys(keeper, Names.SUBJECT_STORE)).containsExactly("north");
    assertThat(keys(keeper, Names.DATASET_STORE)).isEmpty();
    assertThat(keys(keeper, Names.NAME_STORE)).noneMatch(key -> key.contains("secret"));
  }

  /** It leaves with what was kept of it, and comes back as if it were new. */
  @Test
  void whoDoesNotPassForTooLongLeavesNothingBehind() {
    SlicedStateMachine keeper = SlicedStateMachine.begun(PLAN);
    users(keeper, 3, "north", 0);
    for (int window = 0; window < 2; window++) {
      closeAndSettle(keeper, window);
    }
    keeper.restart(PLAN);
    users(keeper, 1, "north", 2);
    closeAndSettle(keeper, 2);
    assertThat(left(keeper))
        .containsExactly("north@0 3+", "north@1 0", "north@1 total", "north@2 1", "north@2 total");
    closeAndSettle(keeper, 3);
    assertThat(left(keeper)).as("two windows without a pass").hasSize(5);
    assertThat(keys(keeper, Names.SUBJECT_STORE)).isEmpty();
    assertThat(keys(keeper, Names.RUNNING_STORE)).isEmpty();
    users(keeper, 3, "north", 4);
    users(keeper, 2, "north", 5);
    closeAndSettle(keeper, 4);
    closeAndSettle(keeper, 5);
    assertThat(left(keeper)).endsWith("north@4 3+", "north@5 2", "north@5 total");
  }

  @Test
  void whereNobodyIsForgottenWhoWasFoundStays() {
    SlicedStateMachine keeper =
        SlicedStateMachine.begun(Fixture.plan(FILE.replace("forget-names: 2, ", "")));
    users(keeper, 3, "north", 0);
    for (int window = 0; window < 5; window++) {
      closeAndSettle(keeper, window);
    }
    assertThat(left(keeper)).hasSize(9).endsWith("north@4 0", "north@4 total");
  }

  /** One window of three is released: in the others no list is full, and nobody leaves. */
  @Test
  void inWindowsThatAreNotReleasedNobodyComesOrGoesAndNothingIsSaid() {
    String paced =
        FILE.replace(", windows: 40", "")
            .replace("running: forever, ", "")
            .replace("period: lifetime", "period: { any: 30s, pace: 1 }");
    SlicedStateMachine keeper = SlicedStateMachine.begun(Fixture.plan(paced));
    for (int window = 0; window < 10; window++) {
      for (String name : window < 5 ? List.of("a", "b", "c") : List.<String>of()) {
        users(keeper, 3, name, window);
      }
      closeAndSettle(keeper, window);
      assertThat(keys(keeper, Names.DATASET_STORE)).isEmpty();
    }
    assertThat(left(keeper))
        .containsExactly(
            "a@0 3+",
            "b@0 3+",
            "LIST_FULL@0",
            "a@3 3",
            "a@3 total",
            "b@3 3",
            "b@3 total",
            "LIST_FULL@3",
            "a@6 0",
            "a@6 total",
            "b@6 0",
            "b@6 total");
    assertThat(keys(keeper, Names.SUBJECT_STORE)).as("at window 6 both have left").isEmpty();
  }

  @Test
  void aFullListIsSaidOnceAWindowUntilThereIsRoom() {
    SlicedStateMachine keeper = SlicedStateMachine.begun(PLAN);
    for (String name : List.of("a", "b", "c")) {
      users(keeper, 3, name, 0);
    }
    closeAndSettle(keeper, 0);
    assertThat(left(keeper)).containsExactly("a@0 3+", "b@0 3+", "LIST_FULL@0");
    assertThat(keys(keeper, Names.DATASET_STORE)).as("nor is c's data kept").isEmpty();
    keeper.restart(PLAN);
    users(keeper, 3, "a", 1);
    users(keeper, 3, "c", 1);
    closeAndSettle(keeper, 1);
    assertThat(left(keeper)).endsWith("b@1 total", "LIST_FULL@1").hasSize(8);
    // b leaves with window 2, so that c, which comes behind it, has room.
    users(keeper, 3, "a", 2);
    users(keeper, 3, "c", 2);
    closeAndSettle(keeper, 2);
    assertThat(left(keeper))
        .endsWith("a@2 3", "a@2 total", "b@2 0", "b@2 total", "c@2 3+", "LIST_FULL@2");
    keeper.restart(PLAN);
    closeAndSettle(keeper, 3);
    assertThat(left(keeper)).endsWith("c@3 0", "c@3 total", "LIST_FULL@3");
  }

  private static SlicedStateMachine cut(int pieces, int step) {
    SlicedStateMachine keeper = SlicedStateMachine.begun(PLAN);
    for (int window = 0; window < 4; window++) {
      for (String name : List.of("a", "b", "c", "d")) {
        users(keeper, (name.charAt(0) + window) % 3 * 2, name, window);
      }
      close(keeper, window);
    }
    int turns = 0;
    while (keeper.slice(pieces, step)) {
      assertThat(turns++).as("turns").isLessThan(200);
    }
    keeper.commit();
    assertThat(keys(keeper, Names.DATASET_STORE)).isEmpty();
    return keeper;
  }

  @Test
  void whereSlicesAreCutChangesNothing() {
    List<String> whole = left(cut(1_000, 1_000));
    assertThat(whole).hasSizeGreaterThan(12);
    for (int step = 1; step <= 6; step++) {
      assertThat(left(cut(1, step))).as("step " + step).isEqualTo(whole);
    }
  }

  /** Each step looks at as many as it was asked to, and no more. */
  @Test
  void aStepLooksAtNoMoreThanItMay() {
    SlicedStateMachine keeper = SlicedStateMachine.begun(PLAN);
    users(keeper, 3, "a", 0);
    users(keeper, 3, "b", 0);
    close(keeper, 0);
    for (int step = 1; step <= 2; step++) {
      assertThat(keeper.slice(1, 1)).isTrue();
      assertThat(keeper.outputs()).hasSize(step);
    }
    keeper.slice(1, 1);
    assertThat(left(keeper)).containsExactly("a@0 3+", "b@0 3+", "LIST_FULL@0");
  }

  private static ReleaseFailedException failed(
      SlicedStateMachine keeper, String output, int window) {
    return Fixture.failed(
        keeper.deployment(), keeper.store(Names.META_STORE), output, "b", NOW + window * SIZE, 0);
  }

  /** Of one that is not public nobody hears that it was skipped. */
  @Test
  void aSearchThatFailedHoldsThePartitionAndIsSkippedInSilence() {
    SlicedStateMachine keeper = SlicedStateMachine.begun(PLAN);
    ReleaseFailedException failed = failed(keeper, "places", 0);
    keeper.deployment().holds().add(failed);
    for (String name : List.of("a", "b", "c")) {
      users(keeper, 3, name, 0);
    }
    closeAndSettle(keeper, 0);
    assertThat(left(keeper)).containsExactly("a@0 3+");
    assertThat(keys(keeper, Names.DATASET_STORE)).hasSize(2);
    keeper.take(new Skip(failed.tag()));
    keeper.settle();
    assertThat(left(keeper)).containsExactly("a@0 3+", "c@0 3+", "LIST_FULL@0");
    assertThat(keys(keeper, Names.DATASET_STORE)).isEmpty();
  }

  @Test
  void aReleaseOfAPublicSubjectThatFailedHoldsThePartition() {
    SlicedStateMachine keeper = SlicedStateMachine.begun(PLAN);
    ReleaseFailedException failed = failed(keeper, "n", 1);
    users(keeper, 3, "b", 0);
    closeAndSettle(keeper, 0);
    keeper.deployment().holds().add(failed);
    users(keeper, 3, "b", 1);
    users(keeper, 3, "c", 1);
    closeAndSettle(keeper, 1);
    assertThat(left(keeper)).containsExactly("b@0 3+");
    assertThat(keys(keeper, Names.DATASET_STORE)).hasSize(2);
    keeper.take(new Skip(failed.tag()));
    keeper.settle();
    assertThat(left(keeper)).contains("OPERATOR_SKIPPED@1", "b@1 3", "c@1 3+");
    assertThat(keys(keeper, Names.DATASET_STORE)).isEmpty();
  }
}
