// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.release.Plan;
import io.sfumato.release.histogram.PlannedHistogram;
import io.sfumato.schema.AbcCandidate;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The promise of the whole project: a retry gives the same bytes. Ten transactions are aborted
 * between draw and commit, or two hundred, and two processes are killed; the committed outputs
 * equal those of an undisturbed run, and nobody who reads uncommitted data sees one release id with
 * two payloads.
 */
@ExtendWith(SharedBroker.class)
@Tag("cluster")
class ReplayIT {
  private static final int PARTITIONS = 2;
  private static final int SUBJECTS = 40;
  private static final int AFFORDED = 20;

  /** Ten in every build, two hundred with the profile {@code chaos}. */
  private static final int ABORTS = Integer.getInteger("sfumato.replay.aborts", 10);

  /** A window's close is a transaction or two: there must be enough of them to abort. */
  private static final int WINDOWS = ABORTS <= 10 ? 30 : 30 + ABORTS;

  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();
  private static final List<String> RELEASES =
      List.of(
          "replay-mix",
          "replay-share",
          "replay-items",
          "replay-normal",
          "replay-laplace",
          "replay-taste");

  /** What depends on when candidates reach the journal is its order in the topics, nothing else. */
  private static final List<String> ANSWERS =
      List.of("replay-coin", "replay-soft", "replay-sparse");

  private static final int CANDIDATES = 4;
  private static final int QUERIES = 2;

  private static final String YAML =
      """
      pipeline: replay
      input: { topic: replay-in, subject: who, time: at, category: what, categories: [a, b, c, d] }
      window: { size: 10s, grace: 2s }
      budget: { name: replay, unit: record, epsilon: 20, delta: 2.1e-6 }
      releases:
        - mollifier: { name: replay-taste, share: { epsilon: 10, delta: 1e-7 }, windows: 40 }
        - abc: { name: replay-coin, threshold: 0.3, share: { epsilon: 2, delta: 2e-7 }, queries: 2, keep: 100 }
        - abc: { name: replay-soft, method: soft, threshold: 0.3, share: { epsilon: 2, delta: 2e-7 }, queries: 2, keep: 100 }
        - abc: { name: replay-sparse, method: sparse-vector, acceptances: 2, redraw: true, threshold: 0.3, share: { epsilon: 2, delta: 2e-7 }, queries: 2, keep: 100 }
        - histogram: { name: replay-mix, share: { epsilon: 1, delta: 2e-7 }, windows: 20 }
        - histogram: { name: replay-share, calibration: paper, share: { epsilon: 1, delta: 2e-7 }, windows: 40 }
        - histogram: { name: replay-items, output: counts, items: 20, calibration: renyi, share: { epsilon: 1, delta: 2e-7 }, windows: 40 }
        - histogram: { name: replay-normal, method: gaussian, share: { epsilon: 0.5, delta: 2e-7 }, windows: 40 }
        - histogram: { name: replay-laplace, method: laplace, share: { epsilon: 0.5, delta: 2e-7 }, windows: 40 }
      """
          .replace("windows: 40", "windows: " + (WINDOWS + 10))
          .replace("keep: 100", "keep: " + (WINDOWS + 70));

  @TempDir Path folder;

  @Test
  void shouldGiveTheSameBytesWhenTransactionsAbortAndProcessesDie(TestCluster shared)
      throws Exception {
    List<ProducerRecord<byte[], byte[]>> input = input();
    Map<String, List<String>> undisturbed = undisturbed(shared, input);
    assertThat(undisturbed.get("replay-mix"))
        .hasSizeBetween(SUBJECTS * AFFORDED, SUBJECTS * WINDOWS);
    for (String topic : RELEASES.subList(1, RELEASES.size())) {
      assertThat(undisturbed.get(topic)).as(topic).hasSize(SUBJECTS * WINDOWS);
    }
    assertThat(undisturbed.get("replay-coin")).hasSize(SUBJECTS * QUERIES * CANDIDATES);
    assertThat(undisturbed.get("replay-sparse")).hasSizeBetween(1, SUBJECTS * QUERIES * CANDIDATES);

    Files.deleteIfExists(log());
    try (TestCluster cluster = new TestCluster(folder.resolve("disturbed"))) {
      cluster.createTopic("replay-in", PARTITIONS);
      cluster.createTopic("replay-candidates", PARTITIONS);
      Path file = Files.writeString(folder.resolve("test.yaml"), YAML);
      List<Process> apps = new ArrayList<>();
      try {
        // Half of the input, a kill; the rest, a kill; then to the end.
        send(cluster, input.subList(0, input.size() / 2));
        apps.add(fork(cluster, file, ABORTS / 2));
        awaitDrawn(cluster, SUBJECTS * 6, ABORTS / 2);
        apps.get(0).destroyForcibly().waitFor();
        send(cluster, input.subList(input.size() / 2, input.size()));
        apps.add(fork(cluster, file, ABORTS / 2));
        awaitDrawn(cluster, SUBJECTS * 18, ABORTS);
        apps.get(1).destroyForcibly().waitFor();
        apps.add(fork(cluster, file, 0));
        awaitComplete(cluster, undisturbed);
      } finally {
        for (Process app : apps) {
          app.destroyForcibly().waitFor();
        }
      }
      assertThat(aborts()).as("transactions aborted between draw and commit").isEqualTo(ABORTS);
      for (String topic : undisturbed.keySet()) {
        assertThat(payloads(cluster, topic)).as(topic).isEqualTo(undisturbed.get(topic));
      }
      assertNoIdHasTwoPayloads(cluster);
    }
  }

  private static void assertNoIdHasTwoPayloads(TestCluster cluster) throws RefusedException {
    int repeated = 0;
    for (String topic : Stream.concat(RELEASES.stream(), ANSWERS.stream()).toList()) {
      Map<String, Set<String>> payloads = new HashMap<>();
      for (ConsumerRecord<byte[], byte[]> record : cluster.read(topic, "read_uncommitted")) {
        Set<String> seen =
            payloads.computeIfAbsent(
                TestCluster.header(record, Names.RELEASE_ID_HEADER), id -> new HashSet<>());
        repeated += seen.isEmpty() ? 0 : 1;
        seen.add(TestCluster.payload(record));
      }
      assertThat(payloads).allSatisfy((id, seen) -> assertThat(seen).as(id).hasSize(1));
    }
    assertThat(repeated).as("draws that were repeated, or the test proves nothing").isPositive();
  }

  private Map<String, List<String>> undisturbed(
      TestCluster cluster, List<ProducerRecord<byte[], byte[]>> input) throws Exception {
    cluster.createTopic("replay-in", PARTITIONS);
    cluster.createTopic("replay-candidates", PARTITIONS);
    send(cluster, input);
    Plan plan = TestCluster.plan(YAML);
    KafkaSettings settings = TestCluster.settings(cluster.servers(), Map.of());
    TestCluster.prepare(settings, plan);
    Map<String, List<String>> outputs = new HashMap<>();
    try (PipelineRun run =
        PipelineRun.start(
            plan,
            TestCluster.deployment(plan, PARTITIONS, PipelineMeters.none()),
            new PipelineRun.Instance(settings, folder.resolve("undisturbed-state"), 1, 0))) {
      assertThat(run.awaitRunning(TestCluster.PATIENCE)).isTrue();
      await()
          .atMost(TestCluster.PATIENCE)
          .until(
              () ->
                  RELEASES.subList(1, RELEASES.size()).stream()
                          .allMatch(topic -> committed(cluster, topic) == SUBJECTS * WINDOWS)
                      && committed(cluster, "replay-mix") == SUBJECTS * afforded(plan)
                      && committed(cluster, "replay-coin") == SUBJECTS * QUERIES * CANDIDATES
                      && committed(cluster, "replay-soft") == SUBJECTS * QUERIES * CANDIDATES
                      // Of each subject: the exhausted mix, and a query too many of each kind.
                      && committed(cluster, "replay-sparse") + committed(cluster, "replay-refusals")
                          == SUBJECTS * (1 + (3 + QUERIES) * CANDIDATES));
    }
    for (String topic : RELEASES) {
      outputs.put(topic, payloads(cluster, topic));
    }
    for (String topic : ANSWERS) {
      outputs.put(topic, payloads(cluster, topic));
    }
    outputs.put("replay-refusals", payloads(cluster, "replay-refusals"));
    return outputs;
  }

  private static List<String> payloads(TestCluster cluster, String topic) throws RefusedException {
    List<String> payloads = TestCluster.payloads(cluster.committed(topic));
    return RELEASES.contains(topic) ? payloads : payloads.stream().sorted().toList();
  }

  private static int committed(TestCluster cluster, String topic) {
    try {
      return cluster.committed(topic).size();
    } catch (RefusedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static long afforded(Plan plan) {
    return Math.min(WINDOWS, plan.all(PlannedHistogram.class).get(0).plan().releases());
  }

  /** Every subject has records in every window; the partitions' clocks run apart. */
  private static List<ProducerRecord<byte[], byte[]>> input() {
    Random random = new Random(20260105);
    List<ProducerRecord<byte[], byte[]>> input = new ArrayList<>();
    long stamp = BASE;
    for (int window = 0; window < WINDOWS; window++) {
      for (int subject = 0; subject < SUBJECTS; subject++) {
        for (int i = 0; i < 3; i++) {
          long time = BASE + window * 10_000L + random.nextInt(10_000) / 100 * (window % 2 + 1) / 2;
          String category = "abcd".substring(random.nextInt(4)).substring(0, 1);
          input.add(
              TestCluster.event(
                  "replay-in",
                  random.nextInt(PARTITIONS),
                  stamp++,
                  "s%02d".formatted(subject),
                  time,
                  category));
        }
      }
    }
    candidates(random, input);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      input.add(
          TestCluster.tick(
              "replay",
              "replay-in",
              partition,
              stamp + partition,
              BASE + (WINDOWS + 70) * 10_000L));
    }
    return input;
  }

  /** Three queries of each kind for each subject, one more than fit, at any time. */
  private static void candidates(Random random, List<ProducerRecord<byte[], byte[]>> input) {
    int[] places =
        random.ints(SUBJECTS * 3 * ANSWERS.size() * CANDIDATES, 0, input.size()).sorted().toArray();
    int next = 0;
    for (int query = 0; query < 3; query++) {
      for (int index = 0; index < CANDIDATES; index++) {
        for (int subject = 0; subject < SUBJECTS; subject++) {
          for (String output : ANSWERS) {
            double share = random.nextInt(101) / 100.0;
            AbcCandidate candidate =
                AbcCandidate.newBuilder()
                    .setOutput(output)
                    .setQueryId("q" + query)
                    .setCandidate(index)
                    .setCandidates(CANDIDATES)
                    .setSubject("s%02d".formatted(subject))
                    .setWindowStart(Instant.ofEpochMilli(BASE + (5 + 8L * query) * 10_000))
                    .setParameters(List.of(share))
                    .setMean(List.of(share, 1 - share, 0.0, 0.0))
                    .build();
            input.add(
                places[next] + next++,
                new ProducerRecord<>(
                    "replay-candidates",
                    subject % PARTITIONS,
                    BASE + subject,
                    null,
                    Outputs.encode(candidate)));
          }
        }
      }
    }
  }

  private static void send(TestCluster cluster, List<ProducerRecord<byte[], byte[]>> records)
      throws RefusedException {
    try (var producer = cluster.producer()) {
      records.forEach(producer::send);
      producer.flush();
    }
  }

  /** Waits until so many releases were drawn, committed or not, and so many draws aborted. */
  private void awaitDrawn(TestCluster cluster, int releases, int aborts) {
    await()
        // Every abort costs a rebalance.
        .atMost(TestCluster.PATIENCE.plusSeconds(6L * aborts))
        .ignoreExceptions()
        .until(
            () ->
                aborts() >= aborts
                    && cluster.read("replay-mix", "read_uncommitted").size() >= releases);
  }

  private static void awaitComplete(TestCluster cluster, Map<String, List<String>> expected) {
    await()
        .atMost(TestCluster.PATIENCE)
        .pollInterval(Duration.ofMillis(500))
        .untilAsserted(
            () -> {
              for (String topic : expected.keySet()) {
                // One transaction's commit reaches its partitions one after the other.
                assertThat(cluster.committed(topic))
                    .hasSizeGreaterThanOrEqualTo(expected.get(topic).size());
              }
            });
  }

  private Process fork(TestCluster cluster, Path file, int aborts) throws IOException {
    return TestCluster.fork(
        log(),
        ReplayApp.class,
        cluster.servers(),
        file.toString(),
        folder.resolve("state").toString(),
        Integer.toString(PARTITIONS),
        Integer.toString(aborts),
        "0");
  }

  /** Kept after the test, for whoever must find out why it failed. */
  private static Path log() {
    return Path.of("target", "replay-apps.log");
  }

  private long aborts() throws IOException {
    return Files.readAllLines(log()).stream().filter(line -> line.equals("ABORTED")).count();
  }
}
