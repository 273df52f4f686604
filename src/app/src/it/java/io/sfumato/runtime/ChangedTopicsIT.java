// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.sfumato.ledger.LedgerExport;
import io.sfumato.ledger.LedgerExport.Unreleased;
import io.sfumato.ledger.LedgerFile;
import io.sfumato.ledger.LedgerImport;
import io.sfumato.release.Plan;
import io.sfumato.schema.DirichletRelease;
import io.sfumato.serde.Outputs;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Topics that change under a running pipeline stop it with the reason, within seconds. */
@Tag("cluster")
// Its tests mostly wait, so they run side by side.
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(SharedBroker.class)
class ChangedTopicsIT {
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();

  @TempDir static Path folder;
  private static TestCluster cluster;

  @BeforeAll
  static void connect(TestCluster shared) {
    cluster = shared;
  }

  /** A pipeline that has released its first window and goes on. */
  private static PipelineRun released(String name) throws Exception {
    cluster.createTopic(name + "-in", 1);
    Plan plan = TestCluster.plan(HistogramFile.lifetime(name, 4));
    PipelineRun run = new Instances(cluster, folder).startIfAllowed(plan, name);
    try (var producer = cluster.producer()) {
      for (int window = 0; window < 2; window++) {
        long time = BASE + window * 10_000L;
        producer.send(TestCluster.event(name + "-in", 0, BASE, "ann", time, "a"));
      }
    }
    cluster.awaitCount(name + "-mix", 1, run);
    return run;
  }

  private static void assertStops(PipelineRun run, ExitCode code, String... words)
      throws Exception {
    assertThat(run.awaitEnd(TestCluster.PATIENCE)).isTrue();
    RefusedException reason = run.failure().orElseThrow();
    assertThat(reason.code()).isEqualTo(code);
    assertThat(reason.getMessage()).contains(words);
  }

  @ParameterizedTest
  @CsvSource({"journal-repartition, lost-journal", "ledger-store-changelog, lost-ledgers"})
  void shouldStopWhenATopicOfItsStateIsDeleted(String kind, String name) throws Exception {
    String topic = "sfumato-" + name + "-" + kind;
    try (PipelineRun run = released(name)) {
      cluster.deleteTopics(List.of(topic));
      assertStops(run, ExitCode.STOPPED, "state were deleted or created again", topic, "backup.md");
    }
  }

  /** Records of new partitions would be neither counted nor rejected. */
  @Test
  void shouldStopWhenTheRecordsTopicHasMorePartitions() throws Exception {
    try (PipelineRun run = released("widened");
        Admin admin = cluster.client()) {
      admin.createPartitions(Map.of("widened-in", NewPartitions.increaseTo(2))).all().get();
      assertStops(
          run,
          ExitCode.REFUSED_CLUSTER,
          "the records' topic widened-in has 2 partitions now",
          "sfumato ledger export");
    }
  }

  /** A thread that finds its records gone asks before the watch looks again. */
  @Test
  void shouldSeeADeletedTopicAtTheFirstLookOfAThreadThatMissesIt() throws Exception {
    Plan plan = TestCluster.plan(HistogramFile.lifetime("suspected", 4));
    cluster.createTopic("suspected-in", 1);
    try (TopicWatch watch =
        new TopicWatch(
            new Instances(cluster, folder).settings(),
            new ChangedTopics(plan.pipeline()),
            new Transactions(),
            why -> {})) {
      assertThat(watch.suspect()).isEmpty();
      // A look that the broker does not answer in time has seen nothing.
      Patiently.await().atMost(TestCluster.PATIENCE).until(() -> watch.hasSeen("suspected-in"));
      cluster.deleteTopics(List.of("suspected-in"));
      assertThat(
              Patiently.await()
                  .atMost(TestCluster.PATIENCE)
                  .until(watch::suspect, Optional::isPresent))
          .hasValueSatisfying(
              why -> assertThat(why).hasMessageContaining("suspected-in was deleted"));
    }
  }

  /**
   * The way forward after more partitions: the ledger goes on under another name, open windows are
   * read again with the new partitions, and nobody regains budget.
   */
  @Test
  void shouldCountRecordsOfNewPartitionsWhenTheLedgerIsCarriedOver() throws Exception {
    Plan old = TestCluster.plan(HistogramFile.lifetime("grown", 4));
    Instances instances = new Instances(cluster, folder);
    try (PipelineRun run = released("grown");
        Admin admin = cluster.client();
        var producer = cluster.producer()) {
      admin.createPartitions(Map.of("grown-in", NewPartitions.increaseTo(2))).all().get();
      assertThat(run.awaitEnd(TestCluster.PATIENCE)).isTrue();
      producer.send(TestCluster.event("grown-in", 1, BASE, "ann", BASE + 11_000, "b")).get();
    }
    LedgerFile ledger =
        new LedgerExport(old.pipeline(), instances.settings(), TestCluster.key(), line -> {})
            .export(folder.resolve("grown.ledger"), Unreleased.ABANDON, TestCluster.PATIENCE);
    Plan next =
        TestCluster.plan(
            HistogramFile.lifetime("grown-2", 4).replace("topic: grown-2-in", "topic: grown-in"));
    new LedgerImport(next, instances.settings(), TestCluster.key(), Cluster.Safety.WAIVED)
        .importFrom(ledger);
    try (PipelineRun run = instances.withPartitions(2).startIfAllowed(next, "grown-2");
        var producer = cluster.producer()) {
      for (int partition = 0; partition < 2; partition++) {
        for (int window = 2; window < 6; window++) {
          long time = BASE + window * 10_000L;
          producer.send(TestCluster.event("grown-in", partition, BASE, "ann", time, "a"));
        }
      }
      cluster.awaitCount("grown-2-mix", 3, run);
      cluster.awaitCount("grown-2-refusals", 1, run);
      assertThat(run.failure()).isEmpty();
    }
    assertThat(cluster.committed("grown-2-mix"))
        .extracting(row -> Outputs.decodeRelease(row.value()))
        .extracting(DirichletRelease::getWindowStart, DirichletRelease::getRecords)
        .as("window 1 with the record of the new partition; window 0 was released before")
        .containsExactly(
            tuple(Instant.ofEpochMilli(BASE + 10_000), 2L),
            tuple(Instant.ofEpochMilli(BASE + 20_000), 2L),
            tuple(Instant.ofEpochMilli(BASE + 30_000), 2L));
  }

  private static void set(String topic, String setting, String value) throws Exception {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    AlterConfigOp change =
        new AlterConfigOp(new ConfigEntry(setting, value), AlterConfigOp.OpType.SET);
    try (Admin admin = cluster.client()) {
      admin.incrementalAlterConfigs(Map.of(resource, List.of(change))).all().get();
    }
  }

  /** Brokers would delete ledgers, and tell nobody. */
  @Test
  void shouldStopWhenAChangelogIsNoLongerCompactedAlone() throws Exception {
    String ledgers = "sfumato-expiring-ledger-store-changelog";
    try (PipelineRun run = released("expiring")) {
      assertThat(run.unsafeSettings()).isZero();
      set(ledgers, "cleanup.policy", "compact,delete");
      assertStops(
          run,
          ExitCode.STOPPED,
          "topic '" + ledgers + "' has cleanup.policy=",
          "which gives back spent budget",
          "--topic " + ledgers + " --add-config cleanup.policy=compact");
    }
    assertThatThrownBy(
            () ->
                new Instances(cluster, folder)
                    .start(TestCluster.plan(HistogramFile.lifetime("expiring", 4)), "again"))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("would delete its state")
        .hasMessageContaining("--add-config cleanup.policy=compact");
  }

  @Test
  void shouldCountASettingAndGoOnWhenItMayLoseSomethingLater() throws Exception {
    String journal = "sfumato-shortened-journal-repartition";
    try (PipelineRun run = released("shortened")) {
      set(journal, "retention.ms", "604800000");
      Patiently.await().atMost(TestCluster.PATIENCE).until(() -> run.unsafeSettings() == 1);
      set(journal, "retention.ms", "-1");
      Patiently.await().atMost(TestCluster.PATIENCE).until(() -> run.unsafeSettings() == 0);
      assertThat(run.failure()).isEmpty();
    }
  }
}
