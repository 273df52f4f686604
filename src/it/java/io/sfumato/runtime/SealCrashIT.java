// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.ledger.LedgerExport;
import io.sfumato.ledger.LedgerFile;
import io.sfumato.mechanism.Histogram;
import io.sfumato.release.Plan;
import io.sfumato.schema.ControlCommand;
import io.sfumato.schema.ControlEntry;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.BrokenPlan;
import io.sfumato.topology.LedgerImage;
import io.sfumato.topology.StateReader;
import io.sfumato.topology.setting.Deployment;
import io.sfumato.topology.setting.Names;
import io.sfumato.topology.setting.PipelineMeters;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that ends while a ledger is being sealed: whoever starts it again releases the rest.
 */
@ExtendWith(SharedBroker.class)
class SealCrashIT {
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();
  private static final int PARTITIONS = 2;
  private static final int SUBJECTS = 20;

  @TempDir Path folder;

  /** A release that fails keeps one partition from being drained; the other one is. */
  @Test
  void shouldReleaseTheRestAfterACrashWhileALedgerIsSealed(TestCluster cluster) throws Exception {
    Plan plan =
        BrokenPlan.failingOn(
            TestCluster.plan(HistogramFile.lifetime("torn-seal", 4)), new Histogram(0, 1));
    cluster.createTopic("torn-seal-in", PARTITIONS);
    Instances instances = new Instances(cluster, folder).withPartitions(PARTITIONS);
    Deployment deployment = TestCluster.deployment(PARTITIONS, PipelineMeters.none());
    LedgerExport export =
        new LedgerExport(plan.pipeline(), instances.settings(), TestCluster.key(), line -> {});
    CompletableFuture<LedgerFile> exported;
    instances.requireAllowed(plan);
    try (PipelineRun run = instances.start(plan, deployment, "first")) {
      send(cluster);
      await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> deployment.holds().first(), Optional::isPresent);
      exported = CompletableFuture.supplyAsync(() -> export(export));
      await().atMost(TestCluster.PATIENCE).until(() -> drained(cluster) == 1);
      assertThat(run.failure()).isEmpty();
    }
    String tag = deployment.holds().first().orElseThrow();
    try (PipelineRun again = instances.start(plan, "second")) {
      assertThat(again.awaitRunning(TestCluster.PATIENCE)).isTrue();
      skip(cluster, tag);
      LedgerFile ledger = exported.get();
      assertThat(ledger.ledgers()).as("of every subject, the skipped one included").isPositive();
      assertThat(again.awaitEnd(TestCluster.PATIENCE)).as("it is sealed now").isTrue();
      assertThat(again.failure().orElseThrow()).hasMessageContaining("is sealed");
    }
    assertThat(cluster.count("torn-seal-mix") + cluster.count("torn-seal-refusals"))
        .as("every subject's window was decided once")
        .isEqualTo(SUBJECTS);
  }

  private LedgerFile export(LedgerExport export) {
    try {
      return export.export(
          folder.resolve("torn-seal.ledger"),
          LedgerExport.Unreleased.RELEASE,
          TestCluster.PATIENCE);
    } catch (RefusedException e) {
      throw new IllegalStateException(e.getMessage());
    }
  }

  /** A record of each subject, of which one makes its release fail, and the window's end. */
  private static void send(TestCluster cluster) throws Exception {
    try (var producer = cluster.producer()) {
      for (int subject = 0; subject < SUBJECTS; subject++) {
        producer.send(
            TestCluster.event(
                "torn-seal-in",
                subject % PARTITIONS,
                BASE,
                "s" + subject,
                BASE,
                subject == SUBJECTS - 1 ? "b" : "a"));
      }
      for (int partition = 0; partition < PARTITIONS; partition++) {
        producer.send(
            TestCluster.tick("torn-seal", "torn-seal-in", partition, BASE, BASE + 10_000));
      }
    }
  }

  private static void skip(TestCluster cluster, String tag) throws Exception {
    ControlEntry entry =
        ControlEntry.newBuilder()
            .setCommand(ControlCommand.SKIP)
            .setBudget("torn-seal")
            .setRelease(tag)
            .build();
    try (var producer = cluster.producer()) {
      producer.send(new ProducerRecord<>("torn-seal-control", Outputs.encode(entry))).get();
    }
  }

  /** The number of partitions that are drained. */
  private static int drained(TestCluster cluster) throws RefusedException {
    StateReader[] partitions = {new StateReader(), new StateReader()};
    for (ConsumerRecord<byte[], byte[]> row :
        cluster.committed(Names.changelogTopic("sfumato-torn-seal", LedgerImage.META))) {
      partitions[row.partition()].meta(row.partition(), row.key(), row.value());
    }
    int drained = 0;
    for (StateReader partition : partitions) {
      drained += partition.isDrained(1) ? 1 : 0;
    }
    return drained;
  }
}
