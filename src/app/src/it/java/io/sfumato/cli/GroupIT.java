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
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Several pipelines in one process: what happens to one of them does not happen to the others. */
@Tag("cluster")
@ExtendWith(SharedBroker.class)
class GroupIT {
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();

  @TempDir static Path folder;
  private static TestCluster cluster;

  @BeforeAll
  static void connect(TestCluster shared) {
    cluster = shared;
  }

  private static void write(String name) throws Exception {
    Path files = Files.createDirectories(folder.resolve("files"));
    Files.writeString(files.resolve(name + ".yaml"), HistogramFile.lifetime(name, 4));
    Path keys = Files.createDirectories(folder.resolve("keys"));
    NoiseSecret.random().write(keys.resolve(name + ".key"));
    cluster.createTopic(name + "-in", 1);
  }

  private static void publish(String name, int window) throws Exception {
    try (var producer = cluster.producer()) {
      long time = BASE + window * 10_000L;
      producer.send(TestCluster.event(name + "-in", 0, BASE, "ann", time, "a"));
    }
  }

  private static BackgroundCommand runAll() {
    return BackgroundCommand.start(
        "run",
        folder.resolve("files").toString(),
        "--bootstrap-servers",
        cluster.servers(),
        "--secret-file",
        folder.resolve("keys").toString(),
        "--data",
        folder.resolve("data").toString(),
        "--accept-risk",
        "--standbys",
        "0",
        "--port",
        "0",
        "--probe-port",
        "0");
  }

  @Test
  void shouldKeepTheOthersRunningWhenOneEnds() throws Exception {
    write("left");
    write("right");
    Files.writeString(
        folder.resolve("files").resolve("wrong.yaml"), "pipeline: wrong\nbudgit: 1\n");
    for (String name : List.of("left", "right")) {
      publish(name, 0);
      publish(name, 1);
    }
    try (BackgroundCommand all = runAll()) {
      cluster.awaitCount("left-mix", 1);
      cluster.awaitCount("right-mix", 1);
      all.awaitText("[wrong] ");
      RunningPage page = RunningPage.of(all.text());
      page.awaitStatus("/left/readyz", 200);
      page.awaitStatus("/right/readyz", 200);
      assertThat(page.status("/readyz")).as("one file is wrong").isEqualTo(503);
      assertThat(page.status("/livez")).isEqualTo(200);
      assertThat(page.get("/").body()).contains("href=\"left/\"", "wrong.yaml", "exit code 3");
      assertThat(page.get("/left/snapshot.json").body()).contains("left");
      assertThat(page.get("/metrics").body())
          .contains("sfumato_ready{pipeline=\"left\"} 1.0")
          .contains("sfumato_ready{pipeline=\"right\"} 1.0")
          .containsOnlyOnce("# HELP sfumato_ready ");

      cluster.deleteTopics(List.of("sfumato-left-ledger-store-changelog"));
      page.awaitStatus("/left/livez", 503);
      publish("right", 2);
      cluster.awaitCount("right-mix", 2);
      assertThat(page.status("/right/readyz")).isEqualTo(200);
      assertThat(all.isAlive()).isTrue();
      CommandResult ended = all.stop();
      assertThat(ended.code()).as(ended.text()).isEqualTo(5);
    }
  }
}
