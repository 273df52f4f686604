// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.release.Plan;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rosters of populations: the same log, cut into slices at every place, gives the same outputs. */
class RostersInSlicesTest {
  private static final long BEGIN = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();
  private static final long SIZE = 10_000;

  private static final String FILE =
      """
      pipeline: test
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
      contributions: { per-window: 2, subjects: 2 }
      subjects: roster
      window: { size: 10s, clock: ticks, begin: 2026-01-05 }
      budget: { name: test, unit: user, epsilon: 4, delta: 1e-6, period: lifetime }
      releases:
        - histogram: { name: mix, share: { epsilon: 2, delta: 5e-7 }, windows: 3 }
        - count: { name: n, running: 4, share: { epsilon: 2, delta: 5e-7 }, windows: 3 }
      """;

  /** Joins, leaves and comes back, before, within and behind windows' ends, among records. */
  private static AuditLog log(Plan plan, int users) {
    LogWriter log = new LogWriter(plan.pipeline(), BEGIN + Duration.ofDays(1).toMillis());
    log.enrol("north", BEGIN);
    for (int window = 0; window < 5; window++) {
      long start = BEGIN + window * SIZE;
      for (int user = 0; user < users; user++) {
        log.record("u" + user, user % 2 == 0 ? "north" : "south", start + user, user % 2);
        if (user == 1) {
          log.enrol("south", start);
        }
      }
      log.leave(window % 2 == 0 ? "south" : "north", start + SIZE);
      log.tick(start + SIZE);
      log.enrol(window % 2 == 0 ? "west" : "north", start);
      log.record("u0", "west", start + SIZE, 0);
      log.leave("west", start);
    }
    log.tick(BEGIN + 6 * SIZE);
    return log.log();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 6})
  void everyPlaceGivesTheSameOutputs(int users) {
    Plan plan = Audited.plan(FILE);
    AuditLog log = log(plan, users);
    Replay replay = new Replay(plan, Path.of("target", "audited"));
    Run whole = replay.run(log, SliceSchedule.whole());
    assertThat(whole.stopped()).isEmpty();
    assertThat(whole.draws()).isNotEmpty();
    Comparison comparison =
        new Comparison(plan.pipeline(), replay.schemas(), Change.none(), Comparison.Order.OF_ALL);
    int entries = log.entries().size();
    for (int place = 0; place < entries; place++) {
      assertThat(
              comparison.of(whole, replay.run(log, SliceSchedule.restingBetween(place, entries))))
          .as("nothing is done behind entry %d", place)
          .isEmpty();
      assertThat(comparison.of(whole, replay.run(log, SliceSchedule.restingBetween(0, place))))
          .as("nothing is done before entry %d", place)
          .isEmpty();
    }
  }

  /** More users change counts, never which outputs there are. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 70})
  void whichOutputsExistDoesNotDependOnUsers(int users) {
    Plan plan = Audited.plan(FILE);
    List<List<String>> existing = new ArrayList<>();
    for (int number : new int[] {2, users}) {
      Run run =
          new Replay(plan, Path.of("target", "audited"))
              .run(log(plan, number), SliceSchedule.random(5));
      existing.add(run.draws().keySet().stream().sorted().toList());
    }
    assertThat(existing.get(1))
        .filteredOn(id -> !id.contains("/south/"))
        .isEqualTo(existing.get(0).stream().filter(id -> !id.contains("/south/")).toList());
  }
}
