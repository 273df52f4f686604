// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sfumato.gate.NoiseSecret;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import io.sfumato.schema.CountRelease;
import io.sfumato.serde.Outputs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A pipeline of users is changed in place by the commands that the manual names. */
@ExtendWith(SharedBroker.class)
class UsersVersionIT {
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();

  /** So much budget that there is no noise. */
  private static final String V1 =
      """
      pipeline: changed-users
      version: 1
      input: { topic: changed-users-in, subject: { constant: all }, user: who, time: at, category: what, categories: [a, b] }
      contributions: { per-window: 2, subjects: 1 }
      subjects: [all]
      window: { size: 10s, clock: ticks, begin: 2026-01-05 }
      budget: { name: changed-users, unit: user, epsilon: 900000, delta: 1e-6 }
      releases:
        - count: { name: changed-users-visits, by: total, share: { epsilon: 900000, delta: 1e-6 }, windows: 5 }
      """;

  @TempDir static Path folder;

  private static TestCluster cluster;
  private static Path before;
  private static Path after;

  @BeforeAll
  static void start(TestCluster shared) throws Exception {
    cluster = shared;
    cluster.createTopic("changed-users-in", 2);
    before = Files.writeString(folder.resolve("v1.yaml"), V1);
    after =
        Files.writeString(
            folder.resolve("v2.yaml"),
            V1.replace("version: 1", "version: 2").replace("per-window: 2", "per-window: 1"));
    NoiseSecret.random().write(folder.resolve("key"));
    CommandResult written =
        CommandResult.of("tick-key", before.toString(), path("tick"), "--secret-file", path("key"));
    assertThat(written.code()).as(written.text()).isZero();
  }

  private static String path(String name) {
    return folder.resolve(name).toString();
  }

  private static CommandResult atCluster(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--bootstrap-servers", cluster.servers()));
    return CommandResult.of(all.toArray(new String[0]));
  }

  private static void tick(long second) {
    CommandResult ticked =
        atCluster(
            "tick", before.toString(), "--at", at(second), "--tick-key", path("tick"), "--yes");
    assertThat(ticked.code()).as(ticked.text()).isZero();
  }

  private static String at(long second) {
    return Instant.ofEpochMilli(BASE + second * 1000).toString();
  }

  /** Three records of a user in each partition. */
  private static void events(long second) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = cluster.producer()) {
      for (int i = 0; i < 6; i++) {
        producer.send(
            TestCluster.event(
                "changed-users-in", i % 2, BASE, "user" + i % 2, BASE + second * 1000, "a"));
      }
    }
  }

  private static BackgroundCommand run(Path file) {
    return BackgroundCommand.run(cluster, file, folder.resolve("key"), folder.resolve("data"));
  }

  private static List<CountRelease> releases() throws Exception {
    return cluster.committed("changed-users-visits").stream()
        .map(record -> (CountRelease) Outputs.decodeAny(record.value()))
        .sorted(Comparator.comparing(CountRelease::getWindowStart))
        .toList();
  }

  private static void awaitReleases(BackgroundCommand run, int number) {
    await().atMost(TestCluster.PATIENCE).until(() -> !run.isAlive() || releases().size() >= number);
    assertThat(run.isAlive()).as(run.text()).isTrue();
  }

  private static CommandResult activate(long second) {
    return atCluster(
        "activate", after.toString(), "--from", at(second), "--secret-file", path("key"));
  }

  @Test
  void shouldChangeTheBoundOfUsersAtOneWindow() throws Exception {
    try (BackgroundCommand first = run(before)) {
      events(1);
      tick(12);
      awaitReleases(first, 1);
      CommandResult closed = activate(0);
      assertThat(closed.code()).as(closed.text()).isEqualTo(ExitCode.USAGE.number());
      assertThat(closed.text()).contains("give --from " + at(10) + " or later");
      CommandResult announced = activate(20);
      assertThat(announced.code()).as(announced.text()).isZero();
      assertThat(announced.text())
          .contains("Its first window starts " + at(20))
          .contains("one window for all users");
      events(11);
      tick(22);
      events(21);
      first.awaitText("for version 2");
      assertThat(first.isAlive()).isTrue();
      assertThat(releases()).hasSize(2);
    }
    try (BackgroundCommand second = run(after)) {
      tick(42);
      awaitReleases(second, 4);
      assertThat(releases())
          .extracting(
              release -> release.getWindowStart().toEpochMilli() - BASE,
              release -> release.getCounts().get(0),
              release -> release.getGuarantee().getPipelineVersion())
          .containsExactly(
              tuple(0L, 4L, 1),
              tuple(10_000L, 4L, 1),
              tuple(20_000L, 2L, 2),
              tuple(30_000L, 0L, 2));
    }
  }
}
