// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.schema.ControlCommand;
import io.sfumato.schema.CountRelease;
import io.sfumato.schema.Refusal;
import io.sfumato.schema.SubjectRelease;
import io.sfumato.serde.Outputs;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Subjects that nobody listed. Files here have so much budget that the noise is below one half but
 * for a chance below 1e-200: the threshold is 2, so that 3 users pass and 1 does not, and numbers
 * of users can be read off.
 */
class FoundSubjectsTest {
  static final String FILE =
      """
      pipeline: test
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
      contributions: { per-window: 6, subjects: 6 }
      subjects: { discover: { name: places, share: { epsilon: 400000, delta: 5e-7 }, windows: 40 } }
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 800000, delta: 1e-6, period: lifetime }
      releases:
        - count: { name: n, by: total, share: { epsilon: 400000, delta: 5e-7 }, windows: 40 }
      """;

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path state;

  static void event(Fixture pipeline, String who, String ward, long second) {
    try {
      pipeline.send(
          null,
          JSON.writeValueAsBytes(
              Map.of("who", who, "ward", ward, "at", NOW + second * 1000, "what", "a")));
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  /** So many users with one record each. */
  static void users(Fixture pipeline, int users, String ward, long second) {
    for (int i = 0; i < users; i++) {
      event(pipeline, "user" + i, ward, second);
    }
  }

  /** "subject@second users", with a plus where it was found. */
  static List<String> found(Fixture pipeline) {
    return pipeline.releases("places", SubjectRelease.class).stream()
        .map(
            r ->
                "%s@%d %d%s"
                    .formatted(
                        r.getSubject(),
                        (r.getWindowStart().toEpochMilli() - NOW) / 1000,
                        Math.round(r.getUsers()),
                        r.getFound() ? "+" : ""))
        .toList();
  }

  static List<String> counts(Fixture pipeline) {
    return pipeline.releases("n", CountRelease.class).stream()
        .map(
            r ->
                "%s@%d %s"
                    .formatted(
                        r.getSubject(),
                        (r.getWindowStart().toEpochMilli() - NOW) / 1000,
                        r.getCounts()))
        .toList();
  }

  private static void forget(Fixture pipeline, String who) {
    pipeline.command(ControlCommand.FORGET, who);
  }

  @Test
  void aSubjectIsFoundFromTheThresholdOnAndReleasedFromTheNextWindowRecordsOrNone() {
    try (Fixture pipeline = new Fixture(FILE, state)) {
      pipeline.tick(2);
      users(pipeline, 3, "north", 1);
      users(pipeline, 3, "south", 1);
      users(pipeline, 1, "west", 1);
      // Many records of one user are one user.
      event(pipeline, "user0", "west", 2);
      event(pipeline, "user0", "west", 3);
      pipeline.tick(12);
      assertThat(found(pipeline)).containsExactly("north@0 3+", "south@0 3+");
      assertThat(counts(pipeline)).isEmpty();
      users(pipeline, 1, "south", 11);
      users(pipeline, 1, "west", 11);
      pipeline.tick(22);
      assertThat(found(pipeline)).containsExactly("north@10 0", "south@10 1");
      assertThat(counts(pipeline)).containsExactly("north@10 [0]", "south@10 [1]");
      assertThat(pipeline.refusals()).isEmpty();
      assertThat(pipeline.deadLetters()).isEmpty();
    }
  }

  /** Whoever did not pass leaves no trace: the same meters, outputs and refusals without it. */
  @Test
  void nothingTellsOfWhatDidNotPass() {
    Map<String, Integer> with = new TreeMap<>();
    Map<String, Integer> without = new TreeMap<>();
    for (boolean lonely : new boolean[] {true, false}) {
      Path folder = state.resolve(lonely ? "with" : "without");
      try (Fixture pipeline = new Fixture(FILE, folder)) {
        pipeline.tick(2);
        users(pipeline, 3, "north", 1);
        if (lonely) {
          event(pipeline, "ann", "nowhere", 1);
        }
        pipeline.tick(32);
        assertThat(found(pipeline)).containsExactly("north@0 3+", "north@10 0", "north@20 0");
        assertThat(counts(pipeline)).containsExactly("north@10 [0]", "north@20 [0]");
        assertThat(pipeline.refusals()).isEmpty();
        assertThat(pipeline.deadLetters()).isEmpty();
        (lonely ? with : without).putAll(pipeline.counts.seen);
      }
    }
    // Who sends a record knows that it was taken in.
    assertThat(with.remove("accepted")).isEqualTo(4);
    assertThat(without.remove("accepted")).isEqualTo(3);
    assertThat(with).isEqualTo(without).isEmpty();
  }

  @Test
  void aPublicSubjectThatDoesNotPassForTooLongLeavesAndCanBeFoundAgain() {
    String file = FILE.replace("name: places,", "name: places, forget-names: 2,");
    try (Fixture pipeline = new Fixture(file, state)) {
      pipeline.tick(2);
      users(pipeline, 3, "north", 1);
      users(pipeline, 1, "north", 11);
      users(pipeline, 3, "north", 21);
      users(pipeline, 1, "north", 31);
      pipeline.tick(62);
      assertThat(found(pipeline))
          .containsExactly("north@0 3+", "north@10 1", "north@20 3", "north@30 1", "north@40 0");
      assertThat(counts(pipeline))
          .containsExactly("north@10 [1]", "north@20 [3]", "north@30 [1]", "north@40 [0]");
      users(pipeline, 3, "north", 61);
      pipeline.tick(82);
      assertThat(found(pipeline)).containsExactly("north@60 3+", "north@70 0");
    }
  }

  @Test
  void whenTheListIsFullNoneIsLookedForAndThatIsSaidOnceAWindow() {
    String file = FILE.replace("name: places,", "name: places, most: 2,");
    try (Fixture pipeline = new Fixture(file, state)) {
      pipeline.tick(2);
      for (String place : List.of("a", "b", "c", "d")) {
        users(pipeline, 3, place, 1);
      }
      pipeline.tick(32);
      assertThat(found(pipeline))
          .as("the first two in the order of subjects")
          .containsExactly("a@0 3+", "b@0 3+", "a@10 0", "b@10 0", "a@20 0", "b@20 0");
      List<Refusal> refusals = pipeline.refusals();
      assertThat(refusals)
          .as("of every window since, whether or not anybody could have been found")
          .extracting(
              r ->
                  "%s %s '%s' %d"
                      .formatted(
                          r.getOutput(),
                          r.getCode(),
                          r.getSubject(),
                          (r.getWindowStart().toEpochMilli() - NOW) / 1000))
          .containsExactly(
              "places LIST_FULL '' 0", "places LIST_FULL '' 10", "places LIST_FULL '' 20");
    }
  }

  @Test
  void aPlaceInTheListThatIsLeftIsGivenToAnotherOne() {
    String file = FILE.replace("name: places,", "name: places, most: 1, forget-names: 1,");
    try (Fixture pipeline = new Fixture(file, state)) {
      pipeline.tick(2);
      users(pipeline, 3, "b", 1);
      users(pipeline, 3, "c", 11);
      users(pipeline, 3, "a", 11);
      pipeline.tick(22);
      assertThat(found(pipeline))
          .as("a comes before b has left, c after it")
          .containsExactly("b@0 3+", "b@10 0", "c@10 3+");
    }
  }

  @Test
  void whoIsForgottenCountsNoMoreAndAPublicSubjectStays() {
    try (Fixture pipeline = new Fixture(FILE, state)) {
      pipeline.tick(2);
      users(pipeline, 3, "north", 1);
      pipeline.tick(12);
      assertThat(found(pipeline)).containsExactly("north@0 3+");
      event(pipeline, "user0", "south", 11);
      event(pipeline, "user1", "south", 11);
      users(pipeline, 3, "north", 11);
      forget(pipeline, "user1");
      pipeline.tick(22);
      assertThat(found(pipeline)).containsExactly("north@10 2");
    }
  }

  @Test
  void commandsDoNotSayWhoIsPublic() {
    try (Fixture pipeline = new Fixture(FILE, state)) {
      for (ControlCommand command : List.of(ControlCommand.ENROL, ControlCommand.LEAVE)) {
        pipeline.command(command, command == ControlCommand.ENROL ? "west" : "north", 0);
      }
      pipeline.tick(2);
      users(pipeline, 3, "north", 1);
      pipeline.tick(22);
      assertThat(found(pipeline)).containsExactly("north@0 3+", "north@10 0");
    }
  }

  /** One charge a window, for this output as for others, and no more than the horizon says. */
  @Test
  void whoHasSpentTheShareIsNotCounted() {
    try (Fixture pipeline = new Fixture(FILE.replace("windows: 40", "windows: 2"), state)) {
      pipeline.tick(2);
      for (int window = 0; window < 4; window++) {
        users(pipeline, 3, "north", 10L * window + 1);
      }
      users(pipeline, 3, "south", 31);
      for (String who : List.of("x", "y", "z")) {
        event(pipeline, who, "west", 31);
      }
      pipeline.tick(42);
      assertThat(found(pipeline))
          .containsExactly("north@0 3+", "north@10 3", "north@20 0", "north@30 0", "west@30 3+");
      assertThat(counts(pipeline)).containsExactly("north@10 [3]", "north@20 [0]", "north@30 [0]");
      assertThat(pipeline.refusals()).isEmpty();
    }
  }

  @Test
  void theGuaranteeTellsTheWholeShareAndThatNamesBecomePublic() {
    try (Fixture pipeline = new Fixture(FILE, state)) {
      pipeline.tick(2);
      users(pipeline, 3, "north", 1);
      pipeline.tick(12);
      SubjectRelease release =
          (SubjectRelease) Outputs.decodeAny(pipeline.records("places").get(0).value());
      assertThat(release.getThreshold()).isEqualTo(2);
      assertThat(release.getLow()).isLessThanOrEqualTo(3);
      assertThat(release.getHigh()).isEqualTo(3);
      assertThat(release.getGuarantee().getUnit()).isEqualTo("user");
      assertThat(release.getGuarantee().getEpsilon()).isEqualTo(400_000);
      assertThat(release.getGuarantee().getDelta()).isEqualTo(5e-7);
      assertThat(release.getGuarantee().getMechanism()).endsWith(" from-2");
      assertThat(release.getGuarantee().getAdmission())
          .isEqualTo("at most 40 releases, privacy loss distribution");
      assertThat(release.getGuarantee().getAdjacency())
          .endsWith("subjects that are published are public from the next window on");
    }
  }

  @Test
  void recordsOfNumbersAloneHaveUsersToo() {
    String file =
        FILE.replace("category: what, categories: [a, b]", "values: [x]")
            .replace(
                "count: { name: n, by: total,",
                "mean: { name: n, value: x, bounds: [0, 2], method: gaussian,");
    try (Fixture pipeline = new Fixture(file, state)) {
      pipeline.tick(2);
      for (String who : List.of("ann", "bob", "cy")) {
        pipeline.sendJson(1, "'who':'%s','ward':'north','x':1", who);
      }
      pipeline.tick(22);
      assertThat(found(pipeline)).containsExactly("north@0 3+", "north@10 0");
      assertThat(pipeline.records("n")).hasSize(1);
    }
  }

  @Test
  void anyNameThatIsASubjectIsFound() {
    List<String> names =
        List.of("\"", "a\"", "a\"b", "é", "日本", "\uD83D\uDE00", "x".repeat(256), "\"}{");
    try (Fixture pipeline = new Fixture(FILE.replace("6, subjects: 6", "9, subjects: 9"), state)) {
      pipeline.tick(2);
      names.forEach(name -> users(pipeline, 3, name, 1));
      pipeline.tick(22);
      assertThat(
              pipeline.releases("places", SubjectRelease.class).stream()
                  .filter(SubjectRelease::getFound)
                  .map(SubjectRelease::getSubject))
          .containsExactlyInAnyOrderElementsOf(names);
      assertThat(pipeline.records("n")).hasSize(names.size());
    }
  }
}
