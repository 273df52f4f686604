// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sfumato.release.Plan;
import io.sfumato.schema.AbcCandidate;
import io.sfumato.schema.AbcDecision;
import io.sfumato.schema.ControlCommand;
import io.sfumato.schema.ControlEntry;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.context.PipelineMeters;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A version that is the first of its pipeline to answer queries takes over, on the same disk. */
@ExtendWith(SharedBroker.class)
class FirstQueriesIT {
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();

  private static final String FIRST =
      """
      pipeline: grow
      version: 1
      input: { topic: grow-in, subject: who, time: at, category: what, categories: [a, b] }
      window: { size: 10s }
      budget: { name: grow, unit: record, epsilon: 4, delta: 1e-5 }
      releases:
        - histogram: { name: grow-mix, method: laplace, share: { epsilon: 1, delta: 1e-6 }, windows: 4 }
      """;

  private static final String SECOND =
      FIRST.replace("version: 1", "version: 2")
          + "  - abc: { name: grow-coin, threshold: 0.3, share: { epsilon: 0.5, delta: 2e-7 }, queries: 2 }\n";

  @TempDir static Path folder;

  private static KafkaSettings settings(TestCluster cluster) throws RefusedException {
    return TestCluster.settings(cluster.servers(), Map.of("session.timeout.ms", "6000"));
  }

  private static PipelineRun run(TestCluster cluster, Plan plan) throws RefusedException {
    TestCluster.prepare(settings(cluster), plan);
    return PipelineRun.start(
        plan,
        TestCluster.deployment(plan, 1, PipelineMeters.none()),
        new PipelineRun.Instance(settings(cluster), folder.resolve("state"), 1, 0));
  }

  private static boolean mayRun(TestCluster cluster, Plan plan) {
    try (Cluster admin = new Cluster(settings(cluster))) {
      TestCluster.require(plan, settings(cluster), admin, 1);
      return true;
    } catch (RefusedException e) {
      return false;
    }
  }

  private static void send(TestCluster cluster, String topic, SpecificRecord value)
      throws Exception {
    try (var producer = cluster.producer()) {
      producer.send(new ProducerRecord<>(topic, 0, new byte[0], Outputs.encode(value))).get();
    }
  }

  private static void record(TestCluster cluster, int window) throws Exception {
    try (var producer = cluster.producer()) {
      long time = BASE + window * 10_000L;
      producer.send(TestCluster.event("grow-in", 0, BASE, "ann", time, "a")).get();
    }
  }

  private static ControlEntry activation(Plan next) {
    return ControlEntry.newBuilder()
        .setCommand(ControlCommand.ACTIVATE)
        .setBudget("grow")
        .setVersion(2)
        .setFrom(Instant.ofEpochMilli(BASE + 20_000))
        .setDigest(next.digestText())
        .setNoiseKey(TestCluster.key().tag())
        .build();
  }

  private static AbcCandidate candidate() {
    return AbcCandidate.newBuilder()
        .setOutput("grow-coin")
        .setQueryId("q")
        .setCandidate(0)
        .setCandidates(1)
        .setSubject("ann")
        .setWindowStart(Instant.ofEpochMilli(BASE + 20_000))
        .setParameters(List.of())
        .setCounts(List.of(1L, 1L))
        .build();
  }

  @Test
  void aVersionThatIsTheFirstToAnswerTakesOver(TestCluster cluster) throws Exception {
    cluster.createTopic("grow-in", 1);
    Plan first = TestCluster.plan(FIRST);
    Plan second = TestCluster.plan(SECOND);
    try (Cluster admin = new Cluster(settings(cluster))) {
      admin.pipelineTopics().prepare(first, Cluster.Safety.WAIVED);
    }
    try (PipelineRun run = run(cluster, first)) {
      for (int window = 0; window < 3; window++) {
        record(cluster, window);
      }
      await().atMost(TestCluster.PATIENCE).until(() -> cluster.committed("grow-mix").size() == 2);
      send(cluster, "grow-control", activation(second));
      await().atMost(TestCluster.PATIENCE).until(() -> mayRun(cluster, second));
      assertThat(run.failure()).isEmpty();
    }
    try (PipelineRun run = run(cluster, second)) {
      send(cluster, "grow-candidates", candidate());
      record(cluster, 3);
      await().atMost(TestCluster.PATIENCE).until(() -> cluster.committed("grow-coin").size() == 1);
      assertThat(run.failure()).isEmpty();
    }
    AbcDecision decision =
        (AbcDecision) Outputs.decodeAny(cluster.committed("grow-coin").get(0).value());
    assertThat(decision.getGuarantee().getPipelineVersion()).isEqualTo(2);
    assertThat(cluster.committed("grow-mix")).hasSize(3);
  }
}
