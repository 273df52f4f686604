// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.runtime.Patiently;
import io.sfumato.runtime.Processes;
import io.sfumato.runtime.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The program as a user starts it: by its launcher, with an environment. */
final class Launcher implements AutoCloseable {
  private final Path folder;
  private final Map<String, String> environment;
  private final List<Process> started = new ArrayList<>();

  Launcher(Path folder, Map<String, String> environment) {
    this.folder = folder;
    this.environment = environment;
  }

  /** A command that has ended. */
  record Ended(int code, String text) {}

  /** A command that goes on. */
  final class Running {
    private final Process process;
    private final Path log;

    private Running(Process process, Path log) {
      this.process = process;
      this.log = log;
    }

    String text() throws IOException {
      return Files.readString(log);
    }

    void awaitText(String expected) throws IOException {
      Patiently.await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> !process.isAlive() || text().contains(expected));
      assertThat(text()).contains(expected);
    }

    boolean isAlive() {
      return process.isAlive();
    }

    /** As a signal does. */
    Ended stop() throws Exception {
      process.destroy();
      return awaitEnd();
    }

    Ended awaitEnd() throws Exception {
      assertThat(process.waitFor(TestCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .as(text())
          .isTrue();
      return new Ended(process.exitValue(), text());
    }
  }

  Running start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(Path.of("bin/sfumato").toAbsolutePath() + ""));
    command.addAll(List.of(arguments));
    Path log = Files.createTempFile(folder, arguments[0], ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    environment.forEach(
        (name, value) ->
            builder.environment().merge(name, value, (before, more) -> before + " " + more));
    Process process = builder.start();
    started.add(process);
    return new Running(process, log);
  }

  Ended run(String... arguments) throws Exception {
    return start(arguments).awaitEnd();
  }

  @Override
  public void close() {
    Processes.kill(started);
  }
}
