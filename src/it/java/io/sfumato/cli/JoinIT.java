// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.devcluster.EmbeddedBroker;
import io.sfumato.runtime.Processes;
import io.sfumato.runtime.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several processes in one folder: one has the broker, others join it. */
class JoinIT {
  private static final Duration PATIENCE = TestCluster.PATIENCE;
  private static final String FILE = Path.of("topology/diary.yaml").toAbsolutePath().toString();

  @TempDir Path folder;

  private final List<Process> started = new ArrayList<>();

  private Process start(String log, String... arguments) throws IOException {
    Process process = CommandProcess.of(folder, folder.resolve(log), arguments).start();
    started.add(process);
    return process;
  }

  private String log(String name) throws IOException {
    return Files.readString(folder.resolve(name));
  }

  private String ended(String log, String... arguments) throws Exception {
    Process process = start(log, arguments);
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    return process.exitValue() + " " + log(log);
  }

  private void awaitRunning(String log) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(log(log)).contains("pipeline glucose-diary is running"));
  }

  private void stop(Process process, String log) throws Exception {
    process.destroy();
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(log(log)).contains("stopped: ");
  }

  @AfterEach
  void endAll() {
    Processes.kill(started);
  }

  @Test
  void shouldJoinTheBrokerOfItsFolderAndNeverStartAnother() throws Exception {
    String port = Integer.toString(EmbeddedBroker.freePort());
    String server = "127.0.0.1:" + port;
    Process first = start("first.log", "run", FILE, "--embedded", "--broker-port", port);
    awaitRunning("first.log");
    assertThat(log("first.log"))
        .startsWith("pipeline glucose-diary, version 1: diary -> weekly-mix; windows of 7d; ")
        .doesNotContain("{\"plan\"");
    String other = Integer.toString(EmbeddedBroker.freePort());
    for (String another : List.of(port, other)) {
      assertThat(ended("again.log", "run", FILE, "--embedded", "--broker-port", another))
          .startsWith("3 ")
          .contains("a broker runs in the folder .sfumato already, at " + server)
          .contains("leave out --embedded to join it");
    }
    Process second = start("second.log", "run", FILE);
    awaitRunning("second.log");
    assertThat(log("second.log")).contains("joining the broker of folder .sfumato at " + server);
    assertThat(ended("tick.log", "tick", FILE, "--at", "1991-01-01", "--yes"))
        .startsWith("0 ticked 2 partitions of diary");
    stop(second, "second.log");
    stop(first, "first.log");
    assertThat(folder.resolve(".sfumato/broker.address")).doesNotExist();
  }
}
