// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.examples;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.devcluster.EmbeddedBroker;
import io.sfumato.runtime.Processes;
import io.sfumato.runtime.TestCluster;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A kind of release that the program does not know comes as a library on its class path: planned,
 * audited, replayed, charged, drawn, published, read and shown without a line in the program.
 */
@Tag("release")
class OtherKindIT {
  private static final Duration PATIENCE = TestCluster.PATIENCE;
  private static final Pattern PAGE = Pattern.compile("http://127\\.0\\.0\\.1:\\d+/");
  private static final String YAML =
      """
      pipeline: favourites
      input: { topic: diary, subject: patient, time: timestamp, category: code, categories: [33, 34, 35, 58, 60, 62], other: other }
      window: { size: 7d, grace: 1d }
      budget: { name: favourites, unit: record, epsilon: 4, delta: 1e-6, period: window }
      releases:
        - maximum: { name: favourite, share: { epsilon: 3, delta: 5e-7 } }
        - histogram: { name: mix, method: best, share: { epsilon: 1, delta: 5e-7 }, plan-size: 40 }
      """;

  @TempDir Path folder;

  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void endAll() {
    Processes.kill(started);
  }

  private Process start(String log, String... arguments) throws IOException {
    Path here = Path.of("").toAbsolutePath();
    List<String> command = new ArrayList<>(List.of(here.resolve("bin/sfumato").toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder
        .environment()
        .put(
            "SFUMATO_CLASS_PATH",
            here
                + "/target/test-classes:"
                + here
                + "/target/test-classes/io/sfumato/examples/maximum/library");
    Process process =
        builder
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(log).toFile())
            .directory(folder.toFile())
            .start();
    started.add(process);
    return process;
  }

  private String log(String name) throws IOException {
    return Files.readString(folder.resolve(name));
  }

  private String ended(String... arguments) throws Exception {
    Process process = start("command.log", arguments);
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    return process.exitValue() + " " + log("command.log");
  }

  @Test
  void shouldPlanAuditReleaseAndShowAKindThatItDoesNotKnow() throws Exception {
    Files.writeString(folder.resolve("f.yaml"), YAML);
    assertThat(ended("plan", "f.yaml"))
        .startsWith("0 ")
        .contains("maximum    favourite -> topic favourite", "  share      epsilon 3, delta");
    assertThat(ended("plan", "f.yaml", "-o", "json")).contains("\"name\" : \"favourite\"");
    assertThat(ended("audit", "f.yaml", "--neighbours", "12", "--draws", "1000"))
        .startsWith("0 ")
        .contains("11 neighbours: kept", "of 18 draws that differ: kept", "output favourite: ");
    String port = Integer.toString(EmbeddedBroker.freePort());
    Process run =
        start(
            "run.log",
            "run",
            "f.yaml",
            "--embedded",
            "--broker-port",
            port,
            "--port",
            "0",
            "--probe-port",
            "0");
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(log("run.log")).contains("favourites is running"));
    String sample = Path.of("topology/diary-sample.csv").toAbsolutePath().toString();
    assertThat(ended("produce", "f.yaml", "--csv", sample)).startsWith("0 ");
    assertThat(ended("consume", "favourite", "--follow", "--max", "10"))
        .startsWith("0 1988-03-21 00:00")
        .containsPattern("p0\\d +mostly \\d\\d");
    assertThat(ended("consume", "favourite", "--max", "1", "-o", "json"))
        .contains("\"category\":", "\"mechanism\":\"noisy-maximum discrete-laplace");
    assertThat(page()).contains("\"output\":\"favourite\"", "\"text\":\"mostly\"");
    run.destroy();
    assertThat(run.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(log("run.log")).contains("stopped: ");
  }

  /** What the page is told, until it is told of the output. */
  private String page() throws IOException {
    Matcher address = PAGE.matcher(log("run.log"));
    assertThat(address.find()).isTrue();
    try (BufferedReader events =
        new BufferedReader(
            new InputStreamReader(
                new URL(address.group() + "events").openStream(), StandardCharsets.UTF_8))) {
      String line = events.readLine();
      while (line != null && !line.contains("\"output\":\"favourite\"")) {
        line = events.readLine();
      }
      return line;
    }
  }
}
