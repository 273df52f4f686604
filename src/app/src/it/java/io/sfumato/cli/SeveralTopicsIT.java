// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sfumato.gate.NoiseSecret;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import io.sfumato.schema.DirichletRelease;
import io.sfumato.serde.Outputs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A pipeline of two topics on two instances, of which one is killed; a third topic appears, which a
 * pattern matches, and joins when the next version is activated. From the command line.
 */
@ExtendWith(SharedBroker.class)
class SeveralTopicsIT {
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();
  private static final String V1 =
      """
      pipeline: several
      version: 1
      input: { topic: { pattern: 'regions-[a-z]+' }, subject: who, time: at, category: what, categories: [a, b] }
      window: { size: 10s, clock: ticks, begin: 2026-01-05 }
      subjects: [ann]
      budget: { name: several, unit: record, epsilon: 2, delta: 1e-6 }
      releases:
        - histogram: { name: several-mix, share: { epsilon: 2, delta: 1e-6 }, windows: 5 }
      """;

  @TempDir static Path folder;

  private static TestCluster cluster;
  private static Path before;
  private static Path after;

  @BeforeAll
  static void start(TestCluster shared) throws Exception {
    cluster = shared;
    cluster.createTopic("regions-eu", 2);
    cluster.createTopic("regions-us", 1);
    before = Files.writeString(folder.resolve("v1.yaml"), V1);
    after = Files.writeString(folder.resolve("v2.yaml"), V1.replace("version: 1", "version: 2"));
    NoiseSecret.random().write(secret());
  }

  private static Path secret() {
    return folder.resolve("noise.key");
  }

  private static CommandResult atCluster(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(
        List.of("--bootstrap-servers", cluster.servers(), "--secret-file", secret().toString()));
    return CommandResult.of(all.toArray(new String[0]));
  }

  private static void tick(Path file, long second) {
    CommandResult ticked = atCluster("tick", file.toString(), "--yes", "--at", at(second));
    assertThat(ticked.code()).as(ticked.text()).isZero();
  }

  private static String at(long second) {
    return Instant.ofEpochMilli(BASE + second * 1000).toString();
  }

  /**
   * Sends a record.
   *
   * @return its offset
   */
  private static long event(String topic, int partition, long second) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = cluster.producer()) {
      return producer
          .send(TestCluster.event(topic, partition, BASE, "ann", BASE + second * 1000, "a"))
          .get()
          .offset();
    }
  }

  private static BackgroundCommand run(Path file, String data) {
    return BackgroundCommand.run(cluster, file, secret(), folder.resolve(data));
  }

  /** An instance that can be killed. */
  private static Process process(Path file, Path log) throws Exception {
    Process process =
        CommandProcess.of(
                folder,
                log,
                "run",
                file.toString(),
                "--bootstrap-servers",
                cluster.servers(),
                "--secret-file",
                secret().toString(),
                "--data",
                folder.resolve("killed").toString(),
                "--accept-risk",
                "--no-http",
                "--standbys",
                "0")
            .start();
    await()
        .atMost(TestCluster.PATIENCE)
        .until(() -> !process.isAlive() || Files.readString(log).contains("is running"));
    assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
    return process;
  }

  private static List<DirichletRelease> releases() throws Exception {
    return cluster.committed("several-mix").stream()
        .map(record -> Outputs.decodeRelease(record.value()))
        .toList();
  }

  private static void awaitReleases(BackgroundCommand run, int number) {
    await().atMost(TestCluster.PATIENCE).until(() -> !run.isAlive() || releases().size() >= number);
    assertThat(run.isAlive()).as(run.text()).isTrue();
  }

  @Test
  void aTopicThatAppearsLaterJoinsWithTheNextVersion() throws Exception {
    try (BackgroundCommand first = run(before, "first")) {
      first.awaitText("regions-eu, regions-us -> several-mix");
      Process second = process(before, folder.resolve("second.log"));
      event("regions-eu", 0, 1);
      event("regions-us", 0, 2);
      tick(before, 12);
      awaitReleases(first, 1);
      second.destroyForcibly().waitFor();
      event("regions-eu", 1, 11);

      cluster.createTopic("regions-asia", 1);
      event("regions-asia", 0, 15);
      event("regions-asia", 0, 25);
      assertThat(atCluster("doctor", before.toString(), "--all").text())
          .contains("matches the pattern of input.topic and is not read");
      CommandResult announced = atCluster("activate", after.toString(), "--from", at(20));
      assertThat(announced.code()).as(announced.text()).isZero();
      assertThat(announced.text()).contains("Topics that join with it: regions-asia");
      tick(before, 22);
      first.awaitText("partitions 0, 1 wait for version 2");
      assertThat(releases()).hasSize(2);
    }
    event("regions-eu", 0, 21);
    long mistaken = event("regions-us", 0, 23);
    CommandResult skipped = atCluster("skip-record", after.toString(), "regions-us-0@" + mistaken);
    assertThat(skipped.code()).as(skipped.text()).isZero();

    try (BackgroundCommand next = run(after, "next")) {
      next.awaitText("regions-eu, regions-us, regions-asia -> several-mix");
      tick(after, 32);
      awaitReleases(next, 3);
      assertThat(next.text()).contains("regions-us-0@%d does not count".formatted(mistaken));
    }
    assertThat(releases())
        .extracting(
            release -> release.getWindowStart().toEpochMilli() - BASE,
            DirichletRelease::getRecords,
            release -> release.getGuarantee().getPipelineVersion())
        .as("what lies before the version in a topic that joins does not count")
        .containsExactly(tuple(0L, 2L, 1), tuple(10_000L, 1L, 1), tuple(20_000L, 2L, 2));
  }
}
