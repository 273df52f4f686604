package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sfumato.devcluster.EmbeddedBroker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged program as a user runs it: processes, arguments, output, exit codes. */
class CliIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Path JAR = Path.of("target", "sfumato.jar").toAbsolutePath();

  @TempDir Path folder;

  private record Result(int code, String out) {}

  private Process start(Path log, Map<String, String> environment, String... arguments)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dsfumato.home=" + Path.of("").toAbsolutePath(),
                "-cp",
                JAR.toString(),
                Main.class.getName()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .directory(folder.toFile());
    builder.environment().putAll(environment);
    return builder.start();
  }

  private Result run(String... arguments) throws Exception {
    Path log = Files.createTempFile(folder, "command", ".log");
    Process process = start(log, Map.of(), arguments);
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    return new Result(process.exitValue(), Files.readString(log));
  }

  @Test
  void shouldShowADemoThatEndsByItselfWithASummary() throws Exception {
    Result demo = run("demo", "--seconds", "14");
    assertThat(demo.out())
        .contains("noise key: ephemeral")
        .contains("true (shown in this demo only)");
    Matcher summary =
        Pattern.compile("summary: (\\d+) events, (\\d+) windows, (\\d+) releases, (\\d+) refusals")
            .matcher(demo.out());
    assertThat(summary.find()).as(demo.out()).isTrue();
    assertThat(Integer.parseInt(summary.group(1))).isPositive();
    assertThat(Integer.parseInt(summary.group(3)))
        .as("every window has a release of each of its listeners")
        .isGreaterThanOrEqualTo(Integer.parseInt(summary.group(2)));
    assertThat(demo.code()).isZero();
  }

  @Test
  void shouldReleaseFromACsvFileInThreeCommands() throws Exception {
    Path yaml = folder.resolve("p.yaml");
    Files.writeString(
        yaml,
        """
        pipeline: p
        input: { topic: visits, subject: who, time: at, category: page, categories: [home, shop] }
        window: { size: 1h }
        budget: { name: p, unit: record, epsilon: 1, delta: 1e-6, period: window }
        releases:
          - histogram: { name: pages, share: { epsilon: 1, delta: 1e-6 } }
        """);
    Path csv = folder.resolve("visits.csv");
    Files.writeString(
        csv,
        "who,at,page\nann,2026-01-05T10:00:00Z,home\nbob,2026-01-05T10:30:00Z,shop\nann,,home\n");
    int port = EmbeddedBroker.freePort();
    String servers = "127.0.0.1:" + port;
    Path log = folder.resolve("run.log");
    Process run =
        start(
            log,
            Map.of(),
            "run",
            yaml.toString(),
            "--embedded",
            "--broker-port",
            Integer.toString(port),
            "--data",
            folder.resolve("data").toString());
    try {
      await().atMost(PATIENCE).until(() -> Files.readString(log).contains("is running"));
      Result produced =
          run(
              "produce",
              "--topic",
              "visits",
              "--csv",
              csv.toString(),
              "--subject",
              "who",
              "--time",
              "at",
              "--category",
              "page",
              "--bootstrap-servers",
              servers);
      assertThat(produced.out())
          .contains("visits.csv line 4: column 'at' is empty")
          .contains("published 3 events to visits, 1 lines rejected");
      assertThat(run("tick", yaml.toString(), "--bootstrap-servers", servers).code()).isZero();
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(
                          run("consume", "pages", "-o", "json", "--bootstrap-servers", servers)
                              .out()
                              .lines())
                      .hasSize(2)
                      .allMatch(line -> line.contains("\"probabilities\":[")));
      assertThat(run("consume", "p-dead-letters", "--bootstrap-servers", servers).out())
          .contains("NO_TIME");
      Result table = run("consume", "pages", "--bootstrap-servers", servers);
      assertThat(table.out()).contains("2026-01-05 10:00  ann").contains("home").contains("shop");
    } finally {
      run.destroy(); // SIGTERM
      assertThat(run.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
    assertThat(Files.readString(log, StandardCharsets.UTF_8))
        .contains("stopped: 2 records accepted");
  }

  @Test
  void shouldExplainRefusalsInOneMessageWithItsExitCode() throws Exception {
    Path bad = Files.writeString(folder.resolve("bad.yaml"), "pipeline: Bad\n");
    Result plan = run("plan", bad.toString());
    assertThat(plan.code()).isEqualTo(3);
    assertThat(plan.out())
        .contains("field 'pipeline': found 'Bad', allowed is lower-case letters")
        .doesNotContain("\tat ");
    Path good = Path.of("topology", "diary.yaml").toAbsolutePath();
    Result secretless = run("run", good.toString());
    assertThat(secretless.code()).isEqualTo(3);
    assertThat(secretless.out()).contains("no noise secret: make one with 'sfumato secret FILE'");
    assertThat(run("frobnicate").code()).isEqualTo(2);
    assertThat(run("demo", "--seconds", "0").out()).contains("allowed is 1 to 86400");
    assertThat(run("plan", good.toString(), "-o", "json").out()).contains("\"renyi_epsilon\"");
    assertThat(run("describe", good.toString()).out()).contains("Processor: keeper");
    assertThat(run("secret", "k").code()).isZero();
    assertThat(run("secret", "k").out()).contains("exists already");
    for (String command : List.of("demo", "run", "produce", "consume", "tick", "plan", "secret")) {
      assertThat(run(command, "--help").out()).as(command).contains("Example");
    }
  }
}
