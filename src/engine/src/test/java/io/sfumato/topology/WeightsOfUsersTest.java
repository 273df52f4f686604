// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.release.Plan;
import io.sfumato.serde.JournalEntry.Contribution;
import io.sfumato.topology.context.PipelineStopException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A record of weight w counts as w records of its category. There is so much budget that the noise
 * is 0 but for a chance below 1e-200.
 */
class WeightsOfUsersTest {
  private static final String FILE =
      """
      pipeline: test
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b], weight: minutes }
      contributions: { per-window: 50, subjects: 2, left-out: 30, max-weight: 90 }
      subjects: [north, south]
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 900000, delta: 1e-6, period: lifetime }
      releases:
        - count: { name: n, share: { epsilon: 450000, delta: 4e-7 }, windows: 2 }
        - count: { name: lost, by: left-out, share: { epsilon: 450000, delta: 4e-7 }, windows: 2 }
      """;

  @TempDir Path state;

  private static void send(Fixture pipeline, String who, String ward, String what, String minutes) {
    pipeline.sendJson(
        1,
        "'who':'%s','ward':'%s','what':'%s'%s",
        who,
        ward,
        what,
        minutes.isEmpty() ? "" : ",\"minutes\":" + minutes);
  }

  @Test
  void shouldCountWholeUnitsOfWeight() {
    try (Fixture pipeline = new Fixture(FILE, state)) {
      send(pipeline, "ann", "north", "a", "12");
      send(pipeline, "ann", "north", "b", "7.99");
      send(pipeline, "ann", "south", "b", "\"3\"");
      send(pipeline, "bob", "north", "b", "1");
      pipeline.tick(12);
      assertThat(pipeline.counts("n")).containsExactly("north [12, 8]", "south [0, 3]");
      assertThat(pipeline.counts("lost")).containsExactly("north [0]", "south [0]");
      assertThat(pipeline.counts.seen).as("records").containsEntry("accepted", 4);
    }
  }

  /** However much one record weighs, of a user and window no more counts than the file says. */
  @Test
  void shouldCutWeights() {
    try (Fixture pipeline = new Fixture(FILE, state)) {
      send(pipeline, "ann", "north", "a", "1e12");
      send(pipeline, "ann", "north", "a", "40");
      send(pipeline, "bob", "south", "b", "60");
      assertThat(pipeline.contributions()).as("90, 40 and 60").hasSize(190);
      pipeline.tick(12);
      assertThat(pipeline.counts("n")).containsExactly("north [50, 0]", "south [0, 50]");
      assertThat(pipeline.counts("lost")).containsExactly("north [30]", "south [10]");
    }
  }

  @Test
  void shouldBuryARecordWithoutAUsableWeight() {
    try (Fixture pipeline = new Fixture(FILE, state)) {
      for (String none : List.of("", "0", "0.99", "-5", "null", "\"many\"", "1e13", "\"NaN\"")) {
        send(pipeline, "ann", "north", "a", none);
      }
      pipeline.tick(12);
      assertThat(pipeline.deadLetters())
          .hasSize(8)
          .allMatch(letter -> letter.endsWith(":BAD_VALUE"));
      assertThat(pipeline.counts("n")).containsExactly("north [0, 0]", "south [0, 0]");
    }
  }

  /** A weight of 1 is a record like any other: files without weights rank as they did. */
  @Test
  void shouldRankUnitsByTheirPlaces() {
    List<Contribution> plain;
    String without = FILE.replace(", weight: minutes", "").replace(", max-weight: 90", "");
    try (Fixture pipeline = new Fixture(without, state.resolve("plain"))) {
      send(pipeline, "ann", "north", "b", "1");
      send(pipeline, "ann", "north", "a", "1");
      plain = pipeline.contributions();
    }
    try (Fixture pipeline = new Fixture(FILE, state.resolve("weighed"))) {
      send(pipeline, "ann", "north", "b", "1");
      send(pipeline, "ann", "north", "a", "4");
      List<Contribution> units = pipeline.contributions();
      assertThat(units).hasSize(5).startsWith(plain.toArray(Contribution[]::new));
      assertThat(units.stream().map(Contribution::rank)).doesNotHaveDuplicates();
    }
  }

  /** Half of a window's records would have counted as one, and half as many; or the other way. */
  @Test
  void shouldNeitherTakeUpWeightsNorDropThemInALaterVersion() {
    String without = FILE.replace(", weight: minutes", "").replace(", max-weight: 90", "");
    for (List<String> change : List.of(List.of(FILE, without), List.of(without, FILE))) {
      Plan before = Fixture.plan(change.get(0));
      Plan after = Fixture.plan("version: 2\n" + change.get(1));
      assertThatThrownBy(() -> Fixture.takeOver(before, after))
          .isInstanceOf(PipelineStopException.class)
          .hasMessageContaining("input.weight: the state was made with")
          .hasMessageContaining("sfumato ledger export");
    }
  }
}
