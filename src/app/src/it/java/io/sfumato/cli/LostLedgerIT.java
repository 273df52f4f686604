// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.gate.NoiseSecret;
import io.sfumato.runtime.Patiently;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import io.sfumato.schema.CountRelease;
import io.sfumato.schema.DirichletRelease;
import io.sfumato.serde.Outputs;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The noise secret is lost, or the budget's registry, or the topics of the state: what an operator
 * sees, and how the pipeline continues on the same cluster (docs/operate/fail-over.md).
 */
@Tag("cluster")
// Its tests mostly wait, so they run side by side.
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(SharedBroker.class)
class LostLedgerIT {
  private static final long WINDOW = 10_000;
  private static final Duration AHEAD = Duration.ofMinutes(10);
  private static final int RELEASED = 2;

  @TempDir static Path folder;
  private static TestCluster cluster;

  @BeforeAll
  static void connect(TestCluster shared) throws Exception {
    cluster = shared;
    NoiseSecret.parse(TestCluster.KEY).write(folder.resolve("noise.key"));
    NoiseSecret.random().write(folder.resolve("new.key"));
    NoiseSecret.random().write(folder.resolve("third.key"));
  }

  private static Path file(String name, String budget) throws Exception {
    return Files.writeString(
        folder.resolve(budget + ".yaml"),
        """
        pipeline: %1$s
        input: { topic: %1$s-in, subject: who, time: at, category: what, categories: [a, b] }
        window: { size: 10s, max-ahead: 10m }
        budget: { name: %2$s, unit: record, epsilon: 2, delta: 1e-6, period: window }
        releases:
          - histogram: { name: %1$s-mix, share: { epsilon: 2, delta: 1e-6 } }
        """
            .formatted(name, budget));
  }

  private static BackgroundCommand run(Path file, String secret, String state) {
    return BackgroundCommand.run(cluster, file, folder.resolve(secret), folder.resolve(state));
  }

  private static CommandResult ledger(String command, Path file, String secret, String... more) {
    List<String> words = new ArrayList<>(List.of("ledger", command, file.toString()));
    words.addAll(List.of("--bootstrap-servers", cluster.servers()));
    words.addAll(List.of("--secret-file", folder.resolve(secret).toString()));
    words.addAll(Arrays.asList(more));
    return CommandResult.of(words.toArray(String[]::new));
  }

  private static CommandResult failOver(Path to, Path former, Instant stopped, String secret) {
    return ledger(
        "fail-over",
        to,
        secret,
        "--former",
        former.toString(),
        "--stopped-at",
        stopped.toString(),
        "--append-time",
        "--accept-risk");
  }

  private static void send(String name, long begin, int windows) throws Exception {
    try (var producer = cluster.producer()) {
      for (int window = 0; window < windows; window++) {
        long time = begin + window * WINDOW;
        long stamp = Math.max(System.currentTimeMillis(), time - AHEAD.toMillis());
        producer.send(TestCluster.event(name + "-in", 0, stamp, "ann", time, "a"));
      }
    }
  }

  /** As {@code --append-time} says: brokers stamp records. */
  private static void createRecords(String name) throws Exception {
    try (Admin admin = cluster.client()) {
      TestCluster.create(
          admin,
          List.of(
              new NewTopic(name + "-in", 1, (short) 1)
                  .configs(Map.of("message.timestamp.type", "LogAppendTime"))));
    }
  }

  /** Releases windows under the first secret and stops; the first window's start. */
  private static long release(String name, Path file) throws Exception {
    createRecords(name);
    long begin = Instant.now().toEpochMilli() / WINDOW * WINDOW;
    send(name, begin, RELEASED + 1);
    try (BackgroundCommand run = run(file, "noise.key", name)) {
      cluster.awaitCount(name + "-mix", RELEASED);
      assertThat(run.isAlive()).as(run.text()).isTrue();
    }
    return begin;
  }

  /** So that no test waits for the time to come. */
  private static void producersStamp(String name) throws Exception {
    ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, name + "-in");
    try (Admin admin = cluster.client()) {
      ConfigEntry stamps = new ConfigEntry("message.timestamp.type", "CreateTime");
      admin
          .incrementalAlterConfigs(
              Map.of(topic, List.of(new AlterConfigOp(stamps, AlterConfigOp.OpType.SET))))
          .all()
          .get();
    }
    Patiently.await()
        .atMost(TestCluster.PATIENCE)
        .until(() -> cluster.setting(name + "-in", "message.timestamp.type").equals("CreateTime"));
  }

  /** The new budget releases windows after T alone, each once. */
  private static void goOn(String name, Path file, Instant stopped, String secret)
      throws Exception {
    producersStamp(name);
    long spentUntil = stopped.plus(AHEAD).toEpochMilli();
    long floor = -Math.floorDiv(-spentUntil, WINDOW) * WINDOW;
    send(name, floor - WINDOW, 4);
    try (BackgroundCommand run = run(file, secret, name + "-2")) {
      Patiently.await()
          .atMost(TestCluster.PATIENCE)
          .failFast("the run has ended", () -> !run.isAlive())
          .until(() -> cluster.count(name + "-mix") >= RELEASED + 2);
      assertThat(run.isAlive()).as(run.text()).isTrue();
    }
    List<Long> windows =
        cluster.committed(name + "-mix").stream()
            .map(record -> (DirichletRelease) Outputs.decodeAny(record.value()))
            .map(release -> release.getWindowStart().toEpochMilli())
            .toList();
    assertThat(windows).doesNotHaveDuplicates();
    assertThat(windows.subList(RELEASED, windows.size())).containsExactly(floor, floor + WINDOW);
  }

  private static String millis(Instant time) {
    return Instant.ofEpochMilli(time.toEpochMilli()).toString();
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static void assertRefused(CommandResult result, String... words) {
    assertThat(result.code()).as(result.text()).isEqualTo(5);
    assertThat(result.err()).contains(words);
  }

  private static void assertRefusedToRun(Path file, String secret, String... words)
      throws Exception {
    try (BackgroundCommand run = run(file, secret, "refused-" + file.getFileName())) {
      assertRefused(run.awaitEnd(), words);
    }
  }

  @Test
  void shouldContinueWithANewSecretWhenTheOldOneIsLost() throws Exception {
    Path former = file("secretless", "secretless");
    Path next = file("secretless", "secretless-2");
    release("secretless", former);
    Instant stopped = Instant.now();
    assertRefusedToRun(former, "new.key", "noise key");
    CommandResult export =
        ledger(
            "export",
            former,
            "new.key",
            "--stopped",
            "--to",
            folder.resolve("never.ledger").toString());
    assertThat(export.code()).as(export.text()).isNotZero();
    assertThat(folder.resolve("never.ledger")).doesNotExist();

    CommandResult done = failOver(next, former, stopped, "new.key");
    assertThat(done.code()).as(done.text()).isZero();
    assertThat(cluster.committed("sfumato-secretless-2-registry"))
        .filteredOn(entry -> text(entry.key()).equals("spent-until"))
        .singleElement()
        .satisfies(
            entry ->
                assertThat(text(entry.value()))
                    .contains(millis(stopped), millis(stopped.plus(AHEAD))));
    goOn("secretless", next, stopped, "new.key");
    // Whoever finds the old secret starts nothing with it.
    assertRefusedToRun(former, "noise.key", "the ledger of budget 'secretless' was sealed at");
    assertNeverBoundAgain(former);
    assertRefusedToRun(former, "noise.key", "the ledger of budget 'secretless' was sealed at");
  }

  /** To announce a version says with which secret a budget continues: not of one that ended. */
  private static void assertNeverBoundAgain(Path former) throws Exception {
    Path second =
        Files.writeString(
            folder.resolve("secretless-second.yaml"), "version: 2\n" + Files.readString(former));
    for (List<String> secrets :
        List.of(
            List.of("--secret-file", folder.resolve("noise.key").toString()),
            List.of(
                "--secret-file",
                folder.resolve("third.key").toString(),
                "--former-secret-file",
                folder.resolve("noise.key").toString()))) {
      List<String> words = new ArrayList<>(List.of("activate", second.toString()));
      words.addAll(List.of("--bootstrap-servers", cluster.servers()));
      words.addAll(secrets);
      assertRefused(
          CommandResult.of(words.toArray(String[]::new)),
          "the ledger of budget 'secretless' was sealed at");
    }
  }

  @Test
  void shouldContinueWhenTheRegistryIsLost() throws Exception {
    Path former = file("unregistered", "unregistered");
    Path next = file("unregistered", "unregistered-2");
    release("unregistered", former);
    Instant stopped = Instant.now();
    cluster.deleteTopics(List.of("sfumato-unregistered-registry"));
    assertRefusedToRun(
        former, "noise.key", "the topic was deleted", "sfumato ledger fail-over NEW --former");
    assertRefusedToRun(next, "noise.key", "would start with empty ledgers");

    CommandResult done = failOver(next, former, stopped, "noise.key");
    assertThat(done.code()).as(done.text()).isZero();
    goOn("unregistered", next, stopped, "noise.key");
    assertRefusedToRun(former, "noise.key", "the ledger of budget 'unregistered' was sealed at");
  }

  @Test
  void shouldRefuseATimeBeforeTheLastWindowThatIsThere() throws Exception {
    Path former = file("stateless", "stateless");
    Path next = file("stateless", "stateless-2");
    long begin = release("stateless", former);
    Instant stopped = Instant.now();
    cluster.deleteTopics(
        List.of(
            "sfumato-stateless-ledger-store-changelog", "sfumato-stateless-meta-store-changelog"));
    assertRefusedToRun(former, "noise.key", "were deleted or re-created", "ledger fail-over NEW");
    long released = begin + RELEASED * WINDOW;
    CommandResult early =
        ledger(
            "fail-over",
            next,
            "noise.key",
            "--former",
            former.toString(),
            "--stopped-at",
            stopped.toString(),
            "--spent-until",
            Instant.ofEpochMilli(released - 1).toString(),
            "--append-time",
            "--accept-risk");
    assertRefused(
        early,
        "a window of budget 'stateless' up to %s was released or closed"
            .formatted(Instant.ofEpochMilli(released)),
        "Nothing was changed");
    assertRefused(
        failOver(file("stateless", "stateless"), former, stopped, "noise.key"),
        "a ledger continues under a new name");
    assertRefused(failOver(lifetime("stateless-3"), former, stopped, "noise.key"), "period");
    assertRefused(failOver(next, account(), stopped, "noise.key"), "has a share of account");
    assertRefused(
        failOver(next, lifetime("stateless-4"), stopped, "noise.key"), "period: lifetime");
    CommandResult done = failOver(next, former, stopped, "noise.key");
    assertThat(done.code()).as(done.text()).isZero();
    goOn("stateless", next, stopped, "noise.key");
  }

  /** Under {any: 20s} a window is free again when no 20 seconds hold it and a spent one. */
  @Test
  void shouldWaitForAWholeSpanWhenUsersAreProtected() throws Exception {
    String name = "users-lost";
    createRecords(name);
    long begin = Instant.now().toEpochMilli() / WINDOW * WINDOW;
    Path former = users(name, name, begin);
    Path next = users(name, name + "-2", begin);
    sendUsers(name, name, begin, RELEASED);
    try (BackgroundCommand run = run(former, "noise.key", name)) {
      cluster.awaitCount(name + "-visits", RELEASED);
      assertThat(run.isAlive()).as(run.text()).isTrue();
    }
    Instant stopped = Instant.now();
    CommandResult done = failOver(next, former, stopped, "noise.key");
    assertThat(done.code()).as(done.text()).isZero();
    long spentUntil = stopped.plus(AHEAD).toEpochMilli();
    long lastSpent = Math.floorDiv(spentUntil - 1, WINDOW) * WINDOW;
    long floor = lastSpent + 3 * WINDOW;
    assertThat(done.out()).contains("starts at " + Instant.ofEpochMilli(floor));
    producersStamp(name);
    sendUsers(name, name + "-2", floor - 2 * WINDOW, RELEASED + 2);
    try (BackgroundCommand run = run(next, "noise.key", name + "-2")) {
      Patiently.await()
          .atMost(TestCluster.PATIENCE)
          .failFast("the run has ended", () -> !run.isAlive())
          .until(() -> cluster.count(name + "-visits") >= 2 * RELEASED);
      assertThat(run.isAlive()).as(run.text()).isTrue();
    }
    assertThat(
            cluster.committed(name + "-visits").stream()
                .map(record -> (CountRelease) Outputs.decodeAny(record.value()))
                .map(release -> release.getWindowStart().toEpochMilli()))
        .containsExactly(begin, begin + WINDOW, floor, floor + WINDOW);
  }

  private static Path users(String name, String budget, long begin) throws Exception {
    return Files.writeString(
        folder.resolve(budget + ".yaml"),
        """
        pipeline: %1$s
        input: { topic: %1$s-in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
        contributions: { per-window: 1, subjects: 1 }
        subjects: [east]
        window: { size: 10s, max-ahead: 10m, clock: ticks, ticks: external, begin: "%3$s" }
        budget: { name: %2$s, unit: user, epsilon: 2, delta: 1e-6, period: { any: 20s } }
        releases:
          - count: { name: %1$s-visits, share: { epsilon: 2, delta: 1e-6 } }
        """
            .formatted(name, budget, Instant.ofEpochMilli(begin)));
  }

  /** One user in each window, and the tick that closes it. */
  private static void sendUsers(String name, String budget, long begin, int windows)
      throws Exception {
    try (var producer = cluster.producer()) {
      for (int window = 0; window < windows; window++) {
        long time = begin + window * WINDOW;
        long end = time + WINDOW;
        long stamp = Math.max(System.currentTimeMillis(), end - AHEAD.toMillis());
        String value = "{\"who\":\"ann\",\"ward\":\"east\",\"at\":%d,\"what\":\"a\"}";
        producer.send(
            new ProducerRecord<>(
                name + "-in",
                0,
                stamp,
                null,
                value.formatted(time).getBytes(StandardCharsets.UTF_8)));
        producer.send(TestCluster.tick(budget, name + "-in", 0, stamp, end));
      }
    }
  }

  private static Path lifetime(String budget) throws Exception {
    Path file = file("stateless", budget);
    return Files.writeString(
        file,
        Files.readString(file)
            .replace("period: window", "period: lifetime")
            .replace("1e-6 } }", "1e-6 }, windows: 4 }"));
  }

  private static Path account() throws Exception {
    Path file = file("stateless", "stateless-5");
    return Files.writeString(
        file,
        Files.readString(file)
            .replace(
                "period: window",
                "period: window, account: { name: lost-ledgers, epsilon: 2, delta: 1e-5 }"));
  }
}
