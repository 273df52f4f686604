package io.sfumato.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.pipeline.AbcSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Plan;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
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

  private static final long START = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();
  private static final long SIZE = 10_000;

  private static LogWriter writer(Pipeline pipeline) {
    return new LogWriter(pipeline, START + Duration.ofDays(1).toMillis());
  }

  private static void assertSameInAnySlices(Plan plan, AuditLog log) {
    Replay replay = new Replay(plan, Path.of("target", "audited"));
    Run whole = replay.run(log, Cuts.whole());
    assertThat(whole.draws()).isNotEmpty();
    for (int seed = 0; seed < 20; seed++) {
      Comparison comparison =
          new Comparison(
              plan.pipeline(), replay.schemas(), Change.none(), Comparison.Order.OF_EACH_DATASET);
      assertThat(comparison.of(whole, replay.run(log, Cuts.random(seed)))).isEmpty();
    }
  }

  /** The share has room for one query: that of the window without records is handed back. */
  @Test
  void aQueryOfAnEmptyWindowMakesRoomAsSoonAsTheWindowIsClosed() {
    Plan plan = Audited.plan(FILE);
    AbcSpec spec = plan.pipeline().queries().get(0);
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
    AbcSpec spec = plan.pipeline().queries().get(0);
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
    AbcSpec spec = plan.pipeline().queries().get(0);
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
    Run run = new Replay(plan, Path.of("target", "audited")).run(log.log(), Cuts.whole());
    assertThat(run.draws().values()).extracting(draw -> draw.id().subject()).containsExactly("bob");
  }
}
