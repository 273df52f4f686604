// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.Plan;
import io.sfumato.release.abc.AbcSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of queries does not depend on how far the slices of closed windows are. */
class QueriesInSlicesTest {
  private static final String FILE =
      """
      pipeline: test
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c] }
      window: { size: 10s }
      budget: { name: test, unit: record, epsilon: 2, delta: 1e-6 }
      releases:
        - abc: { name: ask, method: soft, threshold: 0.4, share: { epsilon: 2, delta: 1e-6 }, queries: 1, candidates: 4 }
      """;

  private static final String FILE_WITH_RELEASES =
      FILE.replace("epsilon: 2, delta: 1e-6 }\nreleases:", "epsilon: 9, delta: 1e-5 }\nreleases:")
              .replace("queries: 1, candidates", "queries: 4, candidates")
          + "  - histogram: { name: mix, share: { epsilon: 2, delta: 1e-6 }, windows: 9 }\n";

  private static final long START = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();
  private static final long SIZE = 10_000;

  private static LogWriter writer(Pipeline pipeline) {
    return new LogWriter(pipeline, START + Duration.ofDays(1).toMillis());
  }

  private static void assertSameInAnySlices(Plan plan, AuditLog log) {
    Replay replay = new Replay(plan, Path.of("target", "audited"));
    Run whole = replay.run(log, SliceSchedule.whole());
    assertThat(whole.draws()).isNotEmpty();
    for (int seed = 0; seed < 20; seed++) {
      Comparison comparison =
          new Comparison(
              plan.pipeline(), replay.schemas(), Change.none(), Comparison.Order.OF_EACH_DATASET);
      assertThat(comparison.of(whole, replay.run(log, SliceSchedule.random(seed)))).isEmpty();
    }
  }

  /** The share has room for one query: that of the window without records is handed back. */
  @Test
  void aQueryOfAnEmptyWindowMakesRoomAsSoonAsTheWindowIsClosed() {
    Plan plan = Audited.plan(FILE);
    AbcSpec spec = AbcSpec.of(plan.pipeline()).get(0);
    LogWriter log = writer(plan.pipeline());
    log.record("bob", "bob", START, 0);
    log.ask(spec, "first", 0, 1, "ann", START, 0);
    log.record("ann", "ann", START + SIZE, 1);
    log.ask(spec, "second", 0, 1, "ann", START + SIZE, 0);
    log.tick(START + 2 * SIZE);
    assertSameInAnySlices(plan, log.log());
  }

  /** The same id for another window: a new query once the first has come to nothing. */
  @Test
  void anIdIsFreeAgainAsSoonAsItsWindowTurnsOutToBeEmpty() {
    Plan plan = Audited.plan(FILE);
    AbcSpec spec = AbcSpec.of(plan.pipeline()).get(0);
    LogWriter log = writer(plan.pipeline());
    log.record("bob", "bob", START, 0);
    log.ask(spec, "q", 0, 1, "ann", START, 0);
    log.record("ann", "ann", START + SIZE, 1);
    log.tick(START + 2 * SIZE);
    log.ask(spec, "q", 0, 1, "ann", START + SIZE, 0);
    assertSameInAnySlices(plan, log.log());
  }

  /** She left while her window was open: however far the slices are, nothing is said of her. */
  @Test
  void whoLeavesWhileACandidateWaitsIsNotAnsweredFor() {
    Plan plan = Audited.plan(FILE + "subjects: roster\n");
    AbcSpec spec = AbcSpec.of(plan.pipeline()).get(0);
    LogWriter log = writer(plan.pipeline());
    log.enrol("ann", START);
    log.enrol("bob", START);
    log.record("ann", "ann", START, 0);
    log.record("bob", "bob", START, 1);
    log.ask(spec, "q", 0, 2, "ann", START, 0);
    log.ask(spec, "q", 0, 1, "bob", START, 0);
    log.leave("ann", START);
    log.tick(START + SIZE);
    log.ask(spec, "q", 1, 2, "ann", START, 0);
    assertSameInAnySlices(plan, log.log());
    Run run = new Replay(plan, Path.of("target", "audited")).run(log.log(), SliceSchedule.whole());
    assertThat(run.draws().values()).extracting(draw -> draw.id().subject()).containsExactly("bob");
  }

  /**
   * She is forgotten while much is left to release: what is hers is released, and asked no more.
   */
  @Test
  void whoIsForgottenIsReleasedAndAnswersNoMore() {
    Plan plan = Audited.plan(FILE_WITH_RELEASES);
    AbcSpec spec = AbcSpec.of(plan.pipeline()).get(0);
    LogWriter log = writer(plan.pipeline());
    for (int window = 0; window < 3; window++) {
      for (String who : List.of("ann", "bob", "eve", "gus")) {
        log.record(who, who, START + window * SIZE, window);
        log.ask(spec, "q" + window, 0, 2, who, START + window * SIZE, 0);
      }
    }
    log.tick(START + 2 * SIZE);
    log.forget("ann");
    log.ask(spec, "q0", 1, 2, "ann", START, 0);
    log.ask(spec, "q2", 1, 2, "ann", START + 2 * SIZE, 0);
    log.forget("bob");
    log.tick(START + 3 * SIZE);
    log.ask(spec, "q1", 1, 2, "bob", START + SIZE, 0);
    assertSameInAnySlices(plan, log.log());
    Run run = new Replay(plan, Path.of("target", "audited")).run(log.log(), SliceSchedule.whole());
    assertThat(run.draws().values())
        .extracting(draw -> draw.id().output() + "/" + draw.id().subject())
        .filteredOn(id -> id.endsWith("/ann"))
        .as("two closed windows are released, each was asked once; the open one is gone")
        .containsExactlyInAnyOrder("mix/ann", "mix/ann", "ask/q0/ann", "ask/q1/ann");
  }

  /** Entries lie a second apart: some expire, the others are answered, whoever does it when. */
  @Test
  void whatWaitsTooLongIsRefusedHoweverFarTheSlicesAre() {
    Plan plan =
        Audited.plan(
            FILE_WITH_RELEASES.replace("candidates: 4", "candidates: 4, waiting: { time: 4s }"));
    AbcSpec spec = AbcSpec.of(plan.pipeline()).get(0);
    LogWriter log = writer(plan.pipeline());
    for (int window = 0; window < 6; window++) {
      String who = window % 2 == 0 ? "ann" : "bob";
      log.record(who, who, START + (window + 1) * SIZE, window % 3);
      log.ask(spec, "q" + window, 0, 2, who, START + (window + 1) * SIZE, 0);
      log.ask(spec, "r" + window, 1, 2, who, START + (window + 3) * SIZE, 0);
      log.tick(START + (window + 1) * SIZE);
    }
    log.tick(START + 10 * SIZE);
    assertSameInAnySlices(plan, log.log());
  }
}
