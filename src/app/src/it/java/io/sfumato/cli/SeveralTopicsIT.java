// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import io.sfumato.schema.DirichletRelease;
import io.sfumato.serde.Outputs;
import java.nio.file.Files;
import java.nio.file.Path;
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
  private static PipelineVersions versions;

  @BeforeAll
  static void start(TestCluster shared) throws Exception {
    cluster = shared;
    cluster.createTopic("regions-eu", 2);
    cluster.createTopic("regions-us", 1);
    versions = new PipelineVersions(cluster, folder);
    versions.write(1, V1);
    versions.write(2, V1.replace("version: 1", "version: 2"));
    versions.secrets("key");
  }

  /**
   * Sends a record.
   *
   * @return its offset
   */
  private static long event(String topic, int partition, long second) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = cluster.producer()) {
      return producer
          .send(
              TestCluster.event(
                  topic,
                  partition,
                  PipelineVersions.BASE,
                  "ann",
                  PipelineVersions.BASE + second * 1000,
                  "a"))
          .get()
          .offset();
    }
  }

  /** An instance that can be killed. */
  private static Process process(Path log) throws Exception {
    Process process = versions.process(1, "key", "killed", log).start();
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

  @Test
  void aTopicThatAppearsLaterJoinsWithTheNextVersion() throws Exception {
    try (BackgroundCommand first = versions.run(1, "key", "first")) {
      first.awaitText("regions-eu, regions-us -> several-mix");
      Process second = process(folder.resolve("second.log"));
      event("regions-eu", 0, 1);
      event("regions-us", 0, 2);
      versions.tick(1, 12, "--secret-file", "key");
      versions.awaitReleases(first, "several-mix", 1);
      second.destroyForcibly().waitFor();
      event("regions-eu", 1, 11);

      cluster.createTopic("regions-asia", 1);
      event("regions-asia", 0, 15);
      event("regions-asia", 0, 25);
      assertThat(
              versions
                  .atCluster(
                      "doctor",
                      versions.file(1).toString(),
                      "--all",
                      "--secret-file",
                      versions.path("key"))
                  .text())
          .contains("matches the pattern of input.topic and is not read");
      CommandResult announced = versions.activate(2, 20, "key");
      PipelineVersions.succeeds(announced);
      assertThat(announced.text()).contains("Topics that join with it: regions-asia");
      versions.tick(1, 22, "--secret-file", "key");
      first.awaitText("partitions 0, 1 wait for version 2");
      assertThat(releases()).hasSize(2);
    }
    event("regions-eu", 0, 21);
    long mistaken = event("regions-us", 0, 23);
    CommandResult skipped =
        versions.atCluster(
            "skip-record",
            versions.file(2).toString(),
            "regions-us-0@" + mistaken,
            "--secret-file",
            versions.path("key"));
    PipelineVersions.succeeds(skipped);

    try (BackgroundCommand next = versions.run(2, "key", "next")) {
      next.awaitText("regions-eu, regions-us, regions-asia -> several-mix");
      versions.tick(2, 32, "--secret-file", "key");
      versions.awaitReleases(next, "several-mix", 3);
      assertThat(next.text()).contains("regions-us-0@%d does not count".formatted(mistaken));
    }
    assertThat(releases())
        .extracting(
            release -> release.getWindowStart().toEpochMilli() - PipelineVersions.BASE,
            DirichletRelease::getRecords,
            release -> release.getGuarantee().getPipelineVersion())
        .as("what lies before the version in a topic that joins does not count")
        .containsExactly(tuple(0L, 2L, 1), tuple(10_000L, 1L, 1), tuple(20_000L, 2L, 2));
  }
}
