// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.release.Plan;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Random;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three instances share sixteen partitions, and one of them joins and leaves again and again, each
 * time in the middle of a window. Every window of every subject is decided once, and the bytes are
 * those of a single undisturbed instance.
 */
@ExtendWith(SharedBroker.class)
@Tag("cluster")
class JoinsIT {
  /** How many times as many subjects, and windows at once, as in every build. */
  private static final int SIZE = Integer.getInteger("sfumato.faults.size", 1);

  private static final int JOINS = Integer.getInteger("sfumato.joins", 2);
  private static final int PARTITIONS = 16;
  private static final int SUBJECTS = 200 * SIZE;
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();

  @TempDir Path folder;
  private final Random random = new Random(20261128);
  private int windows;

  private static String yaml() {
    return """
        pipeline: joins
        input: { topic: joins-in, subject: who, time: at, category: what, categories: [a, b, c, d] }
        window: { size: 10s, clock: ticks, begin: 2026-01-05 }
        budget: { name: joins, unit: record, epsilon: 20, delta: 2e-6 }
        releases:
          - histogram: { name: joins-mix, method: laplace, share: { epsilon: 10, delta: 1e-6 }, windows: %1$d }
          - histogram: { name: joins-normal, method: gaussian, share: { epsilon: 10, delta: 1e-6 }, windows: %1$d }
        """
        .formatted(2 * SIZE * JOINS);
  }

  @Test
  void shouldReleaseTheSameWhileAnInstanceJoinsAndLeavesAgainAndAgain(TestCluster shared)
      throws Exception {
    Plan plan = TestCluster.plan(yaml());
    try (TestCluster cluster = new TestCluster(folder.resolve("broker"))) {
      cluster.createTopic("joins-in", PARTITIONS);
      Instances instances = new Instances(cluster, folder).withPartitions(PARTITIONS);
      try (PipelineRun first = instances.start(plan, "first");
          PipelineRun second = instances.start(plan, "second")) {
        for (int join = 0; join < JOINS; join++) {
          send(cluster);
          awaitAny(cluster);
          try (PipelineRun third = instances.start(plan, "third")) {
            await().atMost(TestCluster.PATIENCE).until(() -> works(third));
            awaitReleased(cluster);
            send(cluster);
            awaitAny(cluster);
            assertThat(third.failure()).isEmpty();
          }
          awaitReleased(cluster);
          say("joined and left " + (join + 1) + " times");
        }
        assertThat(first.failure()).isEmpty();
        assertThat(second.failure()).isEmpty();
      }
      assertThat(cluster.count("joins-mix")).isEqualTo(SUBJECTS * windows);
      assertThat(LedgerCharges.count(cluster, "sfumato-joins")).isEqualTo(2L * SUBJECTS * windows);
      new Undisturbed(new Instances(shared, folder.resolve("calm")).withPartitions(PARTITIONS))
          .assertSameFromRecords(cluster, plan);
      say("the same bytes as undisturbed");
    }
  }

  private static boolean works(PipelineRun run) {
    return run.streams().orElseThrow().metadataForLocalThreads().stream()
        .anyMatch(thread -> !thread.activeTasks().isEmpty());
  }

  /** Until a part of the last windows is released. */
  private void awaitAny(TestCluster cluster) {
    await()
        .atMost(TestCluster.PATIENCE)
        .until(() -> cluster.count("joins-mix") > SUBJECTS * (windows - SIZE));
  }

  private void awaitReleased(TestCluster cluster) {
    for (String topic : new String[] {"joins-mix", "joins-normal"}) {
      cluster.awaitCount(topic, SUBJECTS * windows);
    }
  }

  private final long began = System.nanoTime();

  private void say(String what) {
    System.out.printf("%5.1f s: %s%n", (System.nanoTime() - began) / 1e9, what);
  }

  /** Records of some windows, and their ends. */
  private void send(TestCluster cluster) throws RefusedException {
    try (KafkaProducer<byte[], byte[]> producer = cluster.producer()) {
      for (int i = 0; i < SIZE; i++, windows++) {
        long start = BASE + windows * 10_000L;
        for (int subject = 0; subject < SUBJECTS; subject++) {
          producer.send(
              TestCluster.event(
                  "joins-in",
                  random.nextInt(PARTITIONS),
                  BASE + windows,
                  "s" + subject,
                  start + random.nextInt(10_000),
                  "abcd".substring(random.nextInt(4)).substring(0, 1)));
        }
        for (int partition = 0; partition < PARTITIONS; partition++) {
          producer.send(
              TestCluster.tick("joins", "joins-in", partition, BASE + windows, start + 10_000));
        }
      }
    }
  }
}
