// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.examples;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.cli.CommandResult;
import io.sfumato.devcluster.EmbeddedBroker;
import io.sfumato.runtime.Processes;
import io.sfumato.runtime.TestCluster;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
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
  private static final Path CLASSES = Path.of("src/app/target/test-classes");
  private static final Path LIBRARY = CLASSES.resolve("io/sfumato/examples/maximum/library");
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
    List<String> command =
        new ArrayList<>(List.of(Path.of("bin/sfumato").toAbsolutePath().toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder
        .environment()
        .put(
            "SFUMATO_CLASS_PATH",
            CLASSES.toAbsolutePath() + File.pathSeparator + LIBRARY.toAbsolutePath());
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

  /** Loads the packaged program and the library, separate from the classes of this JVM. */
  private static URLClassLoader withLibrary() throws IOException {
    List<URL> places = new ArrayList<>();
    for (Path place : List.of(Path.of("target/sfumato.jar"), CLASSES, LIBRARY)) {
      places.add(place.toUri().toURL());
    }
    return new URLClassLoader(places.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }

  /** Like {@link #ended}, but without the cost of a JVM. */
  private static String command(ClassLoader program, String... arguments) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    PrintStream out = System.out;
    PrintStream err = System.err;
    thread.setContextClassLoader(program); // ServiceLoader searches it
    try {
      Class<?> type = program.loadClass(CommandResult.class.getName());
      Object result = type.getMethod("of", String[].class).invoke(null, (Object) arguments);
      return type.getMethod("code").invoke(result) + " " + type.getMethod("text").invoke(result);
    } finally {
      thread.setContextClassLoader(before);
      System.setOut(out);
      System.setErr(err);
    }
  }

  @Test
  void shouldPlanAuditReleaseAndShowAKindThatItDoesNotKnow() throws Exception {
    String file = Files.writeString(folder.resolve("f.yaml"), YAML).toString();
    assertThat(ended("plan", "f.yaml"))
        .startsWith("0 ")
        .contains("maximum    favourite -> topic favourite", "  share      epsilon 3, delta");
    try (URLClassLoader program = withLibrary()) {
      assertThat(command(program, "plan", file, "-o", "json")).contains("\"name\" : \"favourite\"");
      assertThat(command(program, "audit", file, "--neighbours", "12", "--draws", "1000"))
          .startsWith("0 ")
          .contains("11 neighbours: kept", "of 18 differing draws: kept", "output favourite: ");
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
      String data = folder.resolve(".sfumato").toString();
      String sample = Path.of("topology/diary-sample.csv").toAbsolutePath().toString();
      assertThat(command(program, "produce", file, "--csv", sample, "--data", data))
          .startsWith("0 ");
      assertThat(
              command(program, "consume", "favourite", "--follow", "--max", "10", "--data", data))
          .startsWith("0 ")
          .containsPattern("1988-03-21 00:00 +p0\\d +mostly \\d\\d");
      assertThat(
              command(program, "consume", "favourite", "--max", "1", "-o", "json", "--data", data))
          .contains("\"category\":", "\"mechanism\":\"discrete-laplace");
      assertThat(page()).contains("\"output\":\"favourite\"", "\"text\":\"mostly\"");
      run.destroy();
      assertThat(run.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(log("run.log")).contains("stopped: ");
    }
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
