// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.supply;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.runtime.Processes;
import io.sfumato.runtime.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/**
 * The file system of a Debian machine on which nothing is installed but apt. Commands run in it
 * with the machine's network. Their mounts end with them.
 */
final class CleanSystem {
  /** Arguments: the root folder, the command. Java asks what is mounted where it writes. */
  private static final String ENTER =
      "mount --bind \"$1\" \"$1\" && mount -t proc proc \"$1/proc\" && exec chroot \"$@\"";

  private static final List<String> ENVIRONMENT =
      List.of(
          "env",
          "--ignore-environment",
          "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
          "DEBIAN_FRONTEND=noninteractive",
          "SFUMATO_WAIT=45s",
          "TZ=Pacific/Apia");

  private final Path root;

  /**
   * @param root a folder that does not exist
   */
  CleanSystem(Path root) throws Exception {
    this.root = root;
    Properties system = new Properties();
    try (var in = Files.newBufferedReader(Path.of("/etc/os-release"))) {
      system.load(in);
    }
    SecondBuild.run(
        root.getParent(),
        "mmdebstrap",
        "--quiet",
        "--mode=root",
        "--variant=apt",
        // The test installs packages.
        "--skip=cleanup/apt",
        "--format=directory",
        system.getProperty("VERSION_CODENAME"),
        root.toString());
  }

  /** A file in it, as this machine sees it. */
  Path file(String absolute) {
    return root.resolve(absolute.substring(1));
  }

  /** Runs a command in it, which must succeed, and returns what it prints. */
  String run(String... command) throws Exception {
    Path log = Files.createTempFile(root.getParent(), "command", ".log");
    Process process = process(List.of(command)).redirectOutput(log.toFile()).start();
    boolean ended = process.waitFor(TestCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    Processes.kill(List.of(process));
    String out = Files.readString(log);
    assertThat(ended && process.exitValue() == 0)
        .as(() -> String.join(" ", command) + "\n" + out)
        .isTrue();
    return out;
  }

  /** A process in it. A signal to the process reaches the command itself. */
  ProcessBuilder process(List<String> command) throws IOException {
    List<String> all = new ArrayList<>(ENVIRONMENT);
    all.addAll(List.of("unshare", "--mount", "--propagation", "private", "sh", "-c", ENTER, "sh"));
    all.add(root.toString());
    all.addAll(command);
    return new ProcessBuilder(all).redirectErrorStream(true);
  }
}
