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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several processes share a folder: one has the broker, and others join it. */
@Tag("cluster")
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
    Path data = folder.resolve(".sfumato");
    Process first = start("first.log", "run", FILE, "--embedded", "--broker-port", port);
    awaitRunning("first.log");
    assertThat(log("first.log"))
        .startsWith("pipeline glucose-diary, version 1: diary -> weekly-mix; windows of 7d; ")
        .doesNotContain("{\"plan\"");
    String other = Integer.toString(EmbeddedBroker.freePort());
    for (String another : List.of(port, other)) {
      CommandResult again =
          CommandResult.of(
              "run", FILE, "--embedded", "--broker-port", another, "--data", data.toString());
      assertThat(again.code()).as(again.text()).isEqualTo(3);
      assertThat(again.text())
          .contains("an embedded broker already runs in folder " + data + ", at " + server)
          .contains("leave out --embedded to use it");
    }
    Process second = start("second.log", "run", FILE);
    awaitRunning("second.log");
    assertThat(log("second.log")).contains("joining the broker of folder .sfumato at " + server);
    CommandResult ticked =
        CommandResult.of("tick", FILE, "--at", "1991-01-01", "--yes", "--data", data.toString());
    assertThat(ticked.code()).as(ticked.text()).isZero();
    assertThat(ticked.text()).startsWith("ticked 2 partitions of diary");
    stop(second, "second.log");
    stop(first, "first.log");
    assertThat(folder.resolve(".sfumato/broker.address")).doesNotExist();
  }
}
