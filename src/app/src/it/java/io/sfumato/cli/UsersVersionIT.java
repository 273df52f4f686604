// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import io.sfumato.schema.CountRelease;
import io.sfumato.serde.Outputs;
import java.nio.file.Path;
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
  private static PipelineVersions versions;

  @BeforeAll
  static void start(TestCluster shared) throws Exception {
    cluster = shared;
    cluster.createTopic("changed-users-in", 2);
    versions = new PipelineVersions(cluster, folder);
    versions.write(1, V1);
    String fewer = V1.replace("per-window: 2", "per-window: 1");
    versions.write(2, fewer.replace("version: 1", "version: 2"));
    versions.write(3, fewer.replace("version: 1", "version: 3"));
    versions.write(4, fewer.replace("version: 1", "version: 4") + "format: avro\n");
    versions.secrets("key");
    versions.tickKey("tick", "key");
  }

  /** Three records of a user in each partition. */
  private static void events(long second) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = cluster.producer()) {
      for (int i = 0; i < 6; i++) {
        producer.send(
            TestCluster.event(
                "changed-users-in",
                i % 2,
                PipelineVersions.BASE,
                "user" + i % 2,
                PipelineVersions.BASE + second * 1000,
                "a"));
      }
    }
  }

  private static List<CountRelease> releases() throws Exception {
    return cluster.committed("changed-users-visits").stream()
        .map(record -> (CountRelease) Outputs.decodeAny(record.value()))
        .sorted(Comparator.comparing(CountRelease::getWindowStart))
        .toList();
  }

  /** Version 2 may have a partition by then that version 1 cannot take back. */
  private static void refuseAnotherVersionBesideTheNext() throws Exception {
    try (BackgroundCommand early = versions.run(2, "key", "early")) {
      early.awaitText("waiting for version 1 to stop");
      await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> cluster.instances("sfumato-changed-users") == 2);
      CommandResult refused = versions.activate(3, 30, "key");
      assertThat(refused.code()).as(refused.text()).isEqualTo(ExitCode.STOPPED.number());
      assertThat(refused.text())
          .containsAnyOf(
              "instances of version 2 have started", "version 2 is taking over from version 1");
    }
  }

  /** Readers of a topic that know one format would stop in the middle of it. */
  private static void refuseAnotherFormat() {
    CommandResult avro = versions.activate(4, 20, "key");
    assertThat(avro.code()).as(avro.text()).isEqualTo(ExitCode.REFUSED_FILE.number());
    assertThat(avro.text())
        .contains(
            "outputs in topic 'changed-users-visits' are JSON, and by the file they would be Avro."
                + " Write 'format: json' in the file, or give --change-format");
    PipelineVersions.succeeds(versions.activate(4, 20, "key", "--change-format"));
  }

  @Test
  void shouldChangeTheBoundOfUsersAtOneWindow() throws Exception {
    try (BackgroundCommand first = versions.run(1, "key", "data")) {
      events(1);
      versions.tick(1, 12, "--tick-key", "tick");
      versions.awaitReleases(first, "changed-users-visits", 1);
      CommandResult closed = versions.activate(2, 0, "key");
      assertThat(closed.code()).as(closed.text()).isEqualTo(ExitCode.USAGE.number());
      assertThat(closed.text()).contains("give --from " + PipelineVersions.at(10) + " or later");
      refuseAnotherFormat();
      CommandResult announced = versions.activate(2, 20, "key");
      PipelineVersions.succeeds(announced);
      assertThat(announced.text())
          .contains("Its first window starts " + PipelineVersions.at(20))
          .contains("one window for all users");
      events(11);
      versions.tick(1, 22, "--tick-key", "tick");
      events(21);
      first.awaitText("partitions 0, 1 wait for version 2");
      assertThat(first.isAlive()).isTrue();
      assertThat(releases()).hasSize(2);
      refuseAnotherVersionBesideTheNext();
    }
    try (BackgroundCommand second = versions.run(2, "key", "data")) {
      versions.tick(1, 42, "--tick-key", "tick");
      versions.awaitReleases(second, "changed-users-visits", 4);
      assertThat(releases())
          .extracting(
              release -> release.getWindowStart().toEpochMilli() - PipelineVersions.BASE,
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
