// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sfumato.devcluster.ForkedCluster;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.runtime.Patiently;
import io.sfumato.runtime.TestCluster;
import io.sfumato.schema.DirichletRelease;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.LedgerImage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster dies, and its pipeline continues on another one that MirrorMaker 2 has copied to: what
 * docs/operate/fail-over.md tells an operator to do. The mirror lags, and it copied what a
 * transaction wrote that was aborted.
 */
@Tag("cluster")
class FailOverIT {
  private static final long WINDOW = 10_000;
  private static final long PERIOD = 3 * WINDOW;

  /** Event times may be that far ahead of the clock, so that no test has to wait for windows. */
  private static final Duration AHEAD = Duration.ofMinutes(10);

  /** Places of the guide's commands. */
  private static final int CHECK = 0;

  private static final int APPLY = 1;
  private static final int RUN = 2;

  private static final int MIRRORED = 4;
  private static final int LOST = 3;

  @TempDir Path folder;
  private Path secret;
  private Path oldFile;
  private Path newFile;

  /** What was released of a subject and a window, with the name of the budget's first release. */
  private record Release(String subject, long window, String id) {
    static Release of(ConsumerRecord<byte[], byte[]> record) {
      DirichletRelease release = (DirichletRelease) Outputs.decodeAny(record.value());
      return new Release(
          release.getSubject(), release.getWindowStart().toEpochMilli(), release.getReleaseId());
    }
  }

  @BeforeAll
  static void needMirror() {
    assumeTrue(MirrorProcess.isThere(), "no MirrorMaker: build with -Dconnect.skip=false");
  }

  @BeforeEach
  void writeFiles() throws Exception {
    secret = folder.resolve("noise.key");
    NoiseSecret.parse(TestCluster.KEY).write(secret);
    oldFile = Files.writeString(folder.resolve("old.yaml"), yaml("diary"));
    newFile = Files.writeString(folder.resolve("new.yaml"), yaml("diary-2"));
  }

  private static String yaml(String budget) {
    return """
    pipeline: diary
    input: { topic: diary-in, subject: who, time: at, category: what, categories: [a, b] }
    window: { size: 10s, max-ahead: 10m }
    budget: { name: %s, unit: record, epsilon: 2, delta: 1e-6, period: 30s }
    releases:
      - histogram: { name: diary-mix, share: { epsilon: 2, delta: 1e-6 }, windows: 3 }
    """
        .formatted(budget);
  }

  @Test
  void shouldSpendNothingTwiceWhenAMirroredClusterTakesOver() throws Exception {
    long begin = Instant.now().toEpochMilli() / PERIOD * PERIOD;
    try (TestCluster second = new TestCluster(folder.resolve("second"));
        ForkedCluster brokers = ForkedCluster.start(folder.resolve("first"), 1)) {
      TestCluster first = new TestCluster(brokers);
      List<Release> before = runOnTheFirst(first, second, begin);
      brokers.kill(0);
      Instant stopped = Instant.now();

      assertThat(releases(second)).as("the mirror lags").hasSizeLessThan(before.size());
      assertThat(texts(second)).as("the mirror copies what was aborted").contains("ghost");
      assertStartsAreRefused(second);
      assertEarlyTimesAreRefused(second, stopped);
      CommandResult done = failOver(second, APPLY, stopped.toString());
      assertThat(done.code()).as(done.text()).isZero();
      assertThat(failOver(second, APPLY, stopped.toString()).code()).as("once more").isZero();
      CommandResult later = failOver(second, APPLY, stopped.plus(AHEAD).toString());
      assertThat(later.code()).as(later.text()).isEqualTo(5);
      assertThat(later.err()).contains("has already imported the ledger of 'diary'");

      long floor = nextPeriod(stopped.plus(AHEAD).toEpochMilli());
      runOnTheSecond(second, floor);
      assertNothingTwice(before, releases(second), floor);
      assertLedgersBeginAt(second, floor);
      assertOldIsSealed(second, "continues as budget 'diary-2'");

      brokers.restart(0);
      brokers.awaitAll();
      sealTheFirst(first);
      assertOldIsSealed(first, "was sealed at");
    }
  }

  /** Returns all that the first cluster released; its mirror has only some of it. */
  private List<Release> runOnTheFirst(TestCluster first, TestCluster second, long begin)
      throws Exception {
    createRecords(first);
    send(first, begin, 0, MIRRORED + 1);
    sendAborted(first, begin);
    Path log = folder.resolve("first.log");
    Process run =
        CommandProcess.of(
                folder, log, runWords(oldFile, first, "first-state").toArray(String[]::new))
            .start();
    try (MirrorProcess mirror = MirrorProcess.start(folder, first.servers(), second.servers())) {
      first.awaitCount("diary-mix", MIRRORED);
      Patiently.await()
          .atMost(TestCluster.PATIENCE)
          .failFast("the mirror has ended", () -> !mirror.isAlive())
          .until(() -> isMirrored(first, second));
    }
    send(first, begin, MIRRORED + 1, LOST);
    first.awaitCount("diary-mix", MIRRORED + LOST);
    List<Release> all = releases(first);
    run.destroyForcibly().waitFor();
    return all;
  }

  /** As {@code --append-time} says: brokers stamp records. */
  private static void createRecords(TestCluster cluster) throws Exception {
    try (Admin admin = cluster.client()) {
      TestCluster.create(
          admin,
          List.of(
              new NewTopic("diary-in", 1, (short) 1)
                  .configs(Map.of("message.timestamp.type", "LogAppendTime"))));
    }
  }

  /** Whether all is there that was committed, and what was aborted. */
  private static boolean isMirrored(TestCluster first, TestCluster second) throws Exception {
    Set<String> topics = topics(second);
    for (String topic :
        List.of("diary-in", "diary-mix", "diary-registry", "sfumato-diary-registry")) {
      if (!topics.contains(topic)
          || second.count(topic) < first.read(topic, "read_uncommitted").size()) {
        return false;
      }
    }
    return true;
  }

  private static Set<String> topics(TestCluster cluster) throws Exception {
    try (Admin admin = cluster.client()) {
      return admin.listTopics().names().get();
    }
  }

  private void assertStartsAreRefused(TestCluster second) throws Exception {
    for (Path file : List.of(oldFile, newFile)) {
      try (BackgroundCommand run =
          BackgroundCommand.run(second, file, secret, folder.resolve("too-early"))) {
        CommandResult refused = run.awaitEnd();
        assertThat(refused.code()).as(refused.text()).isEqualTo(5);
        assertThat(refused.err()).contains("sfumato ledger fail-over NEW --former ");
      }
    }
  }

  private void assertEarlyTimesAreRefused(TestCluster second, Instant stopped) throws Exception {
    CommandResult early =
        failOver(
            second, APPLY, stopped.toString(), "--spent-until", stopped.plusSeconds(1).toString());
    assertThat(early.code()).as(early.text()).isEqualTo(5);
    assertThat(early.err()).contains("is too early", "window.max-ahead", "Nothing was changed");
    CommandResult running = failOver(second, APPLY, stopped.minus(Duration.ofDays(1)).toString());
    assertThat(running.code()).as(running.text()).isEqualTo(5);
    assertThat(running.err()).contains("the former pipeline wrote at ", "Nothing was changed");
    CommandResult dry = failOver(second, CHECK, stopped.toString());
    assertThat(dry.code()).as(dry.text()).isZero();
    assertThat(dry.out()).contains("nothing was changed (--dry-run)");
  }

  /** The guide's commands: to check, to apply, and to run. */
  private List<List<String>> guide(TestCluster cluster, String stopped) throws Exception {
    return GuideCommands.of(
        Path.of("docs/operate/fail-over.md"),
        "ledger fail-over",
        Map.of(
            "new.yaml", newFile.toString(),
            "old.yaml", oldFile.toString(),
            "noise.key", secret.toString(),
            "HOST:9092", cluster.servers(),
            "2026-03-05T09:30:00Z", stopped));
  }

  private CommandResult failOver(TestCluster cluster, int command, String stopped, String... more)
      throws Exception {
    List<String> words = new ArrayList<>(guide(cluster, stopped).get(command));
    words.addAll(List.of("--append-time", "--accept-risk"));
    words.addAll(Arrays.asList(more));
    return CommandResult.of(words.toArray(String[]::new));
  }

  private void runOnTheSecond(TestCluster second, long floor) throws Exception {
    int mirrored = releases(second).size();
    // The last window before the floor, and three of which two are closed by the third.
    send(second, floor, -1, 4);
    List<String> words = new ArrayList<>(guide(second, "").get(RUN));
    words.addAll(options("second-state"));
    try (BackgroundCommand run = BackgroundCommand.start(words.toArray(String[]::new))) {
      Patiently.await()
          .atMost(TestCluster.PATIENCE)
          .failFast("the run has ended", () -> !run.isAlive())
          .until(() -> second.count("diary-mix") >= mirrored + 2);
      assertThat(run.isAlive()).as(run.text()).isTrue();
    }
  }

  /** Over all outputs of both clusters. */
  private static void assertNothingTwice(List<Release> first, List<Release> second, long floor) {
    List<Release> fresh = second.stream().filter(release -> !first.contains(release)).toList();
    assertThat(fresh)
        .extracting(Release::window)
        .as("windows of the new budget")
        .containsExactly(floor, floor + WINDOW);
    Map<String, Set<String>> ids = new TreeMap<>();
    Stream.concat(first.stream(), second.stream())
        .forEach(
            release ->
                ids.computeIfAbsent(
                        release.subject() + " " + release.window(), place -> new TreeSet<>())
                    .add(release.id()));
    assertThat(ids)
        .hasSize(MIRRORED + LOST + 2)
        .allSatisfy((place, of) -> assertThat(of).hasSize(1));
    assertThat(new HashSet<>(second)).as("the mirror copies nothing twice").hasSameSizeAs(second);
  }

  /** No ledger of the new budget is about a period before the floor. */
  private static void assertLedgersBeginAt(TestCluster second, long floor) throws Exception {
    assertThat(second.committed("sfumato-diary-2-ledger-store-changelog"))
        .isNotEmpty()
        .allSatisfy(
            record ->
                assertThat(LedgerImage.periodOf(record.key()) * PERIOD)
                    .isGreaterThanOrEqualTo(floor));
  }

  private void assertOldIsSealed(TestCluster cluster, String why) throws Exception {
    try (BackgroundCommand run =
        BackgroundCommand.run(cluster, oldFile, secret, folder.resolve("sealed-state"))) {
      CommandResult refused = run.awaitEnd();
      assertThat(refused.code()).as(refused.text()).isEqualTo(5);
      assertThat(refused.err()).contains("the ledger of budget 'diary' ", why);
    }
  }

  private void sealTheFirst(TestCluster first) {
    CommandResult sealed =
        CommandResult.of(
            "ledger",
            "export",
            oldFile.toString(),
            "--stopped",
            "--to",
            folder.resolve("unused.ledger").toString(),
            "--bootstrap-servers",
            first.servers(),
            "--secret-file",
            secret.toString());
    assertThat(sealed.code()).as(sealed.text()).isZero();
  }

  private List<String> runWords(Path file, TestCluster cluster, String state) {
    List<String> words = new ArrayList<>(List.of("run", file.toString()));
    words.addAll(List.of("--bootstrap-servers", cluster.servers()));
    words.addAll(List.of("--secret-file", secret.toString()));
    words.addAll(options(state));
    return words;
  }

  private List<String> options(String state) {
    return List.of(
        "--data",
        folder.resolve(state).toString(),
        "--accept-risk",
        "--no-http",
        "--standbys",
        "0");
  }

  private static long nextPeriod(long time) {
    return -Math.floorDiv(-time, PERIOD) * PERIOD;
  }

  /** One record a window, stamped so that it is not too far ahead. */
  private static void send(TestCluster cluster, long begin, int from, int windows)
      throws Exception {
    try (var producer = cluster.producer()) {
      for (int window = from; window < from + windows; window++) {
        long time = begin + window * WINDOW;
        producer.send(TestCluster.event("diary-in", 0, stamp(time), "ann", time, "a"));
      }
    }
  }

  private static long stamp(long time) {
    return Math.max(System.currentTimeMillis(), time - AHEAD.toMillis());
  }

  /** A record of the first window, which no reader of committed records sees. */
  private static void sendAborted(TestCluster cluster, long begin) {
    Map<String, Object> config =
        Map.of("bootstrap.servers", cluster.servers(), "transactional.id", "aborted");
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(TestCluster.event("diary-in", 0, begin, "ghost", begin, "b"));
      producer.flush();
      producer.abortTransaction();
    }
  }

  private static List<Release> releases(TestCluster cluster) throws Exception {
    return cluster.committed("diary-mix").stream().map(Release::of).toList();
  }

  private static String texts(TestCluster cluster) throws Exception {
    StringBuilder all = new StringBuilder();
    cluster
        .committed("diary-in")
        .forEach(record -> all.append(new String(record.value(), StandardCharsets.UTF_8)));
    return all.toString();
  }
}
