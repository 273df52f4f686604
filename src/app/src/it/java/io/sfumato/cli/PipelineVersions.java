// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.gate.NoiseSecret;
import io.sfumato.runtime.Patiently;
import io.sfumato.runtime.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Files of several versions of a pipeline, and the commands that change from one to the next on a
 * cluster. Times are seconds since windows begin.
 *
 * @param folder with all files
 */
record PipelineVersions(TestCluster cluster, Path folder) {
  static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();

  /** Writes the file of a version. */
  void write(int version, String yaml) throws IOException {
    Files.writeString(file(version), yaml);
  }

  Path file(int version) {
    return folder.resolve("v" + version + ".yaml");
  }

  /** Writes new noise secrets. */
  void secrets(String... names) throws Exception {
    for (String name : names) {
      NoiseSecret.random().write(folder.resolve(name));
    }
  }

  /** Derives a tick key from a secret. */
  void tickKey(String name, String secret) {
    succeeds(
        CommandResult.of(
            "tick-key", file(1).toString(), path(name), "--secret-file", path(secret)));
  }

  String path(String name) {
    return folder.resolve(name).toString();
  }

  CommandResult atCluster(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--bootstrap-servers", cluster.servers()));
    return CommandResult.of(all.toArray(new String[0]));
  }

  /** Announces a version. */
  CommandResult activate(int version, long second, String secret, String... more) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "activate",
                file(version).toString(),
                "--from",
                at(second),
                "--secret-file",
                path(secret)));
    all.addAll(List.of(more));
    return atCluster(all.toArray(new String[0]));
  }

  /**
   * Ticks the sources of a version.
   *
   * @param option that the key is given with
   */
  void tick(int version, long second, String option, String key) {
    succeeds(
        atCluster(
            "tick", file(version).toString(), "--yes", "--at", at(second), option, path(key)));
  }

  static void succeeds(CommandResult result) {
    assertThat(result.code()).as(result.text()).isZero();
  }

  static String at(long second) {
    return Instant.ofEpochMilli(BASE + second * 1000).toString();
  }

  BackgroundCommand run(int version, String secret, String data) {
    return BackgroundCommand.run(
        cluster, file(version), folder.resolve(secret), folder.resolve(data));
  }

  /** What runs a version in a process of its own, yet to be started. */
  ProcessBuilder process(int version, String secret, String data, Path log) {
    return CommandProcess.of(
        folder,
        log,
        "run",
        file(version).toString(),
        "--bootstrap-servers",
        cluster.servers(),
        "--secret-file",
        path(secret),
        "--data",
        path(data),
        "--accept-risk",
        "--no-http",
        "--standbys",
        "0");
  }

  /** Waits until a run has released so much. */
  void awaitReleases(BackgroundCommand run, String topic, int number) {
    Patiently.await()
        .atMost(TestCluster.PATIENCE)
        .until(() -> !run.isAlive() || cluster.count(topic) >= number);
    assertThat(run.isAlive()).as(run.text()).isTrue();
  }
}
