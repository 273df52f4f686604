// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * MirrorMaker 2 in a process of its own, with the settings that docs/operate/fail-over.md names. It
 * copies what aborted transactions wrote, too.
 */
final class MirrorProcess implements AutoCloseable {
  private static final Path WORKER = Path.of("src/connect/target/worker").toAbsolutePath();

  private final Process process;

  private MirrorProcess(Process process) {
    this.process = process;
  }

  static boolean isThere() {
    return Files.isDirectory(WORKER);
  }

  /** Copies all topics of one cluster to another, under the same names. */
  static MirrorProcess start(Path folder, String from, String to) throws IOException {
    Path settings =
        Files.writeString(
            folder.resolve("mirror.properties"),
            String.join(
                "\n",
                List.of(
                    "clusters = first, second",
                    "first.bootstrap.servers = " + from,
                    "second.bootstrap.servers = " + to,
                    "first->second.enabled = true",
                    "second->first.enabled = false",
                    "topics = .*",
                    "replication.policy.class ="
                        + " org.apache.kafka.connect.mirror.IdentityReplicationPolicy",
                    "sync.topic.acls.enabled = false",
                    "emit.heartbeats.enabled = false",
                    "emit.checkpoints.enabled = false",
                    "refresh.topics.interval.seconds = 1",
                    "replication.factor = 1",
                    "offset-syncs.topic.replication.factor = 1",
                    "offset.storage.replication.factor = 1",
                    "status.storage.replication.factor = 1",
                    "config.storage.replication.factor = 1",
                    "")));
    return new MirrorProcess(
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                WORKER + "/*",
                "org.apache.kafka.connect.mirror.MirrorMaker",
                settings.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("mirror.log").toFile()))
            .start());
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Kills it: what comes later at the source is never copied. */
  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
