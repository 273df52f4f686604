// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.noise.Incarnation;
import io.sfumato.release.Plan;
import io.sfumato.schema.CountRelease;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry.Contribution;
import io.sfumato.serde.JournalEntry.Contributions;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.lineage.BudgetTerms;
import io.sfumato.topology.lineage.Identity;
import io.sfumato.topology.setting.Deployment;
import io.sfumato.topology.setting.PipelineMeters;
import io.sfumato.topology.setting.PipelineStopException;
import java.nio.charset.StandardCharsets;
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

  private static final Deployment DEPLOYMENT = Fixture.deployment(1, PipelineMeters.none());

  @TempDir Path state;

  private static void send(Fixture pipeline, String who, String ward, String what, String minutes) {
    pipeline.send(
        null,
        "{\"who\":\"%s\",\"ward\":\"%s\",\"at\":%d,\"what\":\"%s\"%s}"
            .formatted(
                who, ward, NOW + 1000, what, minutes.isEmpty() ? "" : ",\"minutes\":" + minutes)
            .getBytes(StandardCharsets.UTF_8));
  }

  private static List<String> shown(Fixture pipeline, String topic) {
    return pipeline.records(topic).stream()
        .map(record -> (CountRelease) Outputs.decodeAny(record.value()))
        .map(release -> release.getSubject() + " " + release.getCounts())
        .toList();
  }

  private static List<Contribution> journal(Fixture pipeline) {
    return pipeline.recordsSoFar("test-users-journal-repartition").stream()
        .map(entry -> JournalCodec.decode(entry.value()))
        .filter(Contributions.class::isInstance)
        .flatMap(entry -> ((Contributions) entry).records().stream())
        .toList();
  }

  @Test
  void shouldCountWholeUnitsOfWeight() {
    try (Fixture pipeline = new Fixture(FILE, state)) {
      send(pipeline, "ann", "north", "a", "12");
      send(pipeline, "ann", "north", "b", "7.99");
      send(pipeline, "ann", "south", "b", "\"3\"");
      send(pipeline, "bob", "north", "b", "1");
      pipeline.tick(12);
      assertThat(shown(pipeline, "n")).containsExactly("north [12, 8]", "south [0, 3]");
      assertThat(shown(pipeline, "lost")).containsExactly("north [0]", "south [0]");
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
      assertThat(journal(pipeline)).as("90, 40 and 60").hasSize(190);
      pipeline.tick(12);
      assertThat(shown(pipeline, "n")).containsExactly("north [50, 0]", "south [0, 50]");
      assertThat(shown(pipeline, "lost")).containsExactly("north [30]", "south [10]");
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
      assertThat(shown(pipeline, "n")).containsExactly("north [0, 0]", "south [0, 0]");
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
      plain = journal(pipeline);
    }
    try (Fixture pipeline = new Fixture(FILE, state.resolve("weighed"))) {
      send(pipeline, "ann", "north", "b", "1");
      send(pipeline, "ann", "north", "a", "4");
      List<Contribution> units = journal(pipeline);
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
      Identity mine =
          new Identity(
              new Incarnation(7, 7),
              Long.MIN_VALUE,
              Identity.Maker.of(before, DEPLOYMENT),
              BudgetTerms.of(before));
      assertThatThrownBy(() -> mine.takenOver(Identity.Maker.of(after, DEPLOYMENT), after, NOW))
          .isInstanceOf(PipelineStopException.class)
          .hasMessageContaining("input.weight: the state was made with")
          .hasMessageContaining("sfumato ledger export");
    }
  }
}
