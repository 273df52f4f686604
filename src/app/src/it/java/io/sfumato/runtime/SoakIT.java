// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.devcluster.ForkedCluster;
import io.sfumato.release.Plan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Full rate for a long time in a heap of 512 MB: memory does not grow. Only where it is asked for:
 * {@code mvn -Pchaos verify -Dit.test=SoakIT -Dsfumato.soak.minutes=30}.
 */
@EnabledIfSystemProperty(
    named = "sfumato.soak.minutes",
    matches = "[1-9]\\d*",
    disabledReason = "runs for as many minutes as -Dsfumato.soak.minutes says")
@Tag("cluster")
class SoakIT {
  private static final Duration LENGTH =
      Duration.ofMinutes(Integer.getInteger("sfumato.soak.minutes", 0));
  private static final int PARTITIONS = 2;
  private static final int SUBJECTS = 20_000;
  private static final int RECORDS_A_WINDOW = 200_000;

  /** How far the producer may be ahead: full rate is the pipeline's. */
  private static final long AHEAD = 400_000;

  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();

  private static final String YAML =
      """
      pipeline: soak
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c, d] }
      window: { size: 1h }
      budget: { name: soak, unit: record, epsilon: 100, delta: 1e-6, period: 30d }
      releases:
        - histogram: { name: mix, calibration: renyi, share: { epsilon: 100, delta: 1e-6 } }
      """;

  @TempDir Path folder;

  @Test
  void shouldHoldItsMemoryAtFullRate() throws Exception {
    Path file = Files.writeString(folder.resolve("soak.yaml"), YAML);
    Path log = Path.of("target", "soak-app.log");
    Files.deleteIfExists(log);
    Plan plan = TestCluster.plan(YAML);
    try (ForkedCluster broker =
            ForkedCluster.start(folder.resolve("broker"), 1, ForkArchive.here());
        TestCluster cluster = new TestCluster(broker);
        Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.servers()))) {
      // What was read may go: the disk is not what is tested.
      Map<String, String> small =
          Map.of("retention.bytes", "134217728", "segment.bytes", "33554432");
      TestCluster.create(
          admin,
          List.of(
              new NewTopic("in", PARTITIONS, (short) 1).configs(small),
              new NewTopic("mix", PARTITIONS, (short) 1).configs(small)));
      Process app =
          TestCluster.fork(
              log,
              List.of("-Xmx512m", "-XX:+UseG1GC"),
              SoakApp.class,
              cluster.servers(),
              file.toString(),
              folder.resolve("state").toString(),
              Integer.toString(PARTITIONS));
      try {
        long sent = produce(cluster, admin, plan, app);
        System.out.printf("soaked for %s: %,d records sent%n", LENGTH, sent);
      } finally {
        app.destroyForcibly().waitFor();
      }
    }
    List<long[]> memory =
        Files.readAllLines(log).stream()
            .map(Pattern.compile("MEMORY heap (\\d+) resident (\\d+)")::matcher)
            .filter(Matcher::matches)
            .map(m -> new long[] {Long.parseLong(m.group(1)), Long.parseLong(m.group(2))})
            .toList();
    assertThat(memory.size()).as("looks at memory").isGreaterThan(5);
    for (int kind : new int[] {0, 1}) {
      double middle = mean(memory, kind, 1);
      double end = mean(memory, kind, 2);
      System.out.printf(
          "%s: %.0f MiB in the middle third, %.0f MiB in the last%n",
          kind == 0 ? "heap" : "resident", middle / (1 << 20), end / (1 << 20));
      assertThat(end).as(kind == 0 ? "heap" : "resident").isLessThan(1.1 * middle + (16 << 20));
    }
    assertThat(Files.readString(log)).doesNotContain("ENDED").doesNotContain("OutOfMemory");
  }

  private static double mean(List<long[]> memory, int kind, int third) {
    int length = memory.size() / 3;
    return memory.subList(third * length, (third + 1) * length).stream()
        .mapToLong(sample -> sample[kind])
        .average()
        .orElseThrow();
  }

  private static long produce(TestCluster cluster, Admin admin, Plan plan, Process app)
      throws Exception {
    Random random = new Random(1);
    AtomicLong sent = new AtomicLong();
    long end = System.nanoTime() + LENGTH.toNanos();
    try (var producer = cluster.producer()) {
      while (System.nanoTime() < end) {
        assertThat(app.isAlive()).as("the pipeline runs").isTrue();
        for (int i = 0; i < RECORDS_A_WINDOW / 10; i++) {
          long number = sent.getAndIncrement();
          long time =
              BASE
                  + number / RECORDS_A_WINDOW * HOUR
                  + number % RECORDS_A_WINDOW * HOUR / RECORDS_A_WINDOW;
          producer.send(
              TestCluster.event(
                  "in",
                  (int) (number % PARTITIONS),
                  System.currentTimeMillis(),
                  "s" + random.nextInt(SUBJECTS),
                  time,
                  "abcd".substring(random.nextInt(4)).substring(0, 1)));
        }
        await().atMost(TestCluster.PATIENCE).until(() -> sent.get() - read(admin, plan) < AHEAD);
      }
    }
    return sent.get();
  }

  /** How many records the pipeline has read. */
  private static long read(Admin admin, Plan plan) throws Exception {
    return admin
        .listConsumerGroupOffsets(plan.pipeline().applicationId())
        .partitionsToOffsetAndMetadata()
        .get()
        .entrySet()
        .stream()
        .filter(e -> e.getKey().topic().equals("in") && e.getValue() != null)
        .mapToLong(e -> e.getValue().offset())
        .sum();
  }
}
