// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sfumato.gate.NoiseSecret;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import io.sfumato.schema.DirichletRelease;
import io.sfumato.serde.Outputs;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A noise key is changed by the commands that the manual names, from the command line. */
@ExtendWith(SharedBroker.class)
class KeyRotationIT {
  private static final String V1 =
      """
      pipeline: rotated
      version: 1
      input: { topic: rotated-in, subject: who, time: at, category: what, categories: [a, b] }
      window: { size: 10s, clock: ticks, begin: 2026-01-05 }
      subjects: [ann]
      budget: { name: rotated, unit: record, epsilon: 2, delta: 1e-6 }
      releases:
        - histogram: { name: rotated-mix, share: { epsilon: 2, delta: 1e-6 }, windows: 5 }
      """;

  @TempDir static Path folder;

  private static TestCluster cluster;
  private static PipelineVersions versions;

  @BeforeAll
  static void start(TestCluster shared) throws Exception {
    cluster = shared;
    cluster.createTopic("rotated-in", 1);
    versions = new PipelineVersions(cluster, folder);
    versions.write(1, V1);
    versions.write(2, V1.replace("version: 1", "version: 2"));
    versions.secrets("old", "new", "wrong");
    versions.tickKey("tick-old", "old");
    versions.tickKey("tick-new", "new");
  }

  private static String path(String name) {
    return versions.path(name);
  }

  private static CommandResult activate(String... former) {
    return versions.activate(2, 20, "new", former);
  }

  private static CommandResult skip(String place, String secret) {
    return versions.atCluster(
        "skip-record", versions.file(1).toString(), place, "--secret-file", path(secret));
  }

  /**
   * Sends a record.
   *
   * @return its offset
   */
  private static long event(long second, String what) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = cluster.producer()) {
      return producer
          .send(
              TestCluster.event(
                  "rotated-in",
                  0,
                  PipelineVersions.BASE,
                  "ann",
                  PipelineVersions.BASE + second * 1000,
                  what))
          .get()
          .offset();
    }
  }

  private static List<DirichletRelease> releases() throws Exception {
    return cluster.committed("rotated-mix").stream()
        .map(record -> Outputs.decodeRelease(record.value()))
        .toList();
  }

  /** "offset:CODE" in the order of the log. */
  private static List<String> deadLetters() throws Exception {
    return cluster.committed("rotated-dead-letters").stream()
        .map(record -> Outputs.decodeDeadLetter(record.value()))
        .map(letter -> letter.getOffset() + ":" + letter.getCode())
        .toList();
  }

  @Test
  void aNewSecretFindsEverythingThatTheOldOneSigned() throws Exception {
    try (BackgroundCommand first = versions.run(1, "old", "data")) {
      event(1, "a");
      versions.tick(1, 12, "--tick-key", "tick-old");
      versions.awaitReleases(first, "rotated-mix", 1);
      CommandResult refused = activate();
      assertThat(refused.code()).as(refused.text()).isEqualTo(5);
      assertThat(refused.text()).contains("--former-secret-file OLD");
      CommandResult wrong = activate("--former-secret-file", path("wrong"));
      assertThat(wrong.code()).as(wrong.text()).isEqualTo(5);
      CommandResult missing = activate("--former-secret-file", path("missing"));
      assertThat(missing.code()).as(missing.text()).isEqualTo(3);
      CommandResult announced = activate("--former-secret-file", path("old"));
      PipelineVersions.succeeds(announced);
      assertThat(announced.text()).contains("Its first window starts " + PipelineVersions.at(20));
      event(11, "b");
      versions.tick(1, 22, "--tick-key", "tick-old");
      first.awaitText("for version 2");
      assertThat(first.isAlive()).isTrue();
      assertThat(releases()).hasSize(2);
    }

    long mistaken = event(21, "a");
    CommandResult skipped = skip("rotated-in-0@" + mistaken, "old");
    PipelineVersions.succeeds(skipped);
    assertThat(skipped.text())
        .as("version 2 would count it")
        .contains("running or announced version has another key (" + tag("new") + ")");
    CommandResult again = activate("--former-secret-file", path("old"));
    PipelineVersions.succeeds(again);
    long other = event(22, "b");
    assertThat(skip("rotated-in-0@" + other, "new").text()).contains("(" + tag("old") + ")");
    event(23, "b");

    try (BackgroundCommand second = versions.run(2, "new", "data")) {
      versions.tick(1, 32, "--tick-key", "tick-old");
      versions.tick(1, 32, "--tick-key", "tick-new");
      versions.awaitReleases(second, "rotated-mix", 3);
      assertThat(second.text())
          .contains("rotated-in-0@%d..%d does not count".formatted(mistaken, other));
      assertThat(releases())
          .extracting(
              release -> release.getWindowStart().toEpochMilli() - PipelineVersions.BASE,
              DirichletRelease::getRecords,
              release -> release.getGuarantee().getNoiseKey())
          .containsExactly(
              tuple(0L, 1L, tag("old")),
              tuple(10_000L, 1L, tag("old")),
              tuple(20_000L, 1L, tag("new")));
      assertThat(deadLetters())
          .containsExactly(
              mistaken + ":SKIPPED", other + ":SKIPPED", (other + 2) + ":OTHER_KEY_TICK");
    }
  }

  private static String tag(String secret) throws Exception {
    return NoiseSecret.read(folder.resolve(secret)).derive().tag();
  }
}
