// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.devcluster.ForkedCluster;
import io.sfumato.doctor.Doctor;
import io.sfumato.doctor.Finding;
import io.sfumato.ledger.LedgerExport;
import io.sfumato.ledger.LedgerExport.Unreleased;
import io.sfumato.ledger.LedgerFile;
import io.sfumato.ledger.Registry;
import io.sfumato.release.Plan;
import io.sfumato.topology.LedgerImage;
import io.sfumato.topology.context.Names;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.KafkaStreams;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A coordinator that has ended a transaction, and wrote no marker into its partition: the test
 * writes that end into the coordinator's log, and starts the broker again.
 */
@Tag("cluster")
class HangingTransactionIT {
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();

  @TempDir Path folder;

  @Test
  void shouldTellATransactionThatHangsFromOneThatIsOpen() throws Exception {
    ForkedCluster brokers = ForkedCluster.start(folder.resolve("brokers"), 1, ForkArchive.here());
    try (brokers;
        TestCluster cluster = new TestCluster(brokers)) {
      cluster.createTopic("hung-in", 1);
      Plan plan = TestCluster.plan(HistogramFile.lifetime("hung", 4));
      KafkaSettings settings = TestCluster.settings(cluster.servers(), Map.of());
      TestCluster.prepare(settings, plan);
      try (KafkaProducer<byte[], byte[]> left = HungTransaction.producer(plan, settings, "left");
          KafkaProducer<byte[], byte[]> open = HungTransaction.producer(plan, settings, "open")) {
        HungTransaction.begin(left, "hung-mix");
        HungTransaction.begin(open, "hung-refusals");
        assertThat(hanging(plan, settings)).as("both are open").isEmpty();
        HungTransaction.end(
            brokers, cluster, TransactionalIds.of(plan.pipeline().applicationId(), "left"));
        assertThat(hanging(plan, settings)).containsExactly(new TopicPartition("hung-mix", 0));
        List<Finding> findings = new Doctor(plan, settings).examineCluster();
        assertThat(findings)
            .filteredOn(found -> found.subject().equals("hung-mix"))
            .filteredOn(found -> found.found().contains("transaction"))
            .singleElement()
            .satisfies(
                found -> {
                  assertThat(found.severity()).isEqualTo(Finding.Severity.PROBLEM);
                  assertThat(found.found())
                      .contains("a transaction hangs (partition 0", "CompleteCommit");
                  assertThat(found.fix()).startsWith("do not abort it");
                });
        assertThat(findings)
            .filteredOn(found -> found.subject().equals("hung-refusals"))
            .anyMatch(found -> found.found().contains("a transaction stays open"))
            .noneMatch(found -> found.found().contains("hangs"));
      }
    }
  }

  /** An instance that restores its state waits there, says for what, and its ledger goes on. */
  @Test
  void shouldSayWhatAPipelineWaitsForAndExportItsLedger() throws Exception {
    ForkedCluster brokers = ForkedCluster.start(folder.resolve("brokers"), 1, ForkArchive.here());
    try (brokers;
        CapturedLog log = new CapturedLog();
        TestCluster cluster = new TestCluster(brokers)) {
      Plan plan = TestCluster.plan(HistogramFile.lifetime("hung", 4));
      Instances instances = new Instances(cluster, folder.resolve("state"));
      release(plan, instances);
      String datasets = Names.changelogTopic(plan.pipeline().applicationId(), Names.DATASET_STORE);
      HungTransaction.make(brokers, cluster, plan, datasets);
      try (PipelineRun run = instances.start(plan, "after")) {
        Patiently.await()
            .atMost(TestCluster.PATIENCE)
            .until(
                () -> {
                  run.lookForHangingTransactions();
                  return run.failure().isPresent() || !run.hangingIn().isEmpty();
                });
        assertThat(run.failure()).isEmpty();
        assertThat(run.hangingIn()).containsExactly(datasets + "-0");
        assertThat(run.state()).isEqualTo(KafkaStreams.State.REBALANCING);
      }
      assertThat(log.lines())
          .filteredOn(line -> line.contains("hanging transactions in " + datasets + "-0"))
          .as("said once")
          .hasSize(1);
      assertThat(cluster.count("hung-mix")).isEqualTo(1);
      assertThat(export(plan, instances).path()).isNotEmptyFile();
    }
  }

  /** What is sealed can be read by nobody but an export, and that could not. */
  @Test
  void shouldNotSealALedgerThatCannotBeReadToItsEnd() throws Exception {
    ForkedCluster brokers = ForkedCluster.start(folder.resolve("brokers"), 1, ForkArchive.here());
    try (brokers;
        TestCluster cluster = new TestCluster(brokers)) {
      Plan plan = TestCluster.plan(HistogramFile.lifetime("hung", 4));
      Instances instances = new Instances(cluster, folder.resolve("state"));
      release(plan, instances);
      String ledgers = Names.changelogTopic(plan.pipeline().applicationId(), LedgerImage.LEDGERS);
      HungTransaction.make(brokers, cluster, plan, ledgers);
      assertThatThrownBy(() -> export(plan, instances))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("a transaction hangs in " + ledgers + "-0")
          .hasMessageContaining("nothing was sealed");
      try (Cluster admin = new Cluster(instances.settings())) {
        Registry registry =
            new Registry(instances.settings(), "hung", Optional.of(TestCluster.key()));
        assertThat(registry.read(admin).mine().sealed()).isEmpty();
      }
    }
  }

  /** One window, by an instance that has ended. */
  private static void release(Plan plan, Instances instances) throws Exception {
    instances.cluster().createTopic("hung-in", 1);
    try (PipelineRun run = instances.startIfAllowed(plan, "before");
        var records = instances.cluster().producer()) {
      records.send(TestCluster.event("hung-in", 0, BASE, "s", BASE, "a"));
      records.send(TestCluster.event("hung-in", 0, BASE, "s", BASE + 10_000, "a"));
      instances.cluster().awaitCount("hung-mix", 1, run);
      run.lookForHangingTransactions();
      assertThat(run.hangingIn()).isEmpty();
    }
  }

  private LedgerFile export(Plan plan, Instances instances) throws RefusedException {
    return new LedgerExport(plan.pipeline(), instances.settings(), TestCluster.key(), line -> {})
        .export(folder.resolve("hung.ledger"), Unreleased.ABANDON, TestCluster.PATIENCE);
  }

  private static Set<TopicPartition> hanging(Plan plan, KafkaSettings settings)
      throws RefusedException {
    try (Cluster admin = new Cluster(settings)) {
      Set<String> topics = new HashSet<>(OwnTopics.names(plan.pipeline()));
      topics.retainAll(admin.topics().names());
      Set<TopicPartition> all = new HashSet<>(admin.offsets().partitionsOf(List.copyOf(topics)));
      HangingTransactions.Answer answer =
          admin.hanging(plan.pipeline()).among(all, HangingTransactions.LONGEST);
      assertThat(answer.unread()).isEmpty();
      assertThat(answer.hasHiddenIds()).isFalse();
      Set<TopicPartition> hanging = new HashSet<>();
      answer.hanging().forEach(one -> hanging.add(one.partition()));
      return hanging;
    }
  }
}
