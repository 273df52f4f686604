// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.devcluster.ForkedCluster;
import io.sfumato.release.Plan;
import io.sfumato.release.histogram.PlannedHistogram;
import io.sfumato.topology.context.PipelineMeters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three brokers and two instances in processes of their own are killed at random, or stopped and
 * resumed (before others miss them, or after), while events flow. At the end every window of every
 * subject was decided exactly once, the ledger holds as many charges as there are committed
 * releases, and the bytes are those of an undisturbed run over the same log.
 */
@ExtendWith(SharedBroker.class)
@Tag("cluster")
class ChaosIT {
  /** Two in every build, twenty with the profile {@code chaos}; as many stalls. */
  private static final int KILLS = Integer.getInteger("sfumato.chaos.kills", 2);

  /** Every kill is followed by a stall. */
  private static final int DISTURBANCES = 2 * KILLS;

  private static final Duration SHORT_STALL = Duration.ofSeconds(1);
  private static final int BROKERS = 3;
  private static final int APPS = 2;
  private static final int PARTITIONS = 4;
  private static final int SUBJECTS = 60;
  private static final int WINDOWS = 20 + 5 * DISTURBANCES;
  private static final int FEW = 12;
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();

  private static String yaml(String name) {
    return """
        pipeline: %1$s
        input: { topic: %1$s-in, subject: who, time: at, category: what, categories: [a, b, c, d] }
        window: { size: 10s, grace: 2s }
        budget: { name: %1$s, unit: record, epsilon: 20, delta: 1e-6 }
        releases:
          - histogram: { name: %1$s-mix, method: laplace, share: { epsilon: 18, delta: 5e-7 }, windows: %2$d }
          - histogram: { name: %1$s-few, method: laplace, share: { epsilon: 2, delta: 5e-7 }, windows: %3$d }
        """
        .formatted(name, WINDOWS, FEW);
  }

  /** What a run leaves behind: the records that it read, and the payloads of each output. */
  private record Outcome(
      List<ConsumerRecord<byte[], byte[]>> source, Map<String, List<String>> outputs) {
    static Outcome of(TestCluster cluster, Plan plan) throws RefusedException {
      Map<String, List<String>> outputs = new HashMap<>();
      for (String topic : topics(plan)) {
        outputs.put(topic, TestCluster.payloads(cluster.committed(topic)));
      }
      return new Outcome(
          cluster.committed(plan.pipeline().input().topics().names().get(0)), outputs);
    }

    List<String> mix(Plan plan) {
      return outputs.get(ChaosIT.mix(plan));
    }

    List<String> few(Plan plan) {
      return outputs.get(ChaosIT.few(plan));
    }

    List<String> refusals(Plan plan) {
      return outputs.get(plan.pipeline().refusalsTopic());
    }
  }

  private static String mix(Plan plan) {
    return plan.pipeline().name() + "-mix";
  }

  private static String few(Plan plan) {
    return plan.pipeline().name() + "-few";
  }

  private static List<String> topics(Plan plan) {
    return List.of(mix(plan), few(plan), plan.pipeline().refusalsTopic());
  }

  @TempDir Path folder;

  /**
   * Disturbances so far, one more when all are done: events wait for them, so that each disturbs
   * something.
   */
  private final AtomicInteger disturbances = new AtomicInteger();

  private final Random random = new Random(20261121);
  private final TimedLines lines = new TimedLines();

  @Test
  void shouldDecideEveryWindowOnceWhateverIsKilled(TestCluster shared) throws Exception {
    Plan plan = TestCluster.plan(yaml("chaos"));
    Path file = Files.writeString(folder.resolve("chaos.yaml"), yaml("chaos"));
    Files.deleteIfExists(log());
    Outcome disturbed;
    long charges;
    try (ForkedCluster brokers =
            ForkedCluster.start(folder.resolve("brokers"), BROKERS, ForkArchive.here());
        TestCluster cluster = new TestCluster(brokers);
        Supervisor apps = new Supervisor(app -> fork(cluster, file, app), lines)) {
      cluster.createTopic(plan.pipeline().input().topics().names().get(0), PARTITIONS);
      TestCluster.prepare(TestCluster.settings(cluster.servers(), Map.of()), plan);
      lines.say("three brokers are up");
      apps.start(APPS);
      CompletableFuture<Void> flow = CompletableFuture.runAsync(() -> send(cluster, plan));
      for (int next = 0; next < DISTURBANCES; next++) {
        // The next comes when work has been done since the last.
        awaitReleases(cluster, plan, apps, SUBJECTS * (3 + 5 * next));
        int victim = random.nextInt(BROKERS + APPS);
        if (next % 2 == 0) {
          kill(brokers, apps, victim);
        } else {
          Process process =
              victim < BROKERS ? brokers.process(victim) : apps.process(victim - BROKERS);
          stall(cluster, plan, process, victim, random.nextBoolean());
          if (victim < BROKERS) {
            awaitAll(brokers);
          }
        }
        disturbances.incrementAndGet();
      }
      lines.say("no more disturbances");
      disturbances.incrementAndGet();
      flow.get();
      awaitReleases(cluster, plan, apps, SUBJECTS * WINDOWS);
      await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> decided(cluster, few(plan)) == SUBJECTS * afforded(plan));
      await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> decided(cluster, plan.pipeline().refusalsTopic()) == SUBJECTS);
      lines.say("every window is decided; instances that ended by themselves: " + apps.ended());
      disturbed = Outcome.of(cluster, plan);
      charges = LedgerCharges.count(cluster, plan.pipeline().applicationId());
    }
    assertThat(new TreeMap<>(decisions(disturbed.mix(plan))).values())
        .as("every window of every subject once")
        .hasSize(SUBJECTS)
        .containsOnly(WINDOWS);
    assertThat(charges)
        .as("charges in the ledger")
        .isEqualTo(disturbed.mix(plan).size() + disturbed.few(plan).size());
    assertSameBytesUndisturbed(shared, plan, disturbed);
    System.out.printf(
        "%d kills and %d stalls survived: %,d records, %,d releases, %,d refusals%n",
        KILLS,
        DISTURBANCES - KILLS,
        disturbed.source().size(),
        disturbed.mix(plan).size() + disturbed.few(plan).size(),
        disturbed.refusals(plan).size());
  }

  private void kill(ForkedCluster brokers, Supervisor apps, int victim)
      throws IOException, InterruptedException {
    if (victim < BROKERS) {
      brokers.kill(victim);
      lines.say("killed broker " + victim);
      brokers.restart(victim);
      awaitAll(brokers);
    } else {
      apps.kill(victim - BROKERS);
    }
  }

  private void awaitAll(ForkedCluster brokers) throws InterruptedException {
    brokers.awaitAll();
    lines.say("all brokers are in sync again");
  }

  /**
   * Stops a process with all its threads, and resumes it.
   *
   * @param missed whether the others miss it in between, and take over what it had
   */
  private void stall(TestCluster cluster, Plan plan, Process process, int victim, boolean missed)
      throws Exception {
    Callable<Boolean> gone =
        victim < BROKERS
            ? () -> cluster.brokers() < BROKERS
            : () -> cluster.instances(plan.pipeline().applicationId()) < APPS;
    long since = System.nanoTime();
    Signals.stop(process);
    if (missed) {
      await().atMost(TestCluster.PATIENCE).ignoreExceptions().until(gone);
    } else {
      // Shorter than any session: the time is what is tested.
      await().until(() -> System.nanoTime() - since > SHORT_STALL.toNanos());
    }
    Signals.resume(process);
    lines.say(
        "stalled %s %d %s"
            .formatted(
                victim < BROKERS ? "broker" : "instance",
                victim < BROKERS ? victim : victim - BROKERS,
                missed ? "until it was missed" : "shortly"));
  }

  /** One instance becomes three and one again while events flow; each has standbys elsewhere. */
  @Test
  void shouldReleaseTheSameWhenScaledToThreeAndBack(TestCluster shared) throws Exception {
    Plan plan = TestCluster.plan(yaml("scaled"));
    Outcome scaled;
    try (TestCluster cluster = new TestCluster(folder.resolve("scaled"))) {
      cluster.createTopic(plan.pipeline().input().topics().names().get(0), PARTITIONS);
      KafkaSettings settings = TestCluster.settings(cluster.servers(), scaling());
      TestCluster.prepare(settings, plan);
      CompletableFuture<Void> flow = CompletableFuture.runAsync(() -> send(cluster, plan));
      Gaps gaps = new Gaps();
      try (PipelineRun first = instance(plan, settings, 0)) {
        awaitDecided(cluster, plan, 3, gaps);
        try (PipelineRun second = instance(plan, settings, 1);
            PipelineRun third = instance(plan, settings, 2)) {
          assertThat(second.awaitRunning(TestCluster.PATIENCE)).isTrue();
          assertThat(third.awaitRunning(TestCluster.PATIENCE)).isTrue();
          // Copies are moved a few at a time, each a minute after it was asked for.
          await().atMost(TestCluster.PATIENCE).until(() -> works(second) && works(third));
          disturbances.incrementAndGet();
          awaitDecided(cluster, plan, 12, gaps);
        }
        disturbances.set(DISTURBANCES + 1);
        flow.get();
        awaitDecided(cluster, plan, WINDOWS, gaps);
        await()
            .atMost(TestCluster.PATIENCE)
            .until(
                () ->
                    decided(cluster, few(plan)) == SUBJECTS * afforded(plan)
                        && decided(cluster, plan.pipeline().refusalsTopic()) == SUBJECTS);
        assertThat(first.failure()).isEmpty();
      }
      scaled = Outcome.of(cluster, plan);
      lines.say("scaled to three and back; longest time without a release " + gaps.longest());
    }
    assertSameBytesUndisturbed(shared, plan, scaled);
  }

  private static boolean works(PipelineRun run) {
    return run.streams().orElseThrow().metadataForLocalThreads().stream()
        .anyMatch(thread -> !thread.activeTasks().isEmpty());
  }

  /**
   * Records that a copy may lack. None would be never: at the end of each changelog there is the
   * mark of a transaction, which no copy reads.
   */
  private static final String LAG = "40";

  /**
   * With the profile {@code chaos} a task moves only to a copy that has everything: new instances
   * warm copies up, and get them at a probing rebalance, a minute later.
   */
  private static Map<String, String> scaling() {
    return KILLS > 2
        ? Map.of(
            "session.timeout.ms", "6000",
            "acceptable.recovery.lag", LAG,
            "probing.rebalance.interval.ms", "60000")
        : Map.of("session.timeout.ms", "6000");
  }

  /** How long nothing came, seen from outside. */
  private static final class Gaps {
    private int last;
    private long since = System.nanoTime();
    private long longest;

    void seen(int releases) {
      long now = System.nanoTime();
      longest = Math.max(longest, now - since);
      if (releases > last) {
        last = releases;
        since = now;
      }
    }

    String longest() {
      return "%.1f s".formatted(longest / 1e9);
    }
  }

  private PipelineRun instance(Plan plan, KafkaSettings settings, int number) {
    return PipelineRun.start(
        plan,
        TestCluster.deployment(plan, PARTITIONS, PipelineMeters.none()),
        new PipelineRun.Instance(settings, folder.resolve("instance-" + number), 1, 1));
  }

  private static void awaitDecided(TestCluster cluster, Plan plan, int windows, Gaps gaps) {
    await()
        .atMost(TestCluster.PATIENCE)
        .until(
            () -> {
              int releases = decided(cluster, mix(plan));
              gaps.seen(releases);
              return releases >= SUBJECTS * windows;
            });
  }

  /** Five windows for every disturbance, then the rest. */
  private int allowed() {
    return disturbances.get() > DISTURBANCES
        ? WINDOWS
        : Math.min(WINDOWS, 10 + 5 * disturbances.get());
  }

  private void send(TestCluster cluster, Plan plan) {
    String topic = plan.pipeline().input().topics().names().get(0);
    String budget = plan.pipeline().budget().name();
    Random choice = new Random(7);
    try (KafkaProducer<byte[], byte[]> producer = cluster.producer()) {
      for (int window = 0; window < WINDOWS; window++) {
        int next = window;
        await().atMost(TestCluster.PATIENCE).until(() -> next < allowed());
        for (int subject = 0; subject < SUBJECTS; subject++) {
          for (int i = 0; i < 5; i++) {
            producer.send(
                TestCluster.event(
                    topic,
                    choice.nextInt(PARTITIONS),
                    BASE + window,
                    "s%02d".formatted(subject),
                    BASE + window * 10_000L + choice.nextInt(10_000),
                    "abcd".substring(choice.nextInt(4)).substring(0, 1)));
          }
        }
        for (int partition = 0; partition < PARTITIONS; partition++) {
          producer.send(
              TestCluster.tick(
                  budget, topic, partition, BASE + window, BASE + window * 10_000L + 2_000));
        }
        producer.flush();
      }
      for (int partition = 0; partition < PARTITIONS; partition++) {
        producer.send(
            TestCluster.tick(
                budget, topic, partition, BASE + WINDOWS, BASE + (WINDOWS + 1) * 10_000L));
      }
    } catch (RefusedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void awaitReleases(TestCluster cluster, Plan plan, Supervisor apps, int count) {
    await()
        .atMost(TestCluster.PATIENCE)
        .pollInterval(Duration.ofMillis(300))
        .ignoreExceptions()
        .until(
            () -> {
              apps.restartEnded();
              return decided(cluster, mix(plan)) >= count;
            });
  }

  private static int decided(TestCluster cluster, String topic) throws RefusedException {
    return cluster.committed(topic).size();
  }

  private static Map<String, Integer> decisions(List<String> payloads) {
    Map<String, Integer> windows = new HashMap<>();
    payloads.stream()
        .map(payload -> payload.split(" "))
        .forEach(fields -> windows.merge(fields[2], 1, Integer::sum));
    return windows;
  }

  private static long afforded(Plan plan) {
    return plan.all(PlannedHistogram.class).get(1).plan().releases();
  }

  /** One instance on one broker, with nothing killed, over the same log. */
  private void assertSameBytesUndisturbed(TestCluster shared, Plan plan, Outcome disturbed)
      throws Exception {
    String source = plan.pipeline().input().topics().names().get(0);
    shared.createTopic(source, PARTITIONS);
    try (var producer = shared.producer()) {
      for (ConsumerRecord<byte[], byte[]> record : disturbed.source()) {
        producer.send(
            new ProducerRecord<>(
                source,
                record.partition(),
                record.timestamp(),
                record.key(),
                record.value(),
                record.headers()));
      }
    }
    KafkaSettings settings = TestCluster.settings(shared.servers(), Map.of());
    TestCluster.prepare(settings, plan);
    try (PipelineRun run =
        PipelineRun.start(
            plan,
            TestCluster.deployment(plan, PARTITIONS, PipelineMeters.none()),
            new PipelineRun.Instance(settings, folder.resolve("undisturbed-state"), 1, 0))) {
      for (String topic : topics(plan)) {
        await()
            .atMost(TestCluster.PATIENCE)
            .until(() -> decided(shared, topic) >= disturbed.outputs().get(topic).size());
      }
      assertThat(run.failure()).isEmpty();
    }
    Outcome undisturbed = Outcome.of(shared, plan);
    for (String topic : topics(plan)) {
      assertThat(disturbed.outputs().get(topic))
          .as(topic)
          .isEqualTo(undisturbed.outputs().get(topic));
    }
  }

  private Process fork(TestCluster cluster, Path file, int app) throws IOException {
    return TestCluster.fork(
        log(),
        ReplayApp.class,
        cluster.servers(),
        file.toString(),
        folder.resolve("state-" + app).toString(),
        Integer.toString(PARTITIONS),
        "0",
        "1");
  }

  /** Kept after the test, for whoever must find out why it failed. */
  private static Path log() {
    return Path.of("target", "chaos-apps.log");
  }
}
