// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.ledger.LedgerExport;
import io.sfumato.ledger.LedgerExport.Unreleased;
import io.sfumato.ledger.LedgerFile;
import io.sfumato.ledger.LedgerImport;
import io.sfumato.release.Plan;
import io.sfumato.schema.CountRelease;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.LedgerImage;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two keepers, one behind the other, on a real broker: aborted transactions and a killed process
 * change no byte, no user is charged twice, and users' ledgers outlive their pipeline.
 */
@ExtendWith(SharedBroker.class)
@Tag("cluster")
class PopulationIT {
  private static final int PARTITIONS = 2;
  private static final int ABORTS = 6;
  private static final int WINDOWS = 12;
  private static final int USERS = 60;
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();
  private static final List<String> WARDS = List.of("east", "north", "south", "west");
  private static final List<String> OUTPUTS =
      List.of("population-mix", "population-exact", "population-total");

  /**
   * Everybody affords 8 windows. The share of "population-exact" is so large that its noise is 0.
   */
  private static final String YAML =
      """
      pipeline: population
      input: { topic: population-in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
      contributions: { per-window: 3, subjects: 2 }
      subjects: [east, north, south, west]
      window: { size: 10s, clock: ticks, begin: 2026-01-05 }
      budget: { name: population, unit: user, epsilon: 900010, delta: 3e-6 }
      releases:
        - histogram: { name: population-mix, method: dirichlet, share: { epsilon: 5, delta: 1e-6 }, windows: 8 }
        - count: { name: population-exact, share: { epsilon: 900000, delta: 1e-6 }, windows: 8 }
        - count: { name: population-total, by: total, running: 5, share: { epsilon: 5, delta: 1e-6 }, windows: 8 }
      """;

  @TempDir Path folder;

  @Test
  void shouldKeepUsersBudgetsThroughAbortsKillsAndExport(TestCluster cluster) throws Exception {
    Map<String, List<String>> undisturbed = new HashMap<>();
    cluster.createTopic("population-in", PARTITIONS);
    send(cluster, input(0, WINDOWS));
    Plan plan = TestCluster.plan(YAML);
    Path file = folder.resolve("wards.ledger");
    try (PipelineRun run = start(cluster, plan, "state")) {
      awaitReleased(cluster, "population-exact", WINDOWS);
      for (String output : OUTPUTS) {
        undisturbed.put(output, TestCluster.payloads(cluster.committed(output)));
      }
      assertThat(counted(cluster, "population-exact")).isEqualTo(truth());
      CompletableFuture<LedgerFile> exported = export(cluster, plan, file);
      assertThat(run.awaitEnd(TestCluster.PATIENCE)).isTrue();
      List<LedgerImage.Line> lines = new ArrayList<>();
      exported.get().forEach(lines::add);
      assertThat(lines)
          .as("each user has one ledger a share, subjects have none")
          .hasSize(USERS * OUTPUTS.size())
          .allSatisfy(line -> assertThat(line.subject()).startsWith("u"))
          .allSatisfy(line -> assertThat(line.charges().values()).containsExactly(8L));
    }
    goesOn(cluster, LedgerFile.read(file));
    try (TestCluster other = new TestCluster(folder.resolve("disturbed"))) {
      disturbed(other);
      for (String output : OUTPUTS) {
        assertThat(TestCluster.payloads(other.committed(output)))
            .as(output)
            .isEqualTo(undisturbed.get(output));
        assertNoIdHasTwoPayloads(other, output);
      }
    }
  }

  private static PipelineRun start(TestCluster cluster, Plan plan, Path state)
      throws RefusedException {
    KafkaSettings settings = settings(cluster);
    Plan next;
    try (Cluster admin = new Cluster(settings)) {
      admin.pipelineTopics().prepare(plan.pipeline(), Cluster.Safety.WAIVED);
      next = TestCluster.require(plan, settings, admin, PARTITIONS);
      admin.offsets(plan.pipeline()).establish();
    }
    return PipelineRun.start(
        next,
        TestCluster.deployment(next, PARTITIONS, PipelineMeters.none()),
        new PipelineRun.Instance(settings, state, 1, 0));
  }

  private PipelineRun start(TestCluster cluster, Plan plan, String state) throws RefusedException {
    return start(cluster, plan, folder.resolve(state));
  }

  private static KafkaSettings settings(TestCluster cluster) throws RefusedException {
    return TestCluster.settings(cluster.servers(), Map.of("session.timeout.ms", "6000"));
  }

  private static CompletableFuture<LedgerFile> export(TestCluster cluster, Plan plan, Path file)
      throws RefusedException {
    LedgerExport export =
        new LedgerExport(plan.pipeline(), settings(cluster), TestCluster.key(), message -> {});
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return export.export(file, Unreleased.RELEASE, TestCluster.PATIENCE);
          } catch (RefusedException e) {
            throw new IllegalStateException(e.getMessage());
          }
        });
  }

  /** Under a new budget name, with records of those who have spent all and of somebody new. */
  private void goesOn(TestCluster cluster, LedgerFile ledger) throws Exception {
    Plan next =
        TestCluster.plan(
            YAML.replace("name: population,", "name: population-2,")
                .replace("pipeline: population", "pipeline: population-next")
                .replace("name: population-exact", "name: population-exact-next")
                .replace("name: population-mix", "name: population-mix-next")
                .replace("name: population-total", "name: population-total-next")
                .replace("delta: 1e-6 }", "delta: 1e-6, ledger: SHARE }")
                .replaceFirst("SHARE", "population-mix")
                .replaceFirst("SHARE", "population-exact")
                .replaceFirst("SHARE", "population-total"));
    assertThat(
            new LedgerImport(next, settings(cluster), TestCluster.key(), Cluster.Safety.WAIVED)
                .importFrom(ledger))
        .isEqualTo(LedgerImport.Outcome.IMPORTED);
    try (PipelineRun run = start(cluster, next, "next")) {
      List<ProducerRecord<byte[], byte[]>> more = new ArrayList<>();
      more.add(event(0, "u1", "north", WINDOWS, "a"));
      more.add(event(1, "newcomer", "north", WINDOWS, "a"));
      ticks("population-2", more, WINDOWS + 1);
      send(cluster, more);
      awaitReleased(cluster, "population-exact-next", 1);
      assertThat(counted(cluster, "population-exact-next"))
          .containsEntry("north@" + WINDOWS, List.of(1L, 0L))
          .containsEntry("south@" + WINDOWS, List.of(0L, 0L));
      assertThat(run.failure()).isEmpty();
    }
  }

  private void disturbed(TestCluster cluster) throws Exception {
    Files.deleteIfExists(log());
    cluster.createTopic("population-in", PARTITIONS);
    Path file = Files.writeString(folder.resolve("wards.yaml"), YAML);
    List<Process> apps = new ArrayList<>();
    try {
      send(cluster, input(0, WINDOWS / 2));
      apps.add(fork(cluster, file, ABORTS / 2));
      awaitAborts(ABORTS / 2);
      awaitReleased(cluster, "population-exact", WINDOWS / 2 - 3);
      apps.get(0).destroyForcibly().waitFor();
      send(cluster, input(WINDOWS / 2, WINDOWS));
      apps.add(fork(cluster, file, ABORTS / 2));
      awaitAborts(ABORTS);
      awaitReleased(cluster, "population-exact", WINDOWS);
      awaitReleased(cluster, "population-mix", WINDOWS);
      awaitReleased(cluster, "population-total", WINDOWS);
    } finally {
      for (Process app : apps) {
        app.destroyForcibly().waitFor();
      }
    }
  }

  private static void assertNoIdHasTwoPayloads(TestCluster cluster, String output)
      throws RefusedException {
    Map<String, Set<String>> payloads = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> record : cluster.read(output, "read_uncommitted")) {
      payloads
          .computeIfAbsent(
              TestCluster.header(record, Names.RELEASE_ID_HEADER), id -> new HashSet<>())
          .add(TestCluster.payload(record));
    }
    assertThat(payloads).allSatisfy((id, seen) -> assertThat(seen).as(id).hasSize(1));
  }

  private static void awaitReleased(TestCluster cluster, String output, int windows) {
    await()
        .atMost(TestCluster.PATIENCE.plusSeconds(6L * ABORTS))
        .ignoreExceptions()
        .until(() -> cluster.committed(output).size() >= windows * WARDS.size());
  }

  private static void awaitAborts(int aborts) {
    await()
        .atMost(TestCluster.PATIENCE.plusSeconds(6L * ABORTS))
        .ignoreExceptions()
        .until(
            () ->
                Files.readAllLines(log()).stream().filter(line -> line.equals("ABORTED")).count()
                    >= aborts);
  }

  private Process fork(TestCluster cluster, Path file, int aborts) throws Exception {
    return TestCluster.fork(
        log(),
        ReplayApp.class,
        cluster.servers(),
        file.toString(),
        folder.resolve("forked").toString(),
        Integer.toString(PARTITIONS),
        Integer.toString(aborts),
        "0");
  }

  /** Kept after the test, for whoever must find out why it failed. */
  private static Path log() {
    return Path.of("target", "population-apps.log");
  }

  /** One record of each user in each window, in a ward and partition by chance. */
  private static List<ProducerRecord<byte[], byte[]>> input(int from, int to) {
    return input("population", from, to);
  }

  /** Ticks are a budget's: the one that a ledger goes on as needs its own. */
  private static List<ProducerRecord<byte[], byte[]>> input(String budget, int from, int to) {
    List<ProducerRecord<byte[], byte[]>> input = new ArrayList<>();
    if (from == 0) {
      ticks(budget, input, 0);
    }
    for (int window = from; window < to; window++) {
      Random random = new Random(window);
      for (int user = 0; user < USERS; user++) {
        String ward = WARDS.get(random.nextInt(WARDS.size()));
        String what = random.nextBoolean() ? "a" : "b";
        input.add(event(random.nextInt(PARTITIONS), "u" + user, ward, window, what));
      }
      ticks(budget, input, window + 1);
    }
    return input;
  }

  /** What those records count that users' budgets cover. */
  private static Map<String, List<Long>> truth() {
    Map<String, List<Long>> truth = new HashMap<>();
    for (int window = 0; window < WINDOWS; window++) {
      Random random = new Random(window);
      for (String ward : WARDS) {
        truth.put(ward + "@" + window, new ArrayList<>(List.of(0L, 0L)));
      }
      for (int user = 0; user < USERS; user++) {
        List<Long> counts = truth.get(WARDS.get(random.nextInt(WARDS.size())) + "@" + window);
        int place = random.nextBoolean() ? 0 : 1;
        random.nextInt(PARTITIONS);
        counts.set(place, counts.get(place) + (window < 8 ? 1 : 0));
      }
    }
    return truth;
  }

  private static Map<String, List<Long>> counted(TestCluster cluster, String output)
      throws RefusedException {
    Map<String, List<Long>> counted = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> record : cluster.committed(output)) {
      CountRelease release = (CountRelease) Outputs.decodeAny(record.value());
      long window = (release.getWindowStart().toEpochMilli() - BASE) / 10_000;
      counted.put(release.getSubject() + "@" + window, release.getCounts());
    }
    return counted;
  }

  private static ProducerRecord<byte[], byte[]> event(
      int partition, String user, String ward, int window, String what) {
    byte[] value =
        "{\"who\":\"%s\",\"ward\":\"%s\",\"at\":%d,\"what\":\"%s\"}"
            .formatted(user, ward, BASE + window * 10_000L + 1, what)
            .getBytes(StandardCharsets.UTF_8);
    return new ProducerRecord<>("population-in", partition, BASE + window, null, value);
  }

  private static void ticks(String budget, List<ProducerRecord<byte[], byte[]>> input, int window) {
    for (int partition = 0; partition < PARTITIONS; partition++) {
      input.add(
          TestCluster.tick(
              budget, "population-in", partition, BASE + window, BASE + window * 10_000L));
    }
  }

  private static void send(TestCluster cluster, List<ProducerRecord<byte[], byte[]>> records)
      throws RefusedException {
    try (var producer = cluster.producer()) {
      records.forEach(producer::send);
      producer.flush();
    }
  }
}
