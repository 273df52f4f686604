package io.sfumato.runtime;

import static io.sfumato.runtime.StallingApp.COMMITTED;
import static io.sfumato.runtime.StallingApp.FENCED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sfumato.pipeline.Plan;
import io.sfumato.topology.Names;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An instance takes over a closed window while input is idle, so that it reads nothing and releases
 * by punctuation; it is stopped when it has drawn, until another has taken over and released, and
 * woken: what it holds must never be committed.
 */
class ZombieIT {
  private static final int SUBJECTS = 4_000;

  /** Of one turn of releases, and more: the boundary before them is committed. */
  private static final int RELEASED_AT_FIRST = 2_500;

  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();

  private static final String YAML =
      """
      pipeline: test
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b] }
      window: { size: 10s }
      budget: { name: test, unit: record, epsilon: 2, delta: 1e-6, period: lifetime }
      releases:
        - histogram: { name: mix, method: laplace, share: { epsilon: 2, delta: 1e-6 }, windows: 3 }
      """;

  @TempDir Path folder;

  private final List<Process> apps = new ArrayList<>();

  @Test
  void shouldNotLetAnInstanceThatStalledCommitWhatAnotherHasReleased() throws Exception {
    Plan plan = TestCluster.plan(YAML);
    Path go = folder.resolve("go");
    try (TestCluster cluster = new TestCluster(folder.resolve("broker"))) {
      cluster.createTopic("in", 1);
      send(cluster, 0);
      Process first = fork(cluster, "first", RELEASED_AT_FIRST, folder.resolve("never"));
      awaitWord("first", StallingApp.DRAWN);
      first.destroyForcibly().waitFor();
      assertThat(releases(cluster)).isNotEmpty().hasSizeLessThan(SUBJECTS);

      Process zombie = fork(cluster, "zombie", 1, go);
      awaitWord("zombie", StallingApp.DRAWN);
      Signals.stop(zombie);
      fork(cluster, "heir", 0, go);
      await().atMost(TestCluster.PATIENCE).until(() -> releases(cluster).size() == SUBJECTS);
      Files.createFile(go);
      Signals.resume(zombie);
      await().atMost(TestCluster.PATIENCE).until(() -> fate("zombie").find());
      assertThat(fate("zombie").results().map(MatchResult::group)).containsExactly(FENCED);

      send(cluster, 1);
      await().atMost(TestCluster.PATIENCE).until(() -> releases(cluster).size() >= 2 * SUBJECTS);
      assertThat(releases(cluster)).doesNotHaveDuplicates().hasSize(2 * SUBJECTS);
      assertThat(ChaosIT.charges(cluster)).isEqualTo(2 * SUBJECTS);
      assertThat(plan.histograms().get(0).plan().releases()).isGreaterThanOrEqualTo(2);
    } finally {
      for (Process app : apps) {
        app.destroyForcibly().waitFor();
      }
    }
  }

  private static List<String> releases(TestCluster cluster) throws RefusedException {
    return cluster.committed("mix").stream()
        .map((ConsumerRecord<byte[], byte[]> r) -> TestCluster.header(r, Names.RELEASE_ID_HEADER))
        .toList();
  }

  /** What became of the transaction of an instance that stalled. */
  private Matcher fate(String app) throws IOException {
    return Pattern.compile(FENCED + "|" + COMMITTED).matcher(Files.readString(log(app)));
  }

  private void awaitWord(String app, String word) {
    await()
        .atMost(TestCluster.PATIENCE)
        .until(() -> Files.exists(log(app)) && Files.readString(log(app)).contains(word));
  }

  /** A record of every subject in a window, and the tick that closes it. */
  private static void send(TestCluster cluster, int window) throws RefusedException {
    try (KafkaProducer<byte[], byte[]> producer = cluster.producer()) {
      for (int subject = 0; subject < SUBJECTS; subject++) {
        long time = BASE + window * 10_000L;
        producer.send(TestCluster.event("in", 0, BASE, "s" + subject, time, "a"));
      }
      producer.send(TestCluster.tick("in", 0, BASE, BASE + (window + 1) * 10_000L));
    }
  }

  private Process fork(TestCluster cluster, String name, int number, Path file) throws IOException {
    Path yaml = Files.writeString(folder.resolve("test.yaml"), YAML);
    Process app =
        TestCluster.fork(
            log(name),
            StallingApp.class,
            cluster.servers(),
            yaml.toString(),
            folder.resolve("state-" + name).toString(),
            "1",
            Integer.toString(number),
            file.toString());
    apps.add(app);
    return app;
  }

  private Path log(String app) {
    return folder.resolve(app + ".log");
  }
}
