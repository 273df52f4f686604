// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.ops.RunningCounts;
import io.sfumato.release.Plan;
import io.sfumato.topology.context.Names;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Records that producers stamp ahead of brokers that give new topics a bound of an hour. */
@ExtendWith(SharedBroker.class)
class TimestampsIT {
  private static final String AFTER = "message.timestamp.after.max.ms";
  private static final String YAML =
      """
      pipeline: ahead
      input: { topic: ahead-in, subject: who, time: at, category: what, categories: [a, b] }
      window: { size: 10s }
      budget: { name: ahead, unit: record, epsilon: 2, delta: 1e-6, period: window }
      releases:
        - histogram: { name: ahead-mix, share: { epsilon: 2, delta: 1e-6 } }
      """;

  @TempDir static Path folder;
  private static TestCluster cluster;

  @BeforeAll
  static void start(TestCluster shared) throws Exception {
    cluster = shared;
  }

  private static void create(String topic, long after, String policy) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.servers()))) {
      TestCluster.create(
          admin,
          List.of(
              new NewTopic(topic, 1, (short) 1)
                  .configs(Map.of(AFTER, Long.toString(after), "cleanup.policy", policy))));
    }
  }

  @Test
  void whatIsReadCanBeWritten() throws Exception {
    Plan plan = TestCluster.plan(YAML);
    String changelog = Names.changelogTopics(plan.pipeline()).get(0);
    long hour = Duration.ofHours(1).toMillis();
    create("ahead-in", Duration.ofDays(1).toMillis(), "delete");
    create("ahead-mix", hour, "delete");
    KafkaSettings settings =
        TestCluster.settings(cluster.servers(), Map.of("session.timeout.ms", "6000"));
    TestCluster.prepare(settings, plan);
    // With what brokers give new topics.
    create(changelog, hour, "compact");
    ClusterCalls calls;
    try (Cluster admin = new Cluster(settings);
        Admin client = Admin.create(settings.admin())) {
      calls = new ClusterCalls(client, cluster.servers());
      assertThatThrownBy(
              () -> admin.safety().requireTimestamps(plan.pipeline(), Cluster.Safety.REQUIRED))
          .isInstanceOfSatisfying(
              RefusedException.class,
              refused -> assertThat(refused.code()).isEqualTo(ExitCode.REFUSED_CLUSTER))
          .hasMessageContaining("--topic ahead-mix --add-config " + AFTER + "=" + Long.MAX_VALUE)
          .hasMessageNotContaining(changelog);
      assertThat(calls.settings(changelog).get(AFTER).value())
          .as("an own topic is set right")
          .isEqualTo(Long.toString(Long.MAX_VALUE));
      assertThat(admin.safety().requireTimestamps(plan.pipeline(), Cluster.Safety.WAIVED))
          .isPresent();
      calls.set("ahead-mix", Map.of(AFTER, Long.toString(Long.MAX_VALUE)));
      assertThat(admin.safety().requireTimestamps(plan.pipeline(), Cluster.Safety.REQUIRED))
          .isEmpty();
    }
    long now = System.currentTimeMillis();
    long ahead = now + Duration.ofHours(20).toMillis();
    try (PipelineRun run =
            PipelineRun.start(
                plan,
                TestCluster.deployment(plan, 1, new RunningCounts()),
                new PipelineRun.Instance(settings, folder.resolve("state"), 1, 0));
        var producer = cluster.producer()) {
      producer.send(TestCluster.event("ahead-in", 0, now, "ann", now, "a"));
      producer.send(TestCluster.event("ahead-in", 0, ahead, "eve", ahead, "a"));
      producer.flush();
      await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> cluster.committed("ahead-mix").size() == 1 || run.failure().isPresent());
      assertThat(run.failure()).isEmpty();
      assertThat(cluster.committed("ahead-mix").get(0).timestamp()).isEqualTo(ahead);
    }
  }
}
