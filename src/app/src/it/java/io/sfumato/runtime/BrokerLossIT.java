// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.devcluster.ForkedCluster;
import io.sfumato.release.Plan;
import io.sfumato.topology.context.Names;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Brokers that die in the middle of what a window releases: lists of names that were found, and
 * large tables. Nothing is lost, nothing comes twice, and the bytes are those of an undisturbed
 * run.
 */
@ExtendWith(SharedBroker.class)
@Tag("cluster")
class BrokerLossIT {
  /** How many times as many names, tables and records as in every build. */
  private static final int SIZE = Integer.getInteger("sfumato.faults.size", 1);

  /** How often one broker dies, and another one, and both come back. */
  private static final int ROUNDS = Integer.getInteger("sfumato.faults.rounds", 1);

  private static final String STUCK = "does not complete transactions";
  private static final String GOES_ON = "completes transactions again";
  private static final int PARTITIONS = 2;
  private static final int WARDS = 6 * SIZE;

  /** Of each of three fields: with 60 the tables of a ward have 10,981 cells. */
  private static final int VALUES = 60;

  private static final int GROUPS = 50 * SIZE;
  private static final int OF_GROUP = 10;
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();

  /** The noise is below one half but for a chance below 1e-200: three users are enough. */
  private static final String NAMES =
      """
      pipeline: found-names
      input:
        topic: found-names-in
        subject: ward
        user: who
        time: at
        category: what
        categories: { discover: { name: names-terms, share: { epsilon: 500000, delta: 1e-6 }, windows: 20, most: 50000, forget-names: 30 } }
      contributions: { per-window: 10, subjects: 1, per-name: 1 }
      subjects: { discover: { name: names-wards, share: { epsilon: 400000, delta: 1e-6 }, windows: 20, most: 10, forget-names: 30 } }
      window: { size: 10s, clock: ticks, begin: 2026-01-05 }
      budget: { name: found-names, unit: user, epsilon: 900000, delta: 2e-6 }
      releases:
        - top: { name: names-best, k: 10, of: names-terms }
      """;

  private static final String TABLES =
      """
      pipeline: large-tables
      input: { topic: large-tables-in, subject: ward, user: who, time: at, category: [f, g, h], categories: { f: %1$s, g: %1$s, h: %1$s } }
      contributions: { per-window: 3, subjects: 1 }
      subjects: %2$s
      window: { size: 10s, clock: ticks, begin: 2026-01-05 }
      budget: { name: large-tables, unit: user, epsilon: 9, delta: 9e-6 }
      releases:
        - table: { name: tables-all, share: { epsilon: 3, delta: 3e-6 }, windows: 20 }
      """
          .formatted(list("v", VALUES), list("w", WARDS));

  @TempDir Path folder;

  /** What is sent for the next window of each pipeline. */
  private final Map<String, Integer> windows = new HashMap<>();

  private final List<PipelineRun> runs = new ArrayList<>();

  private static String list(String prefix, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> prefix + i)
        .collect(Collectors.joining(", ", "[", "]"));
  }

  @Test
  void shouldReleaseTheSameWhenBrokersDieInTheMiddleOfAWindow(TestCluster shared) throws Exception {
    Plan names = TestCluster.plan(NAMES);
    Plan tables = TestCluster.plan(TABLES);
    try (ForkedCluster brokers =
            ForkedCluster.start(folder.resolve("brokers"), 3, ForkArchive.here());
        TestCluster cluster = new TestCluster(brokers);
        Admin admin = cluster.client()) {
      cluster.createTopic("found-names-in", PARTITIONS);
      cluster.createTopic("large-tables-in", PARTITIONS);
      say("three brokers are up");
      // A transaction stays open long enough for a broker to die in it.
      Instances instances =
          new Instances(
              cluster, folder.resolve("state"), PARTITIONS, Map.of("commit.interval.ms", "1000"));
      try (CapturedLog log = new CapturedLog();
          PipelineRun finds = instances.start(names, "names");
          PipelineRun counts = instances.start(tables, "tables")) {
        runs.addAll(List.of(finds, counts));
        send(cluster, names);
        awaitReleased(cluster, "names-wards", 2);
        for (int round = 0; round < ROUNDS; round++) {
          send(cluster, tables);
          int first = killInTheMiddle(cluster, admin, brokers, names, "names-terms");
          awaitAll(cluster);
          say("released with two brokers of three");
          send(cluster, names);
          long waits = said(log, STUCK);
          long goesOn = said(log, GOES_ON);
          int second = killInTheMiddle(cluster, admin, brokers, tables, "tables-all");
          await().atMost(TestCluster.PATIENCE).until(() -> said(log, STUCK) > waits);
          say("the pipeline says that it waits");
          brokers.restart(first);
          awaitAll(cluster);
          await().atMost(TestCluster.PATIENCE).until(() -> said(log, GOES_ON) > goesOn);
          say("released when two of three were back");
          if (round + 1 < ROUNDS) {
            brokers.restart(second);
            brokers.awaitAll();
            say("all brokers are in sync again");
          }
        }
        say("every window is released");
      }
      Undisturbed undisturbed =
          new Undisturbed(new Instances(shared, folder.resolve("calm")).withPartitions(PARTITIONS));
      undisturbed.assertSameFromRecords(cluster, names);
      undisturbed.assertSameFromRecords(cluster, tables);
      say("the same bytes as undisturbed");
    }
  }

  /** Until every window that was sent is released. */
  private void awaitAll(TestCluster cluster) {
    awaitReleased(cluster, "names-terms", 2 * (windows.get("found-names") - 1));
    awaitReleased(cluster, "tables-all", WARDS * windows.get("large-tables"));
  }

  /** Until so many lists or tables are released, each of which may come in parts. */
  private void awaitReleased(TestCluster cluster, String topic, int whole) {
    await()
        .atMost(TestCluster.PATIENCE)
        .ignoreExceptions()
        .until(
            () ->
                runs.stream().anyMatch(run -> run.failure().isPresent())
                    || cluster.committed(topic).stream()
                            .map(r -> TestCluster.header(r, Names.RELEASE_ID_HEADER))
                            .map(id -> id.substring(0, id.lastIndexOf('/')))
                            .distinct()
                            .count()
                        >= whole);
    assertThat(runs).allSatisfy(run -> assertThat(run.failure()).isEmpty());
  }

  /**
   * Sends a window, and kills the broker that leads an output as soon as a part of it is there.
   *
   * @return the broker's number
   */
  private int killInTheMiddle(
      TestCluster cluster, Admin admin, ForkedCluster brokers, Plan plan, String topic)
      throws Exception {
    int leader = awaitTheMiddle(cluster, admin, plan, topic);
    brokers.kill(leader);
    say("killed broker %d in the middle of %s".formatted(leader, topic));
    return leader;
  }

  /**
   * Sends a window, and waits until a part of an output is there.
   *
   * @return number of the broker that leads its partition
   */
  private int awaitTheMiddle(TestCluster cluster, Admin admin, Plan plan, String topic)
      throws Exception {
    Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
    Map<Integer, Integer> leaders = new HashMap<>();
    for (TopicPartitionInfo partition :
        admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).partitions()) {
      latest.put(new TopicPartition(topic, partition.partition()), OffsetSpec.latest());
      leaders.put(partition.partition(), partition.leader().id());
    }
    Map<TopicPartition, ListOffsetsResultInfo> before = admin.listOffsets(latest).all().get();
    send(cluster, plan);
    TopicPartition begun =
        await()
            .pollInterval(Duration.ofMillis(2))
            .atMost(TestCluster.PATIENCE)
            .until(
                () ->
                    admin.listOffsets(latest).all().get().entrySet().stream()
                        .filter(now -> now.getValue().offset() > before.get(now.getKey()).offset())
                        .map(Map.Entry::getKey)
                        .findFirst(),
                Optional::isPresent)
            .orElseThrow();
    return leaders.get(begun.partition());
  }

  private static long said(CapturedLog log, String words) {
    return log.lines().stream().filter(line -> line.contains(words)).count();
  }

  private final long began = System.nanoTime();

  private void say(String what) {
    System.out.printf("%5.1f s: %s%n", (System.nanoTime() - began) / 1e9, what);
  }

  /** A window of records, and its end. */
  private void send(TestCluster cluster, Plan plan) throws Exception {
    String name = plan.pipeline().name();
    int window = windows.merge(name, 1, Integer::sum) - 1;
    try (KafkaProducer<byte[], byte[]> producer = cluster.producer()) {
      if (window == 0) {
        ticks(producer, name, 0);
      }
      int users = name.equals("found-names") ? 3 * GROUPS : WARDS;
      for (int user = 0; user < users; user++) {
        int records = name.equals("found-names") ? OF_GROUP : 3;
        for (int i = 0; i < records && (window < 3 || i == 0); i++) {
          String value =
              name.equals("found-names")
                  ? "\"ward\":\"w%d\",\"what\":\"name %d of group %d\""
                      .formatted(user / 3 % 2, i, user / 3)
                  : "\"ward\":\"w%d\",\"f\":\"v%d\",\"g\":\"v%d\",\"h\":\"v%d\""
                      .formatted(user % WARDS, (user + i) % VALUES, window % VALUES, user % VALUES);
          producer.send(record(name, user, window, value));
        }
      }
      ticks(producer, name, window + 1);
    }
  }

  private static ProducerRecord<byte[], byte[]> record(
      String name, int user, int window, String value) {
    return new ProducerRecord<>(
        name + "-in",
        user % PARTITIONS,
        BASE + window,
        null,
        "{\"who\":\"u%d\",\"at\":%d,%s}"
            .formatted(user, BASE + window * 10_000L + 1, value)
            .getBytes(StandardCharsets.UTF_8));
  }

  private static void ticks(KafkaProducer<byte[], byte[]> producer, String name, int window) {
    for (int partition : Set.of(0, 1)) {
      producer.send(
          TestCluster.tick(name, name + "-in", partition, BASE + window, BASE + window * 10_000L));
    }
  }
}
