// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.deploy;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sfumato.devcluster.EmbeddedBroker;
import io.sfumato.devcluster.ForkedCluster;
import io.sfumato.runtime.ForkArchive;
import io.sfumato.runtime.Processes;
import io.sfumato.runtime.TestCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/**
 * The processes of the compose file without its engine: three brokers, two instances and the
 * producer, with the commands and the environment that stand there.
 */
@Tag("release")
class ComposeIT {
  private static final String TOKEN = "a-token-of-this-test";
  private static final Path APP = Path.of("/var/lib/sfumato");

  @TempDir Path folder;

  private final Map<String, Process> processes = new LinkedHashMap<>();
  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  void shouldReleaseOnBothInstancesAndHandOverOnSigterm() throws Exception {
    makeSecrets();
    try (ForkedCluster brokers =
        ForkedCluster.start(folder.resolve("brokers"), 3, ForkArchive.here())) {
      new TestCluster(brokers).createTopic("demo-events", 4);
      int[] ports = {EmbeddedBroker.freePort(), EmbeddedBroker.freePort()};
      start("app-1", brokers, ports[0]);
      start("app-2", brokers, ports[1]);
      start("producer", brokers, 0);
      for (int port : ports) {
        await()
            .atMost(TestCluster.PATIENCE)
            .ignoreException(ConnectException.class)
            .until(() -> allLive() && get(port, "/readyz", "").statusCode() == 200);
        assertThat(get(port, "/metrics", "").statusCode()).isEqualTo(401);
        await()
            .atMost(TestCluster.PATIENCE)
            .until(() -> get(port, "/metrics", TOKEN).body().contains("sfumato_releases_total"));
      }
      await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> releases(ports[0]) > 0 && releases(ports[1]) > 0);
      for (Process process : processes.values()) {
        assertShowsNoSecret(process);
      }
      Process first = processes.get("app-1");
      first.destroy();
      assertThat(first.waitFor(TestCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(first.exitValue()).as("ended by SIGTERM").isEqualTo(143);
      assertThat(Files.readString(folder.resolve("app-1.log"))).contains("stopped: ");
      // All partitions are the other one's now.
      await()
          .atMost(TestCluster.PATIENCE)
          .until(
              () ->
                  get(ports[1], "/metrics", TOKEN)
                          .body()
                          .lines()
                          .filter(line -> line.startsWith("sfumato_close_lag_seconds{"))
                          .count()
                      == 4);
      assertThat(Files.readAllLines(folder.resolve("app-2.log")))
          .anyMatch(line -> line.startsWith("{") && line.contains("\"start {"))
          .anyMatch(line -> line.startsWith("{") && line.contains(": all windows up to "))
          .noneMatch(line -> line.contains(TOKEN) || line.contains(TestCluster.KEY))
          .as("no secret stands in the environment")
          .noneMatch(line -> line.contains("/proc/"));
      assertThat(Files.getPosixFilePermissions(folder.resolve("app-1")))
          .as("state is for its owner alone")
          .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    } finally {
      Processes.kill(processes.values());
    }
  }

  /** What whoever may look at a process of this user sees of it, while it runs. */
  private static void assertShowsNoSecret(Process process) throws IOException {
    Path shown = Path.of("/proc", Long.toString(process.pid()));
    assumeTrue(Files.isReadable(shown.resolve("environ")), "no /proc here");
    assertThat(Files.readString(shown.resolve("environ"), StandardCharsets.ISO_8859_1))
        .contains("SFUMATO_KAFKA_BOOTSTRAP_SERVERS=")
        .doesNotContain(TestCluster.KEY, TOKEN);
    assertThat(Files.readString(shown.resolve("cmdline"), StandardCharsets.ISO_8859_1))
        .contains("io.sfumato.cli.Main")
        .doesNotContain(TestCluster.KEY, TOKEN);
  }

  /** As the compose file's first lines say: root's, for the group that the program runs in. */
  private void makeSecrets() throws IOException {
    Path secrets = Files.createDirectory(folder.resolve("secrets"));
    Path key = Files.writeString(secrets.resolve("noise.key"), TestCluster.KEY + "\n");
    Path token = Files.writeString(secrets.resolve("http.token"), TOKEN + "\n");
    boolean root = Files.getAttribute(key, "unix:uid").equals(0);
    for (Path file : List.of(key, token)) {
      Files.setPosixFilePermissions(
          file, PosixFilePermissions.fromString(root ? "r--r-----" : "r--------"));
    }
  }

  private boolean allLive() {
    for (Map.Entry<String, Process> process : processes.entrySet()) {
      assertThat(process.getValue().isAlive()).as(() -> log(process.getKey())).isTrue();
    }
    return true;
  }

  private String log(String name) {
    try {
      return Files.readString(folder.resolve(name + ".log"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @SuppressWarnings("unchecked")
  private void start(String name, ForkedCluster brokers, int port) throws IOException {
    Map<String, Object> compose = new Yaml().load(Files.readString(Path.of("docker/compose.yaml")));
    Map<String, Object> service =
        ((Map<String, Map<String, Object>>) compose.get("services")).get(name);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    // The class path of tests has another one before it.
    command.add("-Dlogback.configurationFile=logback.xml");
    command.addAll(ForkArchive.here());
    command.add("io.sfumato.cli.Main");
    for (String argument : (List<String>) service.get("command")) {
      command.add(
          argument
              .replace("/opt/sfumato/topology", Path.of("topology").toAbsolutePath().toString())
              .replace("/run/secrets", folder.resolve("secrets").toString())
              .replace(APP.toString(), folder.resolve(name).toString())
              .replace("8085", Integer.toString(port)));
    }
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(name + ".log").toFile());
    ((Map<String, String>) service.get("environment"))
        .forEach(
            (variable, value) ->
                builder
                    .environment()
                    .put(
                        variable,
                        switch (variable) {
                          case "SFUMATO_KAFKA_BOOTSTRAP_SERVERS" -> brokers.bootstrapServers();
                          default -> value;
                        }));
    processes.put(name, builder.start());
  }

  private double releases(int port) throws Exception {
    return get(port, "/metrics", TOKEN)
        .body()
        .lines()
        .filter(line -> line.startsWith("sfumato_releases_total"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private HttpResponse<String> get(int port, String path, String token) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("Authorization", "Bearer " + token)
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
