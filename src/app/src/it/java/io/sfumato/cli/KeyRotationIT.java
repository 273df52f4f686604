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

/** A noise key is changed by the commands that the manual names, from the command line. */
@ExtendWith(SharedBroker.class)
class KeyRotationIT {
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();
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
  private static Path before;
  private static Path after;

  @BeforeAll
  static void start(TestCluster shared) throws Exception {
    cluster = shared;
    cluster.createTopic("rotated-in", 1);
    before = Files.writeString(folder.resolve("v1.yaml"), V1);
    after = Files.writeString(folder.resolve("v2.yaml"), V1.replace("version: 1", "version: 2"));
    for (String name : List.of("old", "new", "wrong")) {
      NoiseSecret.random().write(folder.resolve(name));
    }
    for (String name : List.of("old", "new")) {
      CommandResult written =
          CommandResult.of(
              "tick-key", before.toString(), path("tick-" + name), "--secret-file", path(name));
      assertThat(written.code()).as(written.text()).isZero();
    }
  }

  private static String path(String name) {
    return folder.resolve(name).toString();
  }

  private static CommandResult atCluster(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--bootstrap-servers", cluster.servers()));
    return CommandResult.of(all.toArray(new String[0]));
  }

  private static CommandResult activate(String... former) {
    List<String> all =
        new ArrayList<>(
            List.of("activate", after.toString(), "--from", at(20), "--secret-file", path("new")));
    all.addAll(List.of(former));
    return atCluster(all.toArray(new String[0]));
  }

  private static CommandResult skip(String place, String secret) {
    return atCluster("skip-record", before.toString(), place, "--secret-file", path(secret));
  }

  private static void tick(String key, long second) {
    CommandResult ticked =
        atCluster("tick", before.toString(), "--at", at(second), "--tick-key", path("tick-" + key));
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
  private static long event(long second, String what) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = cluster.producer()) {
      return producer
          .send(TestCluster.event("rotated-in", 0, BASE, "ann", BASE + second * 1000, what))
          .get()
          .offset();
    }
  }

  private static BackgroundCommand run(Path file, String secret) {
    return BackgroundCommand.run(cluster, file, folder.resolve(secret), folder.resolve("data"));
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

  private static void awaitReleases(BackgroundCommand run, int number) {
    await().atMost(TestCluster.PATIENCE).until(() -> !run.isAlive() || releases().size() >= number);
    assertThat(run.isAlive()).as(run.text()).isTrue();
  }

  @Test
  void aNewSecretFindsEverythingThatTheOldOneSigned() throws Exception {
    try (BackgroundCommand first = run(before, "old")) {
      event(1, "a");
      tick("old", 12);
      awaitReleases(first, 1);
      CommandResult refused = activate();
      assertThat(refused.code()).as(refused.text()).isEqualTo(5);
      assertThat(refused.text()).contains("--former-secret-file OLD");
      CommandResult wrong = activate("--former-secret-file", path("wrong"));
      assertThat(wrong.code()).as(wrong.text()).isEqualTo(5);
      CommandResult missing = activate("--former-secret-file", path("missing"));
      assertThat(missing.code()).as(missing.text()).isEqualTo(3);
      CommandResult announced = activate("--former-secret-file", path("old"));
      assertThat(announced.code()).as(announced.text()).isZero();
      assertThat(announced.text()).contains("Its first window starts " + at(20));
      event(11, "b");
      tick("old", 22);
      first.awaitText("for version 2");
      assertThat(first.isAlive()).isTrue();
      assertThat(releases()).hasSize(2);
    }

    long mistaken = event(21, "a");
    CommandResult skipped = skip("rotated-in-0@" + mistaken, "old");
    assertThat(skipped.code()).as(skipped.text()).isZero();
    assertThat(skipped.text())
        .as("version 2 would count it")
        .contains("running or announced version has another key (" + tag("new") + ")");
    CommandResult again = activate("--former-secret-file", path("old"));
    assertThat(again.code()).as(again.text()).isZero();
    long other = event(22, "b");
    assertThat(skip("rotated-in-0@" + other, "new").text()).contains("(" + tag("old") + ")");
    event(23, "b");

    try (BackgroundCommand second = run(after, "new")) {
      tick("old", 32);
      tick("new", 32);
      awaitReleases(second, 3);
      assertThat(second.text())
          .contains("rotated-in-0@%d..%d does not count".formatted(mistaken, other));
      assertThat(releases())
          .extracting(
              release -> release.getWindowStart().toEpochMilli() - BASE,
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
