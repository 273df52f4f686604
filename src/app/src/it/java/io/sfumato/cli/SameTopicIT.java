// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.gate.NoiseSecret;
import io.sfumato.runtime.HistogramFile;
import io.sfumato.runtime.Patiently;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A budget of another name does not release a topic's history again without somebody's consent. */
@ExtendWith(SharedBroker.class)
class SameTopicIT {
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();

  @TempDir static Path folder;
  private static TestCluster cluster;

  @BeforeAll
  static void connect(TestCluster shared) throws Exception {
    cluster = shared;
    NoiseSecret.parse(TestCluster.KEY).write(folder.resolve("noise.key"));
  }

  private static Path file(String name, String topic, String account) throws Exception {
    return Files.writeString(
        folder.resolve(name + ".yaml"),
        HistogramFile.perWindow(name)
            .replace(name + "-in", topic)
            .replace("period: window", "period: window" + account));
  }

  private static BackgroundCommand run(Path file, String... options) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "run",
                file.toString(),
                "--bootstrap-servers",
                cluster.servers(),
                "--secret-file",
                folder.resolve("noise.key").toString(),
                "--data",
                folder.resolve(file.getFileName() + ".d").toString(),
                "--accept-risk",
                "--no-http",
                "--standbys",
                "0"));
    arguments.addAll(List.of(options));
    return BackgroundCommand.start(arguments.toArray(String[]::new));
  }

  private static void send(String topic) throws Exception {
    cluster.createTopic(topic, 1);
    try (var producer = cluster.producer()) {
      for (int window = 0; window < 2; window++) {
        long time = BASE + window * 10_000L;
        producer.send(TestCluster.event(topic, 0, BASE, "ann", time, "a"));
      }
    }
  }

  private static void release(Path file, String output, String... options) throws Exception {
    try (BackgroundCommand run = run(file, options)) {
      awaitRelease(run, output);
    }
  }

  private static void awaitRelease(BackgroundCommand run, String output) {
    Patiently.await()
        .atMost(TestCluster.PATIENCE)
        .until(() -> !run.isAlive() || cluster.count(output) >= 1);
    assertThat(run.isAlive()).as(run.text()).isTrue();
  }

  private static CommandResult refused(Path file) throws Exception {
    try (BackgroundCommand run = run(file)) {
      return run.awaitEnd();
    }
  }

  @Test
  void shouldRefuseABudgetOfAnotherNameUntilTheAddedLossIsAccepted() throws Exception {
    send("live");
    Path live3 = file("live3", "live", "");
    Path live4 = file("live4", "live", "");
    release(live3, "live3-mix");
    for (int attempt = 0; attempt < 2; attempt++) {
      CommandResult refused = refused(live4);
      assertThat(refused.code()).as(refused.text()).isEqualTo(3);
      assertThat(refused.err())
          .contains("budget 'live4' is new")
          .contains("these budgets have started on data of the same topic 'live': live3")
          .contains("budget.account", "ledger export", "--accept-added-loss");
    }
    assertThat(report(live4)).doesNotContain("live3");
    try (BackgroundCommand run = run(live4, "--accept-added-loss")) {
      awaitRelease(run, "live4-mix");
      assertThat(run.text()).contains("other budgets have released data of topic 'live': live3");
    }
    assertThat(report(live4))
        .contains("these budgets had already released data of topic 'live': live3")
        .contains("--accept-added-loss");
    for (Path begun : List.of(live4, live3)) {
      try (BackgroundCommand again = run(begun)) {
        again.awaitText("is running");
        assertThat(again.text()).doesNotContain("have released data of");
      }
    }
  }

  @Test
  void shouldLetBudgetsOfOneAccountReadOneTopic() throws Exception {
    send("shared-live");
    String account = ", account: { name: live-people, epsilon: 4, delta: 2e-6 }";
    release(file("share-a", "shared-live", account), "share-a-mix");
    release(file("share-b", "shared-live", account), "share-b-mix");
    CommandResult other = refused(file("share-c", "shared-live", ""));
    assertThat(other.code()).as(other.text()).isEqualTo(3);
    assertThat(other.err())
        .contains("have started on data of the same topic 'shared-live': share-a, share-b");
  }

  private static String report(Path file) {
    CommandResult result =
        CommandResult.of("report", file.toString(), "--bootstrap-servers", cluster.servers());
    assertThat(result.code()).as(result.text()).isZero();
    return result.out();
  }
}
