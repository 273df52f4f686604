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
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that ends while a ledger is being sealed: whoever starts it again releases the rest.
 */
@Tag("cluster")
@ExtendWith(SharedBroker.class)
class SealCrashIT {
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();
  private static final int PARTITIONS = 2;
  private static final int SUBJECTS = 20;

  @TempDir Path folder;

  /** A release that fails keeps one partition from being drained; the other one is. */
  @Test
  void shouldReleaseTheRestAfterACrashWhileALedgerIsSealed(TestCluster cluster) throws Exception {
    Sealing sealing = begun(cluster, "torn-seal");
    CompletableFuture<LedgerFile> exported;
    String tag;
    try (PipelineRun run = sealing.start("first")) {
      tag = sealing.hold();
      exported = sealing.export();
      assertThat(run.failure()).isEmpty();
    }
    try (PipelineRun again = sealing.start("second")) {
      assertThat(again.awaitRunning(TestCluster.PATIENCE)).isTrue();
      sealing.finish(tag, exported, again);
    }
  }

  /** A drained partition and one that waits change hands, and come back. */
  @Test
  void shouldReleaseTheRestWhenAnInstanceJoinsAndLeavesWhileALedgerIsSealed(TestCluster cluster)
      throws Exception {
    Sealing sealing = begun(cluster, "joined-seal");
    try (PipelineRun run = sealing.start("first")) {
      String tag = sealing.hold();
      CompletableFuture<LedgerFile> exported = sealing.export();
      try (PipelineRun joining = sealing.start("joining")) {
        assertThat(joining.awaitRunning(TestCluster.PATIENCE)).isTrue();
        await().atMost(TestCluster.PATIENCE).until(() -> sealing.members() == 2);
        assertThat(joining.failure()).isEmpty();
      }
      assertThat(run.failure()).isEmpty();
      sealing.finish(tag, exported, run);
    }
  }

  private Sealing begun(TestCluster cluster, String name) throws Exception {
    Plan plan =
        BrokenPlan.failingOn(
            TestCluster.plan(HistogramFile.lifetime(name, 4)), new Histogram(0, 1));
    cluster.createTopic(name + "-in", PARTITIONS);
    Instances instances = new Instances(cluster, folder).withPartitions(PARTITIONS);
    instances.requireAllowed(plan);
    send(cluster, name);
    return new Sealing(
        cluster,
        name,
        plan,
        instances,
        TestCluster.deployment(plan, PARTITIONS, PipelineMeters.none()),
        folder.resolve(name + ".ledger"));
  }

  /** A pipeline of which one release fails while its ledger is sealed. */
  private record Sealing(
      TestCluster cluster,
      String name,
      Plan plan,
      Instances instances,
      Deployment deployment,
      Path file) {
    PipelineRun start(String state) throws RefusedException {
      return instances.start(plan, deployment, name + "-" + state);
    }

    /** Waits for the release that fails; its tag. */
    String hold() {
      return await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> deployment.holds().first(), Optional::isPresent)
          .orElseThrow();
    }

    /** Begins an export, and waits until the partition without a failure is drained. */
    CompletableFuture<LedgerFile> export() throws RefusedException {
      LedgerExport export =
          new LedgerExport(plan.pipeline(), instances.settings(), TestCluster.key(), line -> {});
      CompletableFuture<LedgerFile> exported =
          CompletableFuture.supplyAsync(() -> SealCrashIT.export(export, file));
      await().atMost(TestCluster.PATIENCE).until(() -> drained(cluster, name) == 1);
      return exported;
    }

    /** Instances that have partitions. */
    int members() throws Exception {
      try (Admin admin = cluster.client()) {
        return (int)
            admin
                .describeConsumerGroups(List.of(plan.pipeline().applicationId()))
                .all()
                .get()
                .get(plan.pipeline().applicationId())
                .members()
                .stream()
                .filter(member -> !member.assignment().topicPartitions().isEmpty())
                .map(member -> member.clientId().replaceFirst("-StreamThread.*", ""))
                .distinct()
                .count();
      }
    }

    /** Skips what fails: then everything is decided once, and the ledger is exported. */
    void finish(String tag, CompletableFuture<LedgerFile> exported, PipelineRun run)
        throws Exception {
      skip(cluster, name, tag);
      assertThat(exported.get().ledgers())
          .as("of every subject, the skipped one included")
          .isPositive();
      assertThat(run.awaitEnd(TestCluster.PATIENCE)).as("it is sealed now").isTrue();
      assertThat(run.failure().orElseThrow()).hasMessageContaining("is sealed");
      assertThat(cluster.count(name + "-mix") + cluster.count(name + "-refusals"))
          .as("every subject's window was decided once")
          .isEqualTo(SUBJECTS);
    }
  }

  private static LedgerFile export(LedgerExport export, Path file) {
    try {
      return export.export(file, LedgerExport.Unreleased.RELEASE, TestCluster.PATIENCE);
    } catch (RefusedException e) {
      throw new IllegalStateException(e.getMessage());
    }
  }

  /** A record of each subject, of which one makes its release fail, and the window's end. */
  private static void send(TestCluster cluster, String name) throws Exception {
    try (var producer = cluster.producer()) {
      for (int subject = 0; subject < SUBJECTS; subject++) {
        producer.send(
            TestCluster.event(
                name + "-in",
                subject % PARTITIONS,
                BASE,
                "s" + subject,
                BASE,
                subject == SUBJECTS - 1 ? "b" : "a"));
      }
      for (int partition = 0; partition < PARTITIONS; partition++) {
        producer.send(TestCluster.tick(name, name + "-in", partition, BASE, BASE + 10_000));
      }
    }
  }

  private static void skip(TestCluster cluster, String name, String tag) throws Exception {
    ControlEntry entry =
        ControlEntry.newBuilder()
            .setCommand(ControlCommand.SKIP)
            .setBudget(name)
            .setRelease(tag)
            .build();
    try (var producer = cluster.producer()) {
      producer.send(new ProducerRecord<>(name + "-control", Outputs.encode(entry))).get();
    }
  }

  /** The number of partitions that are drained. */
  private static int drained(TestCluster cluster, String name) throws RefusedException {
    StateReader[] partitions = {new StateReader(), new StateReader()};
    for (ConsumerRecord<byte[], byte[]> row :
        cluster.committed(Names.changelogTopic("sfumato-" + name, LedgerImage.META))) {
      partitions[row.partition()].meta(row.partition(), row.key(), row.value());
    }
    int drained = 0;
    for (StateReader partition : partitions) {
      drained += partition.isDrained(1) ? 1 : 0;
    }
    return drained;
  }
}
