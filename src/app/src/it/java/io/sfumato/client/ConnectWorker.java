// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.devcluster.EmbeddedBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A standalone worker of Kafka Connect with Debezium's JDBC sink, in a process of its own. */
final class ConnectWorker implements AutoCloseable {
  private static final Path WORKER = Path.of("src/connect/target/worker").toAbsolutePath();
  private static final Path PLUGINS = Path.of("src/connect/target/plugins").toAbsolutePath();

  private final Process process;

  private ConnectWorker(Process process) {
    this.process = process;
  }

  static boolean isThere() {
    return Files.isDirectory(WORKER) && Files.isDirectory(PLUGINS);
  }

  /** Starts a worker; it keeps no offsets of its own, since those of a sink are its group's. */
  static ConnectWorker start(Path folder, String servers, Map<String, String> sink)
      throws IOException {
    Path worker =
        properties(
            folder.resolve("worker.properties"),
            Map.of(
                "bootstrap.servers",
                servers,
                "plugin.path",
                PLUGINS.toString(),
                "plugin.discovery",
                "service_load",
                "listeners",
                "HTTP://127.0.0.1:" + EmbeddedBroker.freePort(),
                "offset.storage.file.filename",
                folder.resolve("offsets").toString(),
                // Rarely, so that a worker that is killed repeats what it has written.
                "offset.flush.interval.ms",
                "600000",
                "key.converter",
                "org.apache.kafka.connect.json.JsonConverter",
                "value.converter",
                "org.apache.kafka.connect.json.JsonConverter"));
    return new ConnectWorker(
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                WORKER + "/*",
                "org.apache.kafka.connect.cli.ConnectStandalone",
                worker.toString(),
                properties(folder.resolve("sink.properties"), sink).toString())
            .redirectErrorStream(true)
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(folder.resolve("connect.log").toFile()))
            .start());
  }

  private static Path properties(Path file, Map<String, String> settings) throws IOException {
    return Files.writeString(
        file,
        settings.entrySet().stream()
            .map(entry -> entry.getKey() + "=" + entry.getValue() + "\n")
            .collect(Collectors.joining()));
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** As if its machine had failed. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(1, TimeUnit.MINUTES)) {
      kill();
    }
  }
}
