// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.release.Plan;
import io.sfumato.topology.context.PipelineMeters;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Time;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Records arrive again that the state has read. */
@ExtendWith(SharedBroker.class)
class StaleOffsetsIT {
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();
  private static final TopicPartition RECORDS = new TopicPartition("stale-offsets-in", 0);
  private static final String OUTPUT = "stale-offsets-mix";

  @TempDir Path folder;

  /** Its consumer goes back to the first record, once, when it is told to. */
  private static final class GoingBack extends FencingClients {
    private final AtomicBoolean told = new AtomicBoolean();

    @Override
    Consumer<byte[], byte[]> newMember(Map<String, Object> config) {
      return new FreshConsumer(config) {
        @Override
        public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
          if (assignment().contains(RECORDS) && told.compareAndSet(true, false)) {
            seek(RECORDS, 0);
          }
          return super.poll(timeout);
        }
      };
    }
  }

  private static void window(TestCluster cluster, int window) throws Exception {
    long time = BASE + window * 10_000L;
    try (var producer = cluster.producer()) {
      for (String subject : List.of("ann", "bob")) {
        producer.send(TestCluster.event(RECORDS.topic(), 0, BASE, subject, time, "a"));
      }
      producer.send(TestCluster.tick("stale-offsets", RECORDS.topic(), 0, BASE, time + 10_000));
    }
  }

  @Test
  void shouldGoOnWhereOnlyAConsumerHasGoneBackAndStopWhereTheGroupHas(TestCluster cluster)
      throws Exception {
    Plan plan = TestCluster.plan(HistogramFile.perWindow("stale-offsets"));
    cluster.createTopic(RECORDS.topic(), 1);
    Instances instances = new Instances(cluster, folder);
    TestCluster.prepare(instances.settings(), plan);
    GoingBack clients = new GoingBack();
    window(cluster, 0);
    try (PipelineRun run =
        PipelineRun.start(
            plan,
            TestCluster.deployment(plan, 1, PipelineMeters.none()),
            new PipelineRun.Instance(instances.settings(), folder.resolve("state"), 1, 0),
            clients,
            Time.SYSTEM)) {
      await().until(() -> run.failure().isPresent() || cluster.count(OUTPUT) == 2);
      clients.told.set(true);
      await().until(() -> run.failure().isPresent() || !clients.told.get());
      window(cluster, 1);
      await().until(() -> run.failure().isPresent() || cluster.count(OUTPUT) == 4);
      assertThat(run.failure()).isEmpty();
    }
    try (Cluster admin = new Cluster(instances.settings())) {
      await().until(() -> !admin.groups().hasMembers(plan.pipeline().applicationId()));
      admin.offsets(plan.pipeline()).set(Map.of(RECORDS, 0L));
    }
    try (PipelineRun run = instances.start(plan, "state")) {
      assertThat(run.awaitEnd(TestCluster.PATIENCE)).isTrue();
      assertThat(run.failure().orElseThrow())
          .hasMessageContaining(RECORDS + " was read up to offset")
          .hasMessageContaining("offsets FILE --restore");
    }
    assertThat(cluster.count(OUTPUT)).isEqualTo(4);
  }
}
