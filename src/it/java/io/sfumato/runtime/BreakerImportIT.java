package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sfumato.ledger.LedgerFile;
import io.sfumato.ledger.LedgerImport;
import io.sfumato.pipeline.Plan;
import io.sfumato.topology.LedgerImage;
import io.sfumato.topology.Names;
import io.sfumato.topology.PipelineMeters;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ledger is imported into a budget whose pipeline runs already, and has read nothing yet. */
class BreakerImportIT {
  private static final long BASE = Instant.parse("2026-06-01T00:00:00Z").toEpochMilli();
  @TempDir static Path folder;
  private static TestCluster cluster;

  @BeforeAll
  static void start() {
    cluster = new TestCluster(folder.resolve("broker"));
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static String yaml(String name) {
    return """
        pipeline: %s
        input: { topic: %s-in, subject: who, time: at, category: what, categories: [a, b] }
        window: { size: 10s }
        budget: { name: %s, unit: record, epsilon: 2, delta: 1e-6 }
        releases:
          - histogram: { name: %s-mix, method: laplace, share: { epsilon: 2, delta: 1e-6, ledger: mix }, windows: 4 }
        """
        .formatted(name, name, name, name);
  }

  private static KafkaSettings settings() throws RefusedException {
    return TestCluster.settings(cluster.servers(), Map.of("session.timeout.ms", "6000"));
  }

  /** As 'sfumato run' does. */
  private static PipelineRun run(Plan plan, String state) throws RefusedException {
    try (Cluster admin = new Cluster(settings())) {
      TestCluster.prepare(settings(), plan);
      var ready = TestCluster.ready(plan, settings(), admin, 1);
      String key = TestCluster.deployment(1, PipelineMeters.none()).noiseKey().tag();
      io.sfumato.ledger.Continuity.enter(ready, settings(), admin, key);
    }
    return PipelineRun.start(
        plan,
        TestCluster.deployment(1, PipelineMeters.none()),
        new PipelineRun.Instance(settings(), folder.resolve(state), 1, 0));
  }

  @Test
  void whoHasNothingLeftGetsNothingMore() throws Exception {
    // Ann has spent all four windows in the budget 'before'.
    LedgerImage image = LedgerImage.of(TestCluster.plan(yaml("before")), BASE);
    LedgerImage.Line ann =
        new LedgerImage.Line(0, "mix", "ann", new TreeMap<>(Map.of(0, 4L)), false);
    LedgerFile file =
        LedgerFile.write(
            folder.resolve("before.ledger"), "before", image, reader -> reader.accept(ann));
    cluster.createTopic("after-in", 1);
    Plan plan = TestCluster.plan(yaml("after"));
    try (PipelineRun run = run(plan, "after")) {
      assertThat(run.awaitRunning(TestCluster.PATIENCE)).isTrue();
      String outcome;
      try {
        outcome = new LedgerImport(plan, settings(), Cluster.Safety.WAIVED).importFrom(file).name();
      } catch (RefusedException e) {
        outcome = e.getMessage();
      }
      System.out.println("IMPORT SAYS: " + outcome);
      try (var producer = cluster.producer()) {
        for (int window = 0; window < 6; window++) {
          long time = BASE + window * 10_000L;
          producer.send(TestCluster.event("after-in", 0, BASE, "ann", time, "a"));
        }
      }
      await()
          .atMost(TestCluster.PATIENCE)
          .until(
              () ->
                  cluster.committed("after-mix").size() + cluster.committed("after-refusals").size()
                      >= 4);
      System.out.println("RELEASED OF ANN: " + cluster.committed("after-mix").size());
      System.out.println("REFUSED OF ANN: " + cluster.committed("after-refusals").size());
      System.out.println("FAILURE: " + run.failure());
      for (var record :
          cluster.committed(Names.changelogTopic("sfumato-after", LedgerImage.LEDGERS))) {
        System.out.println(
            "LEDGER ROW: " + LedgerImage.Line.of(record.key(), record.value()).charges());
      }
      if (outcome.equals("IMPORTED")) {
        assertThat(cluster.committed("after-mix")).as("ann had nothing left").isEmpty();
      }
    }
  }
}
