// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sfumato.noise.NoiseSecret;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import io.sfumato.schema.DirichletRelease;
import io.sfumato.serde.Outputs;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A noise key is changed by the commands that the manual names, from the command line. */
@ExtendWith(SharedBroker.class)
class KeyRotationIT {
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();
  private static final String V1 =
      """
      pipeline: rotated
      version: 1
      input: { topic: rotated-in, subject: who, time: at, category: what, categories: [a, b] }
      window: { size: 10s, clock: ticks, begin: 2026-01-05 }
      subjects: [ann]
      budget: { name: rotated, unit: record, epsilon: 2, delta: 1e-6 }
      releases:
        - histogram: { name: rotated-mix, share: { epsilon: 2, delta: 1e-6 }, windows: 5 }
      """;

  @TempDir static Path folder;

  private static TestCluster cluster;
  private static Path before;
  private static Path after;

  @BeforeAll
  static void start(TestCluster shared) throws Exception {
    cluster = shared;
    cluster.createTopic("rotated-in", 1);
    before = Files.writeString(folder.resolve("v1.yaml"), V1);
    after = Files.writeString(folder.resolve("v2.yaml"), V1.replace("version: 1", "version: 2"));
    for (String name : List.of("old", "new", "wrong")) {
      NoiseSecret.random().write(folder.resolve(name));
    }
    for (String name : List.of("old", "new")) {
      Result written =
          command("tick-key", before.toString(), path("tick-" + name), "--secret-file", path(name));
      assertThat(written.code()).as(written.out()).isZero();
    }
  }

  private record Result(int code, String out) {}

  private static String path(String name) {
    return folder.resolve(name).toString();
  }

  private static Result command(String... arguments) {
    StringWriter out = new StringWriter();
    PrintWriter printer = new PrintWriter(out, true);
    int code = Main.commandLine().setOut(printer).setErr(printer).execute(arguments);
    return new Result(code, out.toString());
  }

  private static Result atCluster(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--bootstrap-servers", cluster.servers()));
    return command(all.toArray(new String[0]));
  }

  private static Result activate(String... former) {
    List<String> all =
        new ArrayList<>(
            List.of("activate", after.toString(), "--from", at(20), "--secret-file", path("new")));
    all.addAll(List.of(former));
    return atCluster(all.toArray(new String[0]));
  }

  private static Result skip(String place, String secret) {
    return atCluster("skip-record", before.toString(), place, "--secret-file", path(secret));
  }

  private static void tick(String key, long second) {
    Result ticked =
        atCluster("tick", before.toString(), "--at", at(second), "--tick-key", path("tick-" + key));
    assertThat(ticked.code()).as(ticked.out()).isZero();
  }

  private static String at(long second) {
    return Instant.ofEpochMilli(BASE + second * 1000).toString();
  }

  /**
   * Sends a record.
   *
   * @return its offset
   */
  private static long event(long second, String what) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = cluster.producer()) {
      return producer
          .send(TestCluster.event("rotated-in", 0, BASE, "ann", BASE + second * 1000, what))
          .get()
          .offset();
    }
  }

  private static Process run(Path file, String secret) throws Exception {
    return TestCluster.fork(
        folder.resolve(secret + ".log"),
        Main.class,
        "run",
        file.toString(),
        "--bootstrap-servers",
        cluster.servers(),
        "--secret-file",
        path(secret),
        "--data",
        folder.resolve("data").toString(),
        "--accept-risk",
        "--no-http",
        "--standbys",
        "0");
  }

  private static void end(Process process) throws Exception {
    process.destroy();
    assertThat(process.waitFor(TestCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  private static void awaitLine(Process process, String secret, String line) {
    Path log = folder.resolve(secret + ".log");
    await()
        .atMost(TestCluster.PATIENCE)
        .until(() -> !process.isAlive() || Files.readString(log).contains(line));
    assertThat(log).content().contains(line);
    assertThat(process.isAlive()).isTrue();
  }

  private static List<DirichletRelease> releases() throws Exception {
    return cluster.committed("rotated-mix").stream()
        .map(record -> Outputs.decodeRelease(record.value()))
        .toList();
  }

  /** "offset:CODE" in the order of the log. */
  private static List<String> deadLetters() throws Exception {
    return cluster.committed("rotated-dead-letters").stream()
        .map(record -> Outputs.decodeDeadLetter(record.value()))
        .map(letter -> letter.getOffset() + ":" + letter.getCode())
        .toList();
  }

  private static void awaitReleases(Process process, int number) {
    await()
        .atMost(TestCluster.PATIENCE)
        .until(() -> !process.isAlive() || releases().size() >= number);
    assertThat(process.isAlive()).isTrue();
  }

  @Test
  void aNewSecretFindsEverythingThatTheOldOneSigned() throws Exception {
    Process first = run(before, "old");
    try {
      event(1, "a");
      tick("old", 12);
      awaitReleases(first, 1);
      Result refused = activate();
      assertThat(refused.code()).as(refused.out()).isEqualTo(5);
      assertThat(refused.out()).contains("--former-secret-file OLD");
      Result wrong = activate("--former-secret-file", path("wrong"));
      assertThat(wrong.code()).as(wrong.out()).isEqualTo(5);
      Result missing = activate("--former-secret-file", path("missing"));
      assertThat(missing.code()).as(missing.out()).isEqualTo(3);
      Result announced = activate("--former-secret-file", path("old"));
      assertThat(announced.code()).as(announced.out()).isZero();
      assertThat(announced.out()).contains("Its first window is the one that starts " + at(20));
      event(11, "b");
      tick("old", 22);
      awaitLine(first, "old", "for version 2");
      assertThat(releases()).hasSize(2);
    } finally {
      end(first);
    }

    long mistaken = event(21, "a");
    Result skipped = skip("rotated-in-0@" + mistaken, "old");
    assertThat(skipped.code()).as(skipped.out()).isZero();
    assertThat(skipped.out())
        .as("version 2 would count it")
        .contains("is announced, has another (" + tag("new") + ")");
    Result again = activate("--former-secret-file", path("old"));
    assertThat(again.code()).as(again.out()).isZero();
    long other = event(22, "b");
    assertThat(skip("rotated-in-0@" + other, "new").out()).contains("(" + tag("old") + ")");
    event(23, "b");

    Process second = run(after, "new");
    try {
      tick("old", 32);
      tick("new", 32);
      awaitReleases(second, 3);
      assertThat(folder.resolve("new.log"))
          .content()
          .contains("rotated-in-0@%d..%d does not count".formatted(mistaken, other));
      assertThat(releases())
          .extracting(
              release -> release.getWindowStart().toEpochMilli() - BASE,
              DirichletRelease::getRecords,
              release -> release.getGuarantee().getNoiseKey())
          .containsExactly(
              tuple(0L, 1L, tag("old")),
              tuple(10_000L, 1L, tag("old")),
              tuple(20_000L, 1L, tag("new")));
      assertThat(deadLetters())
          .containsExactly(
              mistaken + ":SKIPPED", other + ":SKIPPED", (other + 2) + ":OTHER_KEY_TICK");
    } finally {
      end(second);
    }
  }

  private static String tag(String secret) throws Exception {
    return NoiseSecret.read(folder.resolve(secret)).derive().tag();
  }
}
