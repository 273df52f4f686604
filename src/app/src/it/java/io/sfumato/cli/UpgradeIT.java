// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.gate.NoiseSecret;
import io.sfumato.ledger.NewerProgram;
import io.sfumato.runtime.Patiently;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import io.sfumato.schema.DirichletRelease;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.context.Names;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Two instances go over to a new version one after the other; and nobody goes back. */
@Tag("cluster")
@ExtendWith(SharedBroker.class)
class UpgradeIT {
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();
  private static final long WINDOW = 10_000;
  private static final int PARTITIONS = 2;

  /** First window of the second version. */
  private static final int CHANGE = 6;

  private static final int WINDOWS = 12;

  @TempDir static Path folder;
  private static TestCluster cluster;
  private static Path secret;

  private int sent;

  @BeforeAll
  static void connect(TestCluster shared) throws Exception {
    cluster = shared;
    secret = folder.resolve("noise.key");
    NoiseSecret.parse(TestCluster.KEY).write(secret);
  }

  private static Path file(String name, int version) throws Exception {
    return Files.writeString(
        folder.resolve(name + "-v" + version + ".yaml"),
        """
        pipeline: %1$s
        version: %2$d
        kafka: { session.timeout.ms: 6000 }
        input: { topic: %1$s-in, subject: who, time: at, category: what, categories: [a, b] }
        window: { size: 10s }
        budget: { name: %1$s, unit: record, epsilon: 2, delta: 1e-6, period: window }
        releases:
          - histogram: { name: %1$s-mix, share: { epsilon: %3$s, delta: 1e-6 } }
        """
            .formatted(name, version, version == 1 ? "2" : "1.5"));
  }

  private static BackgroundCommand run(Path file, String state) {
    return BackgroundCommand.run(cluster, file, secret, folder.resolve(state));
  }

  /** Records of one subject of each partition, in every window up to one. */
  private void sendUpTo(String name, int window) throws Exception {
    try (var producer = cluster.producer()) {
      for (; sent <= window; sent++) {
        for (int partition = 0; partition < PARTITIONS; partition++) {
          long time = BASE + sent * WINDOW;
          producer.send(
              TestCluster.event(name + "-in", partition, BASE, "user-" + partition, time, "a"));
        }
      }
    }
  }

  @Test
  void shouldReleaseEachWindowOnceWhenInstancesAreReplacedOneByOne() throws Exception {
    String name = "rolling";
    cluster.createTopic(name + "-in", PARTITIONS);
    Path before = file(name, 1);
    Path after = file(name, 2);
    sendUpTo(name, 2);
    try (BackgroundCommand first = run(before, "a");
        BackgroundCommand second = run(before, "b")) {
      cluster.awaitCount(name + "-mix", 2 * PARTITIONS);
      Patiently.await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> cluster.instances("sfumato-" + name) == 2);
      announce(after);
      sendUpTo(name, CHANGE + 1);
      first.awaitText("for version 2");
      second.awaitText("for version 2");
      first.stop();
      try (BackgroundCommand third = run(after, "a")) {
        sendUpTo(name, CHANGE + 3);
        third.awaitText("waiting for version 1 to stop");
        second.stop();
        try (BackgroundCommand fourth = run(after, "b")) {
          sendUpTo(name, WINDOWS);
          cluster.awaitCount(name + "-mix", WINDOWS * PARTITIONS);
          assertThat(third.isAlive()).as(third.text()).isTrue();
          assertThat(fourth.isAlive()).as(fourth.text()).isTrue();
        }
      }
    }
    assertEachWindowOnce(name);
  }

  private static void announce(Path after) {
    CommandResult announced =
        CommandResult.of(
            "activate",
            after.toString(),
            "--from",
            Instant.ofEpochMilli(BASE + CHANGE * WINDOW).toString(),
            "--bootstrap-servers",
            cluster.servers(),
            "--secret-file",
            secret.toString());
    assertThat(announced.code()).as(announced.text()).isZero();
  }

  private static void assertEachWindowOnce(String name) throws Exception {
    Map<String, Integer> releases = new TreeMap<>();
    Set<Long> windows = new TreeSet<>();
    for (ConsumerRecord<byte[], byte[]> record : cluster.committed(name + "-mix")) {
      DirichletRelease release = (DirichletRelease) Outputs.decodeAny(record.value());
      long window = (release.getWindowStart().toEpochMilli() - BASE) / WINDOW;
      windows.add(window);
      releases.merge(release.getSubject() + " " + window, 1, Integer::sum);
      assertThat(TestCluster.header(record, Names.VERSION_HEADER))
          .as("window %d", window)
          .isEqualTo(window < CHANGE ? "1" : "2");
    }
    assertThat(windows).hasSize(WINDOWS);
    assertThat(releases).hasSize(WINDOWS * PARTITIONS);
    assertThat(releases.values()).containsOnly(1);
  }

  @Test
  void shouldRefuseToStartAnOlderProgram() throws Exception {
    String name = "downgraded";
    cluster.createTopic(name + "-in", PARTITIONS);
    Path file = file(name, 1);
    sendUpTo(name, 2);
    try (BackgroundCommand run = run(file, name)) {
      cluster.awaitCount(name + "-mix", 2 * PARTITIONS);
      assertThat(run.isAlive()).as(run.text()).isTrue();
    }
    NewerProgram.workOn(cluster, name);
    Map<TopicPartition, Long> ends = ends(name);
    try (BackgroundCommand run = run(file, name)) {
      CommandResult refused = run.awaitEnd();
      assertThat(refused.code()).as(refused.text()).isEqualTo(5);
      assertThat(refused.err())
          .contains(
              "a newer version of Sfumato has written the state of budget 'downgraded'",
              "use the newer version here too",
              "No data lost, no double charge");
    }
    assertThat(ends(name)).as("nothing was written").isEqualTo(ends);
  }

  /** Where all topics of a pipeline end that hold state or outputs. */
  private static Map<TopicPartition, Long> ends(String name) throws Exception {
    try (Admin admin = cluster.client()) {
      Set<TopicPartition> partitions =
          admin
              .describeTopics(
                  admin.listTopics().names().get().stream()
                      .filter(
                          topic ->
                              topic.startsWith("sfumato-" + name + "-")
                                  || topic.equals(name + "-mix"))
                      .filter(topic -> !topic.endsWith("-registry"))
                      .toList())
              .allTopicNames()
              .get()
              .values()
              .stream()
              .flatMap(
                  topic ->
                      topic.partitions().stream()
                          .map(part -> new TopicPartition(topic.name(), part.partition())))
              .collect(Collectors.toSet());
      return cluster.offsets(partitions, OffsetSpec.latest());
    }
  }
}
