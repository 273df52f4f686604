// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.docs;

import io.sfumato.cli.StartArchive;
import io.sfumato.runtime.ForkArchive;
import io.sfumato.runtime.Processes;
import io.sfumato.runtime.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs the commands of one document, as written and in their order, in a fresh folder that has what
 * a built checkout has: one script, where the machine can on a network of its own, so that the
 * ports are free that documents speak of.
 */
final class Rehearsal {
  /**
   * Job control: what is in the background is a group of its own. SIGINT may be ignored where Maven
   * runs in the background. The shell of a group ends before what it runs, which still writes: a
   * lock, which all of the group inherit, is free when the last has ended.
   */
  private static final String HEAD =
      """
      set -m
      if command -v ip >/dev/null && [ -n "${OWN_NETWORK:-}" ]; then ip link set lo up; fi
      up=
      down() {
        if [ -n "$up" ]; then kill -TERM -- "-$up"; wait "$up"; flock held true; up=; fi
      }
      trap down EXIT
      """;

  private static final String BACKGROUND =
      """
      down
      flock held bash -euo pipefail %1$d.sh >%1$d.out 2>&1 </dev/null & up=$!
      until grep -qE -f %1$d.up %1$d.out; do
        if ! kill -0 "$up" 2>/dev/null; then up=; echo 1 >%1$d.rc; exit; fi
        sleep 0.1
      done
      echo 0 >%1$d.rc
      """;

  private static final String FOREGROUND =
      """
      bash -euo pipefail %1$d.sh >%1$d.out 2>&1 </dev/null
      rc=$?; echo $rc >%1$d.rc
      [ $rc = 0 ] || exit
      """;

  private static final Path DEBIANS_PYTHON = Path.of("/usr/bin/python3");

  private static final String JAVA =
      """
      #!/bin/sh
      case " $* " in *lib-broker*) archive='%s' ;; *) archive='%s' ;; esac
      exec %s $archive "$@"
      """;

  private final Path folder;

  private Rehearsal(Path folder) {
    this.folder = folder;
  }

  static Rehearsal of(List<Block> blocks, Path folder) throws Exception {
    for (String part : List.of("bin", "clients", "docker", "topology")) {
      copy(Path.of(part), folder);
    }
    Files.createSymbolicLink(folder.resolve("target"), Path.of("target").toAbsolutePath());
    if (Files.isExecutable(DEBIANS_PYTHON)) { // it has the modules that blocks need
      Files.createSymbolicLink(folder.resolve("bin/python3"), DEBIANS_PYTHON);
    }
    StringBuilder script = new StringBuilder(HEAD);
    for (int i = 0; i < blocks.size(); i++) {
      Block block = blocks.get(i);
      Files.writeString(folder.resolve(i + ".sh"), block.text());
      if (block.note("up when").isPresent()) {
        Files.writeString(folder.resolve(i + ".up"), block.note("up when").get() + "\n");
      }
      script.append((block.note("up when").isPresent() ? BACKGROUND : FOREGROUND).formatted(i));
    }
    Files.writeString(folder.resolve("script"), script);
    Rehearsal rehearsal = new Rehearsal(folder);
    rehearsal.run();
    return rehearsal;
  }

  private void run() throws Exception {
    boolean own = new ProcessBuilder("unshare", "-rn", "true").start().waitFor() == 0;
    if (own) {
      run(List.of("unshare", "-rn", "bash", "script"), Map.of("OWN_NETWORK", "yes"));
    } else {
      synchronized (Rehearsal.class) { // one at a time has the ports
        run(List.of("bash", "script"), Map.of());
      }
    }
  }

  private void run(List<String> command, Map<String, String> network) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("script.out").toFile());
    builder.environment().put("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
    builder.environment().put("JAVA_HOME", javaHome().toString());
    // Each folder would make an archive of classes of its own first.
    builder.environment().put("SFUMATO_NO_ARCHIVE", "yes");
    // What documents run is short: better code would cost more than it saves.
    builder.environment().put("SFUMATO_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1");
    builder.environment().putAll(network);
    Process process = builder.start();
    if (!process.waitFor(TestCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      List<ProcessHandle> all = Processes.family(process).toList();
      all.forEach(ProcessHandle::destroy);
      Processes.awaitEnd(all);
    }
  }

  /** A Java that starts from the archive of the class path that it is given. */
  private Path javaHome() throws IOException {
    Path home = folder.resolve("java");
    Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
    Files.writeString(
        java,
        JAVA.formatted(
            String.join(" ", ForkArchive.options()),
            String.join(" ", StartArchive.options()),
            Path.of(System.getProperty("java.home"), "bin", "java")));
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    return home;
  }

  /** Exit code of a block; one that was not reached, or did not end in time, has none. */
  String code(int block) throws IOException {
    Path file = folder.resolve(block + ".rc");
    return Files.exists(file) ? Files.readString(file).strip() : "none";
  }

  String out(int block) throws IOException {
    Path file = folder.resolve(block + ".out");
    return Files.exists(file) ? Files.readString(file) : "";
  }

  Path file(String name) {
    return folder.resolve(name);
  }

  private static void copy(Path from, Path folder) throws IOException {
    Files.createDirectories(folder.resolve(from).getParent());
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, folder.resolve(file.toString()));
      }
    }
  }
}
