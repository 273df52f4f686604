// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.deploy;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sfumato.cli.CommandProcess;
import io.sfumato.devcluster.EmbeddedBroker;
import io.sfumato.runtime.Processes;
import io.sfumato.runtime.TestCluster;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Both trials without their engines: the commands of the compose file, and those of the pod. */
@Tag("release")
class TrialIT {
  private static final String HOME = "/var/lib/sfumato";

  @TempDir Path folder;

  private final String page = Integer.toString(EmbeddedBroker.freePort());
  private final String probes = Integer.toString(EmbeddedBroker.freePort());
  private final String broker = Integer.toString(EmbeddedBroker.freePort());
  private final List<Process> started = new ArrayList<>();
  private final HttpClient client = HttpClient.newHttpClient();

  @AfterEach
  void endAll() {
    Processes.kill(started);
  }

  @Test
  void shouldReleaseWithTheCommandsOfTheComposeFile() throws Exception {
    JsonNode services =
        DeployedFiles.documents(DeployedFiles.DOCKER.resolve("compose.trial.yaml"))
            .get(0)
            .path("services");
    Map<String, String> places = Map.of("/opt/sfumato/topology", absolute(Path.of("topology")));
    List<String> run = here(services.at("/sfumato/command"), places);
    run.addAll(List.of("--probe-port", probes, "--broker-port", broker));
    Process trial = start("run.log", run);
    await()
        .atMost(TestCluster.PATIENCE)
        .ignoreException(ConnectException.class)
        .until(() -> isAlive(trial, "run.log") && get(probes, "/readyz").statusCode() == 200);
    start("play.log", here(services.at("/producer/command"), places));
    // The second command of the file's first lines.
    Process consume =
        start("consume.log", List.of("consume", "listening", "--follow", "--max", "4"));
    assertThat(consume.waitFor(TestCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(consume.exitValue()).as(log("consume.log")).isZero();
    assertThat(Files.readAllLines(folder.resolve("consume.log"))).hasSizeGreaterThanOrEqualTo(4);
    assertThat(get(page, "/").statusCode()).isEqualTo(200);
    stop(trial);
  }

  @Test
  void shouldReleaseWithTheCommandsOfThePod() throws Exception {
    JsonNode containers =
        DeployedFiles.documents(DeployedFiles.KUBERNETES.resolve("trial/pod.yaml"))
            .get(0)
            .at("/spec/template/spec/containers");
    Map<String, String> places =
        Map.of(
            "/etc/sfumato/pipeline",
            absolute(DeployedFiles.KUBERNETES.resolve("trial")),
            HOME,
            absolute(folder));
    JsonNode first = containers.get(0);
    List<String> run = here(first.path("args"), places);
    run.addAll(List.of("--broker-port", broker));
    Process trial = start("run.log", run);
    for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
      List<String> command = here(first.path(probe).at("/exec/command"), places);
      await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> isAlive(trial, "run.log") && exitCode(command) == 0);
    }
    start("play.log", here(containers.get(1).path("args"), places));
    await().atMost(TestCluster.PATIENCE).until(() -> releases() > 0);
    stop(trial);
    assertThat(exitCode(here(first.at("/livenessProbe/exec/command"), places)))
        .as("nobody answers any more")
        .isNotZero();
  }

  private static String absolute(Path path) {
    return path.toAbsolutePath().toString();
  }

  /** A command with this test's folders and ports. */
  private List<String> here(JsonNode command, Map<String, String> places) {
    List<String> here = new ArrayList<>();
    for (String argument : DeployedFiles.texts(command)) {
      String replaced = argument.replaceAll("\\b8085\\b", page).replaceAll("\\b8086\\b", probes);
      for (Map.Entry<String, String> place : places.entrySet()) {
        replaced = replaced.replace(place.getKey(), place.getValue());
      }
      here.add(replaced);
    }
    assertThat(here).as(command.toString()).isNotEmpty();
    return here;
  }

  private Process start(String log, List<String> arguments) throws IOException {
    Process process =
        CommandProcess.of(folder, folder.resolve(log), arguments.toArray(String[]::new)).start();
    started.add(process);
    return process;
  }

  private static int exitCode(List<String> command) throws Exception {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(process.waitFor(TestCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  private boolean isAlive(Process process, String log) throws IOException {
    assertThat(process.isAlive()).as(log(log)).isTrue();
    return true;
  }

  private String log(String name) throws IOException {
    return Files.readString(folder.resolve(name));
  }

  private void stop(Process trial) throws Exception {
    trial.destroy();
    assertThat(trial.waitFor(TestCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(log("run.log")).contains("pipeline demo is running").contains("stopped: ");
  }

  private double releases() throws Exception {
    return get(page, "/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith("sfumato_releases_total"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private HttpResponse<String> get(String port, String path) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
