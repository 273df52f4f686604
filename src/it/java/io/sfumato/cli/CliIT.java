// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.devcluster.EmbeddedBroker;
import io.sfumato.runtime.Processes;
import io.sfumato.runtime.TestCluster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
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
import org.junit.jupiter.api.io.TempDir;

/** The packaged program as a user runs it: processes, arguments, output, exit codes. */
class CliIT {
  private static final Duration PATIENCE = TestCluster.PATIENCE;

  @TempDir Path folder;

  private final List<Process> started = new ArrayList<>();

  private record Result(int code, String out) {}

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

  /** A broker and the pipeline in one process. */
  private Process startEmbedded(Path yaml, int port, Path log) throws IOException {
    String data = folder.resolve("data").toString();
    String brokerPort = Integer.toString(port);
    return start(
        log,
        Map.of(),
        "run",
        yaml.toString(),
        "--embedded",
        "--broker-port",
        brokerPort,
        "--data",
        data);
  }

  private Result run(String... arguments) throws Exception {
    Path log = Files.createTempFile(folder, "command", ".log");
    Process process = start(log, Map.of(), arguments);
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    return new Result(process.exitValue(), Files.readString(log));
  }

  /** The same in this process, which starts sooner: where the rest of a story matters. */
  private static Result command(String... arguments) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = System.out;
    PrintStream err = System.err;
    PrintStream both = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    System.setOut(both);
    System.setErr(both);
    try {
      PrintWriter printer = new PrintWriter(both, true);
      int code = Main.commandLine().setOut(printer).setErr(printer).execute(arguments);
      return new Result(code, bytes.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
  }

  /** However slow the machine is: the demo goes on until a window is released. */
  @Test
  void shouldShowADemoThatEndsByItselfWithASummary() throws Exception {
    Result demo = run("demo", "--seconds", "1");
    assertThat(demo.out())
        .contains("noise key: ephemeral")
        .contains("look at it in a browser: http://127.0.0.1:")
        .doesNotContain("|-INFO") // logback's talk about itself
        .contains("true (shown in this demo only)");
    Matcher summary =
        Pattern.compile("summary: (\\d+) events, (\\d+) windows, (\\d+) releases, (\\d+) refusals")
            .matcher(demo.out());
    assertThat(summary.find()).as(demo.out()).isTrue();
    assertThat(Integer.parseInt(summary.group(1))).isPositive();
    assertThat(Integer.parseInt(summary.group(2))).isPositive();
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
    Process run = startEmbedded(yaml, port, log);
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
          .contains("visits.csv line 4: column 'at' is empty; sent as it is")
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
                  .out())
          .contains("\"topic\" : \"visits\"", "\"partitions\" : 2");
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(
                          command("consume", "pages", "-o", "json", "--bootstrap-servers", servers)
                              .out()
                              .lines())
                      .hasSize(2)
                      .allMatch(line -> line.contains("\"probabilities\":[")));
      assertThat(command("consume", "p-dead-letters", "--bootstrap-servers", servers).out())
          .as("when it came, where it lies, and why")
          .containsPattern("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d  \\S+-\\d offset \\d+  NO_TIME");
      assertThat(
              run("consume", "p-dead-letters", "-o", "json", "--bootstrap-servers", servers).out())
          .containsPattern("\"timestamp\":\"\\d{4}-\\d\\d-\\d\\dT");
      Result table =
          run("consume", "pages", "--file", yaml.toString(), "--bootstrap-servers", servers);
      assertThat(table.out())
          .contains("2026-01-05 10:00  ann")
          .contains("home")
          .contains("shop")
          .containsPattern("next release of pages: the window that begins 2026-01-05 1\\d:00");
      assertThat(
              run(
                      "consume",
                      "p-refusals",
                      "--file",
                      yaml.toString(),
                      "--bootstrap-servers",
                      servers)
                  .code())
          .as("not of a release")
          .isEqualTo(2);
      Result nobody = run("forget", yaml.toString(), "ann", "", "--bootstrap-servers", servers);
      assertThat(nobody.code()).isEqualTo(2);
      assertThat(nobody.out()).contains("name is empty; nothing was sent");
      Result forgot = run("forget", yaml.toString(), "ann", "--bootstrap-servers", servers);
      assertThat(forgot.out()).contains("FORGET: 1 subject;");
      await().atMost(PATIENCE).until(() -> Files.readString(log).contains("forget obeyed"));
      assertThat(Files.readString(log)).contains(", 1 name: open data is deleted");
      announceTwice(yaml, servers);
    } finally {
      run.destroy(); // SIGTERM
      assertThat(run.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
    assertThat(Files.readString(log, StandardCharsets.UTF_8))
        .contains("stopped: 2 records accepted");
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
    assertThat(run(command.toArray(String[]::new)).out())
        .as("next to what is released, and not where the wall clock is")
        .contains("Its first window is the one that starts 2026-01-05T11:00:00Z")
        .contains("or, if that has closed by then, the first that is open");
    List<String> past = new ArrayList<>(command);
    past.addAll(List.of("--from", "2020-01-01T10:00:00Z"));
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(run(past.toArray(String[]::new)).out())
                    .contains("starts 2026-01-05T11:00:00Z")
                    .contains("those from 2020-01-01T10:00:00Z to there are released"));
    List<String> early = new ArrayList<>(command);
    early.addAll(List.of("--from", "2090-01-01T10:20:00Z"));
    Result first = run(early.toArray(String[]::new));
    assertThat(first.out())
        .contains("Its first window is the one that starts 2090-01-01T11:00:00Z")
        .contains("10:20:00Z lies within a window, which stays version 1's");
    List<String> late = new ArrayList<>(command);
    late.addAll(List.of("--from", "2090-01-01T12:00:00Z"));
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(run(late.toArray(String[]::new)).out())
                    .contains(
                        "this replaces what was announced before: version 2 from 2090-01-01T1")
                    .contains("starts 2090-01-01T12:00:00Z"));
  }

  /** A modeller fits rates to a diary that she may not see. */
  @Test
  void shouldAnswerAQueryAndPrintThePosterior() throws Exception {
    Path yaml = folder.resolve("d.yaml");
    Files.writeString(
        yaml,
        """
        pipeline: d
        input: { topic: diary, subject: who, time: at, category: what, categories: [eat, walk, sleep] }
        window: { size: 7d }
        budget: { name: d, unit: record, epsilon: 10, delta: 1e-6, period: window }
        releases:
          - histogram: { name: mix, share: { epsilon: 4, delta: 9e-7 } }
          - mollifier: { name: taste, share: { epsilon: 2 } }
          - abc: { name: fit, method: rejection, threshold: 0.1, share: { epsilon: 4, delta: 1e-7 }, queries: 1, candidates: 500 }
        """);
    // Of 1,200 entries in the week from 2026-01-05 half are meals, a third walks.
    StringBuilder csv = new StringBuilder("who,at,what\n");
    String[] entries = {"eat", "eat", "eat", "walk", "walk", "sleep"};
    for (int i = 0; i < 1200; i++) {
      csv.append("ann,2026-01-%02dT10:00:00Z,%s\n".formatted(5 + i / 200, entries[i % 6]));
    }
    Path file = Files.writeString(folder.resolve("diary.csv"), csv);
    int port = EmbeddedBroker.freePort();
    String servers = "127.0.0.1:" + port;
    Path log = folder.resolve("run.log");
    Process run = startEmbedded(yaml, port, log);
    try {
      await().atMost(PATIENCE).until(() -> Files.readString(log).contains("is running"));
      assertThat(
              command(
                      "produce",
                      "--topic",
                      "diary",
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
          "--data",
          folder.resolve("data").toString());
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
      Result posterior = run(query.toArray(String[]::new));
      assertThat(posterior.code()).as(posterior.out()).isZero();
      assertThat(posterior.out())
          .contains("500 of 500 candidates answered")
          .contains("1,200 records, threshold 0.1")
          .contains("the same query again, costs no more budget");
      Matcher eat = Pattern.compile("(?m)^eat +(0\\.\\d+) ").matcher(posterior.out());
      assertThat(eat.find()).as(posterior.out()).isTrue();
      // Some 35 candidates are near, each other one is accepted with a chance of 0.2%: for a miss
      // twenty of them would have to be, which is below 1e-9.
      assertThat(Double.parseDouble(eat.group(1))).isBetween(0.4, 0.6);
      assertThat(folder.resolve("fit.png")).isNotEmptyFile();
      // The same question again: the same answers, no charge. Another one is too many.
      String first = posterior.out().substring(posterior.out().indexOf("query q-"));
      Result again = command(query.toArray(String[]::new));
      assertThat(again.out().substring(again.out().indexOf("query q-"))).isEqualTo(first);
      Result population = command("estimate", yaml.toString(), "--bootstrap-servers", servers);
      assertThat(population.out())
          .contains("2026-01-05T00:00:00Z: 1 item")
          .containsPattern("sleep .* \\d+\\.\\d%, 95%: \\d+\\.\\d to \\d+\\.\\d%");
      assertThat(command("consume", "taste", "--bootstrap-servers", servers).out())
          .contains("item 1 of 1");
      List<String> other = new ArrayList<>(query);
      other.addAll(List.of("--seed", "2", "--candidates", "5"));
      assertThat(command(other.toArray(String[]::new)).out()).contains("refused: 5 PERIOD_SPENT");
    } finally {
      run.destroy();
      assertThat(run.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
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
    Result drafted =
        run("new", yaml.toString(), "--csv", data.toString(), "--categories", "run,walk");
    assertThat(drafted.code()).as(drafted.out()).isZero();
    assertThat(drafted.out())
        .contains("by names and types of fields alone")
        .contains("It counts 'kind' (--category) of each 'user' (--subject) by the time in 'at'")
        .contains("in windows of", "1d (--window)", "edit the file before its first start")
        .contains("protects");
    assertThat(Files.readString(yaml)).contains("subject: user").contains("[run, walk]");
    assertThat(command("plan", yaml.toString()).code()).isZero();
    Result again = command("new", yaml.toString(), "--csv", data.toString());
    assertThat(again.code()).isEqualTo(3);
    assertThat(again.out()).contains("exists already");
    Result blind = command("new", folder.resolve("other.yaml").toString());
    assertThat(blind.code()).isEqualTo(2);
    assertThat(blind.out()).contains("give --subject");
  }

  @Test
  void shouldPrintJsonAndNothingElse() throws Exception {
    Result bench = run("bench", "--quick", "--only", "size", "-o", "json");
    assertThat(bench.code()).isZero();
    assertThat(bench.out()).startsWith("{").contains("\"ledger_bytes\" : 5");
  }

  @Test
  void shouldRefuseAPortThatIsInUseAndATokenThatCanBeGuessed() throws Exception {
    String demo = Path.of("topology", "demo.yaml").toAbsolutePath().toString();
    try (ServerSocket busy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(busy.getLocalPort());
      Result refused = run("demo", "--pipeline", demo, "--port", port);
      assertThat(refused.code()).isEqualTo(4);
      assertThat(refused.out()).contains("cannot listen at 127.0.0.1:" + port).contains("--port");
    }
    Path token = Files.writeString(folder.resolve("token"), "short\n");
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-r--r--"));
    Result open = run("demo", "--pipeline", demo, "--token-file", token.toString());
    assertThat(open.code()).isEqualTo(3);
    assertThat(open.out()).contains("chmod 600 " + token);
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
    Result guessed = run("demo", "--pipeline", demo, "--token-file", token.toString());
    assertThat(guessed.code()).isEqualTo(3);
    assertThat(guessed.out()).contains("at least 16 characters").doesNotContain("short\n");
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
        .startsWith("note: the noise secret stands in the environment")
        .contains("--secret-file FILE");
    assertThat(Files.readString(log)).doesNotContain(secret);
    Path key = Files.writeString(folder.resolve("noise.key"), secret);
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    List<String> withFile = new ArrayList<>(start);
    withFile.addAll(List.of("--secret-file", key.toString()));
    Result quiet = run(withFile.toArray(String[]::new));
    assertThat(quiet.code()).isEqualTo(4);
    assertThat(quiet.out()).doesNotContain("/proc/");
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
    assertThat(run("tick", good.toString(), "--bootstrap-servers", "127.0.0.1:1").out())
        .contains("nothing to sign ticks with: give the noise secret with --secret-file FILE");
    assertThat(run("secret", "signer").code()).isZero();
    Result alone =
        run(
            "tick",
            good.toString(),
            "--bootstrap-servers",
            "127.0.0.1:1",
            "--secret-file",
            "signer");
    assertThat(alone.code()).isEqualTo(4);
    assertThat(alone.out().lines()).as("Kafka's own log is off").hasSize(1);
    assertThat(alone.out())
        .contains("no Kafka cluster answers at ", "Is it up, and --bootstrap-servers right?");
    assertThat(command("demo", "--seconds", "0").out()).contains("allowed is 1 to 86400");
    assertThat(command("plan", good.toString(), "-o", "json").out()).contains("\"renyi_epsilon\"");
    assertThat(command("describe", good.toString()).out()).contains("Processor: keeper");
    assertThat(run("secret", "k").code()).isZero();
    assertThat(run("secret", "k").out()).contains("exists already");
  }
}
