// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.devcluster.EmbeddedBroker;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.runtime.Processes;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The program as a user runs it: arguments, output, exit codes. Each of the codes 0, 2, 3 and 4 is
 * checked on a JVM at least once; most commands run in the test's process.
 */
@ExtendWith(SharedBroker.class)
class CliIT {
  private static final Duration PATIENCE = TestCluster.PATIENCE;

  @TempDir Path folder;

  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void endAll() {
    Processes.kill(started);
  }

  private Process start(Path log, Map<String, String> environment, String... arguments)
      throws IOException {
    ProcessBuilder builder = CommandProcess.of(folder, log, arguments);
    builder.environment().putAll(environment);
    Process process = builder.start();
    started.add(process);
    return process;
  }

  /** A command in a process of its own; standard output and standard error are one text. */
  private CommandResult process(String... arguments) throws Exception {
    Path log = Files.createTempFile(folder, "command", ".log");
    return ended(start(log, Map.of(), arguments), log);
  }

  private static CommandResult ended(Process process, Path log) throws Exception {
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    String text = Files.readString(log);
    return new CommandResult(process.exitValue(), text, "", text);
  }

  private static CommandResult command(String... arguments) {
    return CommandResult.of(arguments);
  }

  /** However slow the machine is: the demo goes on until a window is released. */
  @Test
  void shouldShowADemoThatEndsByItselfWithASummary() throws Exception {
    CommandResult demo = command("demo", "--seconds", "14");
    assertThat(demo.text())
        .contains("noise key: temporary")
        .contains("status page: http://127.0.0.1:")
        .doesNotContain("|-INFO") // logback's talk about itself
        .contains("true (shown in this demo only)");
    Matcher summary =
        Pattern.compile("summary: (\\d+) events, (\\d+) windows, (\\d+) releases, (\\d+) refusals")
            .matcher(demo.text());
    assertThat(summary.find()).as(demo.text()).isTrue();
    assertThat(Integer.parseInt(summary.group(1))).isPositive();
    assertThat(Integer.parseInt(summary.group(2))).isPositive();
    assertThat(Integer.parseInt(summary.group(3)))
        .as("every window has a release of each of its listeners")
        .isGreaterThanOrEqualTo(Integer.parseInt(summary.group(2)));
    assertThat(demo.code()).isZero();
  }

  /** A user's first commands are processes here: run with a broker, produce, consume. */
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
      CommandResult produced =
          process(
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
      assertThat(produced.code()).as(produced.text()).isZero();
      assertThat(produced.text())
          .contains(
              "visits.csv line 4: column 'at' is empty; sent unchanged, becomes a dead letter")
          .contains("published 3 events to visits (1 of them is without a usable time")
          .contains(", 0 lines not sent");
      assertThat(
              command(
                      "tick",
                      yaml.toString(),
                      "--bootstrap-servers",
                      servers,
                      "--data",
                      folder.resolve("data").toString(),
                      "-o",
                      "json")
                  .text())
          .contains("\"topic\" : \"visits\"", "\"partitions\" : 2");
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(
                          command("consume", "pages", "-o", "json", "--bootstrap-servers", servers)
                              .text()
                              .lines())
                      .hasSize(2)
                      .allMatch(line -> line.startsWith("{\"type\":\"DirichletRelease\","))
                      .allMatch(line -> line.contains("\"probabilities\":[")));
      assertThat(command("consume", "p-dead-letters", "--bootstrap-servers", servers).text())
          .as("when it came, where it lies, and why")
          .containsPattern("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d  \\S+-\\d offset \\d+  NO_TIME");
      assertThat(
              process("consume", "p-dead-letters", "-o", "json", "--bootstrap-servers", servers)
                  .text())
          .as("JSON and nothing else")
          .startsWith("{\"type\":\"DeadLetter\",")
          .containsPattern("\"timestamp\":\"\\d{4}-\\d\\d-\\d\\dT");
      CommandResult table =
          process("consume", "pages", "--file", yaml.toString(), "--bootstrap-servers", servers);
      assertThat(table.text())
          .contains("2026-01-05 10:00  ann")
          .contains("home")
          .contains("shop")
          .containsPattern("next release of pages: window from 2026-01-05 1\\d:00");
      assertThat(
              command(
                      "consume",
                      "p-refusals",
                      "--file",
                      yaml.toString(),
                      "--bootstrap-servers",
                      servers)
                  .code())
          .as("not of a release")
          .isEqualTo(2);
      CommandResult nobody =
          command("forget", yaml.toString(), "ann", "", "--bootstrap-servers", servers);
      assertThat(nobody.code()).isEqualTo(2);
      assertThat(nobody.text())
          .contains("name is empty, longer than 256 bytes", "nothing was sent");
      CommandResult forgot =
          command("forget", yaml.toString(), "ann", "--bootstrap-servers", servers);
      assertThat(forgot.text()).contains("FORGET: 1 subject.");
      await()
          .atMost(PATIENCE)
          .until(() -> Files.readString(log).contains(": erased open data of "));
      assertThat(Files.readString(log)).contains(": erased open data of 1 name; ledgers retained");
      announceTwice(yaml, servers);
    } finally {
      run.destroy(); // SIGTERM
      assertThat(run.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
    assertThat(run.exitValue()).as("128 and the number of SIGTERM").isEqualTo(143);
    assertThat(Files.readString(log, StandardCharsets.UTF_8))
        .contains("stopped: 2 records accepted")
        .doesNotContain("|-INFO"); // logback's talk about itself
  }

  /** Within a window, which stays the old version's, and then to a later one. */
  private void announceTwice(Path yaml, String servers) throws Exception {
    Path next =
        Files.writeString(
            folder.resolve("p2.yaml"),
            Files.readString(yaml).replace("pipeline: p", "pipeline: p\nversion: 2"));
    String key = folder.resolve("data").resolve("noise.key").toString();
    List<String> command =
        List.of("activate", next.toString(), "--secret-file", key, "--bootstrap-servers", servers);
    assertThat(command(command.toArray(String[]::new)).text())
        .as("next to what is released, and not where the wall clock is")
        .contains("Its first window starts 2026-01-05T11:00:00Z")
        .contains("or, if that window is closed when it takes over, with the first open one.");
    List<String> past = new ArrayList<>(command);
    past.addAll(List.of("--from", "2020-01-01T10:00:00Z"));
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(command(past.toArray(String[]::new)).text())
                    .contains("starts 2026-01-05T11:00:00Z")
                    .contains(
                        "version 1 has already released the windows from 2020-01-01T10:00:00Z to"
                            + " then"));
    List<String> early = new ArrayList<>(command);
    early.addAll(List.of("--from", "2090-01-01T10:20:00Z"));
    CommandResult first = command(early.toArray(String[]::new));
    assertThat(first.text())
        .contains("Its first window starts 2090-01-01T11:00:00Z")
        .contains("10:20:00Z lies within a window that version 1 releases");
    List<String> late = new ArrayList<>(command);
    late.addAll(List.of("--from", "2090-01-01T12:00:00Z"));
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(command(late.toArray(String[]::new)).text())
                    .contains(
                        "this replaces the previous announcement: version 2 from 2090-01-01T1")
                    .contains("starts 2090-01-01T12:00:00Z"));
  }

  /** A modeller fits rates to a diary that she may not see. */
  @Test
  void shouldAnswerAQueryAndPrintThePosterior(TestCluster cluster) throws Exception {
    Path yaml = folder.resolve("d.yaml");
    Files.writeString(
        yaml,
        """
        pipeline: cli-query
        input: { topic: cli-query-in, subject: who, time: at, category: what, categories: [eat, walk, sleep] }
        window: { size: 7d }
        budget: { name: cli-query, unit: record, epsilon: 10, delta: 1e-6, period: window }
        releases:
          - histogram: { name: cli-query-mix, share: { epsilon: 4, delta: 9e-7 } }
          - mollifier: { name: cli-query-taste, share: { epsilon: 2 } }
          - abc: { name: cli-query-fit, method: rejection, threshold: 0.1, share: { epsilon: 4, delta: 1e-7 }, queries: 1, candidates: 500 }
        """);
    // Of 1,200 entries in the week from 2026-01-05 half are meals, a third walks.
    StringBuilder csv = new StringBuilder("who,at,what\n");
    String[] entries = {"eat", "eat", "eat", "walk", "walk", "sleep"};
    for (int i = 0; i < 1200; i++) {
      csv.append("ann,2026-01-%02dT10:00:00Z,%s\n".formatted(5 + i / 200, entries[i % 6]));
    }
    Path file = Files.writeString(folder.resolve("diary.csv"), csv);
    Path secret = folder.resolve("noise.key");
    NoiseSecret.random().write(secret);
    String servers = cluster.servers();
    cluster.createTopic("cli-query-in", 2);
    try (BackgroundCommand run =
        BackgroundCommand.run(cluster, yaml, secret, folder.resolve("data"))) {
      run.awaitText("is running");
      assertThat(
              command(
                      "produce",
                      "--topic",
                      "cli-query-in",
                      "--csv",
                      file.toString(),
                      "--subject",
                      "who",
                      "--time",
                      "at",
                      "--category",
                      "what",
                      "--bootstrap-servers",
                      servers)
                  .code())
          .isZero();
      // Not to now: datasets answer for four windows after their close.
      command(
          "tick",
          yaml.toString(),
          "--at",
          "2026-01-20T00:00:00Z",
          "--yes",
          "--bootstrap-servers",
          servers,
          "--secret-file",
          secret.toString());
      List<String> query =
          List.of(
              "query",
              "--pipeline",
              yaml.toString(),
              "--simulator",
              "event-rates",
              "--subject",
              "ann",
              "--window",
              "2026-01-05",
              "--plot",
              folder.resolve("fit.png").toString(),
              "--bootstrap-servers",
              servers);
      CommandResult posterior = command(query.toArray(String[]::new));
      assertThat(posterior.code()).as(posterior.text()).isZero();
      assertThat(posterior.text())
          .contains("500 of 500 candidates answered")
          .contains("1,200 records, threshold 0.1")
          .contains("or running the same query again, costs no budget");
      Matcher eat = Pattern.compile("(?m)^eat +(0\\.\\d+) ").matcher(posterior.text());
      assertThat(eat.find()).as(posterior.text()).isTrue();
      // Some 35 candidates are near, each other one is accepted with a chance of 0.2%: for a miss
      // twenty of them would have to be, which is below 1e-9.
      assertThat(Double.parseDouble(eat.group(1))).isBetween(0.4, 0.6);
      assertThat(folder.resolve("fit.png")).isNotEmptyFile();
      // The same question again: the same answers, no charge. Another one is too many.
      String first = posterior.text().substring(posterior.text().indexOf("query q-"));
      CommandResult again = command(query.toArray(String[]::new));
      assertThat(again.text().substring(again.text().indexOf("query q-"))).isEqualTo(first);
      CommandResult population =
          command("estimate", yaml.toString(), "--bootstrap-servers", servers);
      assertThat(population.text())
          .contains("2026-01-05T00:00:00Z: 1 item")
          .containsPattern("sleep .* \\d+\\.\\d%, 95%: \\d+\\.\\d to \\d+\\.\\d%");
      assertThat(command("consume", "cli-query-taste", "--bootstrap-servers", servers).text())
          .contains("item 1 of 1");
      List<String> other = new ArrayList<>(query);
      other.addAll(List.of("--seed", "2", "--candidates", "5"));
      assertThat(command(other.toArray(String[]::new)).text()).contains("refused: 5 PERIOD_SPENT");
    }
  }

  @Test
  void shouldDraftAPipelineFileThatPlans() throws Exception {
    StringBuilder csv = new StringBuilder("user,at,kind,note\n");
    Instant begin = Instant.parse("2026-01-05T00:00:00Z");
    for (int i = 0; i < 2_000; i++) {
      String kind = i % 3 == 0 ? "walk" : "run";
      csv.append("u%d,%s,%s,%d\n".formatted(i % 20, begin.plusSeconds(i * 600L), kind, i));
    }
    Path data = Files.writeString(folder.resolve("steps.csv"), csv);
    Path yaml = folder.resolve("steps.yaml");
    CommandResult drafted =
        command("new", yaml.toString(), "--csv", data.toString(), "--categories", "run,walk");
    assertThat(drafted.code()).as(drafted.text()).isZero();
    assertThat(drafted.text())
        .contains("from names and types of fields alone")
        .contains("It counts 'kind' (--category) of each 'user' (--subject) by the time in 'at'")
        .contains("in windows of", "1d (--window)", "edit the file before its first start")
        .contains("protects");
    assertThat(Files.readString(yaml)).contains("subject: user").contains("[run, walk]");
    assertThat(command("plan", yaml.toString()).code()).isZero();
    CommandResult again = command("new", yaml.toString(), "--csv", data.toString());
    assertThat(again.code()).isEqualTo(3);
    assertThat(again.text()).contains("exists already");
    CommandResult blind = command("new", folder.resolve("other.yaml").toString());
    assertThat(blind.code()).isEqualTo(2);
    assertThat(blind.text()).contains("give --subject");
  }

  @Test
  void shouldRefuseAPortThatIsInUseAndATokenThatCanBeGuessed() throws Exception {
    String demo = Path.of("topology", "demo.yaml").toAbsolutePath().toString();
    try (ServerSocket busy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(busy.getLocalPort());
      CommandResult refused = command("demo", "--pipeline", demo, "--port", port);
      assertThat(refused.code()).isEqualTo(4);
      assertThat(refused.text()).contains("cannot listen at 127.0.0.1:" + port).contains("--port");
    }
    Path token = Files.writeString(folder.resolve("token"), "short\n");
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-r--r--"));
    CommandResult open = command("demo", "--pipeline", demo, "--token-file", token.toString());
    assertThat(open.code()).isEqualTo(3);
    assertThat(open.text()).contains("chmod 600 " + token);
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
    CommandResult guessed = command("demo", "--pipeline", demo, "--token-file", token.toString());
    assertThat(guessed.code()).isEqualTo(3);
    assertThat(guessed.text()).contains("at least 16 characters").doesNotContain("short\n");
  }

  /** Who starts it so is told once, before anything else can go wrong; who gives a file is not. */
  @Test
  void shouldSayAtTheStartWhoSeesASecretInTheEnvironment() throws Exception {
    String yaml = Path.of("topology", "diary.yaml").toAbsolutePath().toString();
    String secret = "00112233445566778899aabbccddeeff102132445566778898a9bacbdcedfe0f";
    List<String> start = List.of("run", yaml, "--bootstrap-servers", "127.0.0.1:1", "--wait=PT0S");
    Path log = folder.resolve("exposed.log");
    Process exposed =
        start(log, Map.of("SFUMATO_NOISE_SECRET", secret), start.toArray(String[]::new));
    assertThat(exposed.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(exposed.exitValue()).as("it got as far as the cluster").isEqualTo(4);
    assertThat(Files.readAllLines(log))
        .filteredOn(line -> line.contains("/proc/PID/environ"))
        .singleElement()
        .asString()
        .startsWith("note: the noise secret is set as an environment variable")
        .contains("--secret-file FILE");
    assertThat(Files.readString(log)).doesNotContain(secret);
    Path key = Files.writeString(folder.resolve("noise.key"), secret);
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    List<String> withFile = new ArrayList<>(start);
    withFile.addAll(
        List.of("--secret-file", key.toString(), "--data", folder.resolve("none").toString()));
    CommandResult quiet = command(withFile.toArray(String[]::new));
    assertThat(quiet.code()).isEqualTo(4);
    assertThat(quiet.text()).doesNotContain("/proc/");
  }

  @Test
  void shouldExplainRefusalsInOneMessageWithItsExitCode() throws Exception {
    Path bad = Files.writeString(folder.resolve("bad.yaml"), "pipeline: Bad\n");
    CommandResult plan = process("plan", bad.toString());
    assertThat(plan.code()).isEqualTo(3);
    assertThat(plan.text())
        .contains("field 'pipeline': found 'Bad', allowed is lower-case letters")
        .doesNotContain("\tat ");
    Path good = Path.of("topology", "diary.yaml").toAbsolutePath();
    CommandResult secretless =
        command("run", good.toString(), "--data", folder.resolve("none").toString());
    assertThat(secretless.code()).isEqualTo(3);
    assertThat(secretless.text()).contains("no noise secret: make one with 'sfumato secret FILE'");
    assertThat(process("frobnicate").code()).isEqualTo(2);
    assertThat(
            command(
                    "tick",
                    good.toString(),
                    "--bootstrap-servers",
                    "127.0.0.1:1",
                    "--data",
                    folder.resolve("none").toString())
                .text())
        .contains("no key to sign ticks with: give the noise secret with --secret-file FILE");
    String signer = folder.resolve("signer").toString();
    assertThat(command("secret", signer).code()).isZero();
    Path log = folder.resolve("alone.log");
    Map<String, String> briefly = Map.of("SFUMATO_WAIT", "1s");
    CommandResult alone =
        ended(
            start(
                log,
                briefly,
                "tick",
                good.toString(),
                "--bootstrap-servers",
                "127.0.0.1:1",
                "--secret-file",
                signer),
            log);
    assertThat(alone.code()).isEqualTo(4);
    assertThat(alone.text().lines()).as("Kafka's own log is off").hasSize(1);
    assertThat(alone.text())
        .contains(
            "no Kafka cluster answers at ", "Check that it is up and --bootstrap-servers is right");
    assertThat(command("demo", "--seconds", "0").text()).contains("allowed is 1 to 86400");
    assertThat(command("plan", good.toString(), "-o", "json").text()).contains("\"renyi_epsilon\"");
    assertThat(command("describe", good.toString()).text()).contains("Processor: keeper");
    String key = folder.resolve("k").toString();
    assertThat(command("secret", key).code()).isZero();
    assertThat(command("secret", key).text()).contains("exists already");
  }
}
