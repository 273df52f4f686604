// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.gate.NoiseSecret;
import io.sfumato.runtime.HistogramFile;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.tools.StreamsResetter;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kafka's tools give no budget back: whatever they delete of a pipeline's state, no window is
 * released a second time.
 */
@Tag("cluster")
@ExtendWith(SharedBroker.class)
class ResetStateIT {
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();

  @TempDir static Path folder;
  private static TestCluster cluster;

  @BeforeAll
  static void connect(TestCluster shared) throws Exception {
    cluster = shared;
    NoiseSecret.parse(TestCluster.KEY).write(folder.resolve("noise.key"));
  }

  private static BackgroundCommand run(String name, String state) throws Exception {
    Path file = folder.resolve(name + ".yaml");
    Files.writeString(file, HistogramFile.lifetime(name, 4));
    return BackgroundCommand.run(cluster, file, folder.resolve("noise.key"), folder.resolve(state));
  }

  /** Releases the first window of a pipeline and stops it. */
  private static void release(String name) throws Exception {
    cluster.createTopic(name + "-in", 1);
    try (var producer = cluster.producer()) {
      for (int window = 0; window < 2; window++) {
        long time = BASE + window * 10_000L;
        producer.send(TestCluster.event(name + "-in", 0, BASE, "ann", time, "a"));
      }
    }
    try (BackgroundCommand run = run(name, name)) {
      cluster.awaitCount(name + "-mix", 1);
      assertThat(run.isAlive()).isTrue();
    }
  }

  private static void assertRefused(String name, String... words) throws Exception {
    try (BackgroundCommand again = run(name, name + "-again")) {
      CommandResult refused = again.awaitEnd();
      assertThat(refused.code()).as(refused.text()).isEqualTo(5);
      assertThat(refused.err())
          .contains("budget '" + name + "' was started before, but ")
          .contains("would reset every budget")
          .contains("restore the cluster", "new names")
          .contains(words);
    }
    assertThat(cluster.count(name + "-mix")).as("releases").isEqualTo(1);
  }

  /** As a supervisor sees it: whether to start again depends on the code. */
  private static int exitCodeOfAProcess(String name) throws Exception {
    Process run =
        CommandProcess.of(
                folder,
                folder.resolve(name + ".log"),
                "run",
                folder.resolve(name + ".yaml").toString(),
                "--bootstrap-servers",
                cluster.servers(),
                "--secret-file",
                folder.resolve("noise.key").toString(),
                "--accept-risk",
                "--no-http")
            .start();
    assertThat(run.waitFor(TestCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    return run.exitValue();
  }

  @Test
  void shouldRefuseAStartAfterTheApplicationWasReset() throws Exception {
    release("erased");
    int code =
        new StreamsResetter()
            .execute(
                new String[] {
                  "--bootstrap-server",
                  cluster.servers(),
                  "--application-id",
                  "sfumato-erased",
                  "--input-topics",
                  "erased-in,erased-control",
                  "--force"
                });
    assertThat(code).isZero();
    assertThat(exitCodeOfAProcess("erased")).isEqualTo(5);
    assertRefused(
        "erased",
        "these state topics were deleted or re-created",
        "sfumato-erased-journal-repartition",
        "sfumato-erased-ledger-store-changelog");
  }

  @Test
  void shouldRefuseAStartAfterAChangelogWasDeleted() throws Exception {
    release("holed");
    String ledgers = "sfumato-holed-ledger-store-changelog";
    cluster.deleteTopics(List.of(ledgers));
    assertRefused("holed", "[" + ledgers + "]");
  }

  /** Advice to run the file would have cost the budget. */
  @Test
  void shouldNotTakeAStateForNoneWhenAPartOfItIsMissing() throws Exception {
    release("parted");
    cluster.deleteTopics(List.of("sfumato-parted-source-store-changelog"));
    CommandResult offsets =
        CommandResult.of(
            "offsets",
            folder.resolve("parted.yaml").toString(),
            "--bootstrap-servers",
            cluster.servers());
    assertThat(offsets.code()).as(offsets.text()).isEqualTo(5);
    assertThat(offsets.err())
        .contains("but these state topics are missing: [sfumato-parted-source-store-changelog]")
        .doesNotContain("start it with", "sfumato run");
  }

  @Test
  void shouldRefuseAStartAfterRecordsOfAChangelogWereDeleted() throws Exception {
    release("cropped");
    String ledgers = "sfumato-cropped-ledger-store-changelog";
    setPolicy(ledgers, "delete");
    try (Admin admin = cluster.client()) {
      admin
          .deleteRecords(Map.of(new TopicPartition(ledgers, 0), RecordsToDelete.beforeOffset(1)))
          .all()
          .get();
    }
    try (BackgroundCommand refused = run("cropped", "cropped-again")) {
      assertThat(refused.awaitEnd().err())
          .as("as long as more may go")
          .contains("would delete its state", "--add-config cleanup.policy=compact");
    }
    setPolicy(ledgers, "compact");
    assertRefused("cropped", "first records of these changelogs were deleted", ledgers);
  }

  /** The topics are the same, and what lies in them is not: the epoch tells. */
  @Test
  void shouldRefuseAStartWhenTheStateIsOfAnotherEpoch() throws Exception {
    release("swapped");
    String meta = "sfumato-swapped-meta-store-changelog";
    ConsumerRecord<byte[], byte[]> identity =
        cluster.committed(meta).stream()
            .filter(row -> row.key().length == 1 && row.key()[0] == 'i')
            .reduce((first, last) -> last)
            .orElseThrow();
    byte[] other = identity.value().clone();
    other[1] ^= 1; // after the format: the epoch
    try (var producer = cluster.producer()) {
      producer.send(new ProducerRecord<>(meta, 0, identity.key(), other));
    }
    assertRefused(
        "swapped",
        "its topics hold the state of another copy: partition 0 has epoch ",
        " instead of epoch ");
  }

  private static void setPolicy(String topic, String policy) throws Exception {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    AlterConfigOp change =
        new AlterConfigOp(new ConfigEntry("cleanup.policy", policy), AlterConfigOp.OpType.SET);
    try (Admin admin = cluster.client()) {
      admin.incrementalAlterConfigs(Map.of(resource, List.of(change))).all().get();
    }
  }

  /** What was written down before the first release holds for a restart too. */
  @Test
  void shouldStartAgainWhereNothingWasDeleted() throws Exception {
    release("kept-state");
    try (BackgroundCommand again = run("kept-state", "kept-state-again")) {
      again.awaitText("is running");
    }
    assertThat(cluster.count("kept-state-mix")).isEqualTo(1);
  }
}
