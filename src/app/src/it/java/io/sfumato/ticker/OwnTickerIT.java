// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ticker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.devcluster.EmbeddedBroker;
import io.sfumato.devcluster.ForkedCluster;
import io.sfumato.gate.TickKey;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.release.Plan;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.Patiently;
import io.sfumato.runtime.PipelineRun;
import io.sfumato.runtime.PipelineStart;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import io.sfumato.topology.clock.TickVerifier;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.OperatorOrders;
import io.sfumato.topology.context.PipelineMeters;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.utils.Time;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A pipeline that ticks by itself releases without any ticker, and no wrong clock, of a machine or
 * of a broker, closes a window.
 */
@ExtendWith(SharedBroker.class)
@Tag("cluster")
class OwnTickerIT {
  private static final int PARTITIONS = 3;
  private static final Duration DAY = Duration.ofDays(1);

  @TempDir Path folder;

  private static Plan plan(String name) throws Exception {
    return plan(name, Instant.ofEpochSecond(Instant.now().getEpochSecond() / 60 * 60), 400);
  }

  private static Plan plan(String name, Instant begin, int maxJump) throws Exception {
    return TestCluster.plan(
        """
        pipeline: NAME
        input: { topic: NAME-in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
        contributions: { per-window: 3, subjects: 1 }
        subjects: [north, south]
        window: { size: 2s, clock: ticks, begin: BEGIN, ticks: here, max-jump: JUMP }
        budget: { name: NAME, unit: user, epsilon: 2, delta: 1e-6, period: window }
        releases:
          - count: { name: NAME-counts, share: { epsilon: 2, delta: 1e-6 } }
        """
            .replace("NAME", name)
            .replace("BEGIN", begin.toString())
            .replace("JUMP", Integer.toString(maxJump)));
  }

  private static TickKey key(Plan plan) {
    return TestCluster.key().tickKey(plan.pipeline().budget().name());
  }

  /** What a ticker said. */
  private static final class Heard implements TickerListener {
    final List<Long> ticked = new CopyOnWriteArrayList<>();
    final List<Duration> differences = new CopyOnWriteArrayList<>();
    final List<String> failures = new CopyOnWriteArrayList<>();
    final List<Integer> unreachable = new CopyOnWriteArrayList<>();

    @Override
    public void ticked(long time) {
      ticked.add(time);
    }

    @Override
    public void differ(Duration ahead) {
      differences.add(ahead);
    }

    @Override
    public void failed(String reason) {
      failures.add(reason);
    }

    @Override
    public void unreachable(int partitions, int all) {
      unreachable.add(partitions);
    }
  }

  private static void create(KafkaSettings settings, Plan plan, String type) throws Exception {
    try (Admin admin = Admin.create(settings.admin())) {
      TestCluster.create(
          admin,
          List.of(
              new NewTopic(plan.pipeline().input().topics().names().get(0), PARTITIONS, (short) 1)
                  .configs(Map.of("message.timestamp.type", type))));
    }
  }

  private static OwnTicker start(
      KafkaSettings settings, Plan plan, Duration ahead, TickerListener listener)
      throws RefusedException {
    Supplier<Moment> clock =
        () -> new Moment(System.currentTimeMillis() + ahead.toMillis(), System.nanoTime());
    return OwnTicker.start(
        settings,
        plan.pipeline(),
        TestCluster.sources(plan, PARTITIONS),
        key(plan),
        OperatorOrders.none(),
        listener,
        clock);
  }

  @ParameterizedTest
  @ValueSource(strings = {"LogAppendTime", "CreateTime"})
  void shouldReleaseWithoutAnybodyWhoTicks(String type, TestCluster cluster) throws Exception {
    Plan plan = plan("ticked-" + type.toLowerCase(Locale.ROOT));
    String topic = plan.pipeline().input().topics().names().get(0);
    KafkaSettings settings = TestCluster.settings(cluster.servers(), Map.of());
    create(settings, plan, type);
    Heard heard = new Heard();
    try (PipelineRun run =
            PipelineStart.of(
                cluster, plan, PARTITIONS, PipelineMeters.none(), folder.resolve(type));
        OwnTicker ticker = start(settings, plan, Duration.ZERO, heard);
        var producer = cluster.producer()) {
      producer.send(
          new ProducerRecord<>(
              topic,
              0,
              null,
              "{\"who\":\"ann\",\"at\":%d,\"ward\":\"north\",\"what\":\"a\"}"
                  .formatted(System.currentTimeMillis())
                  .getBytes(StandardCharsets.UTF_8)));
      Patiently.await()
          .atMost(TestCluster.PATIENCE)
          .until(
              () ->
                  run.failure().isPresent()
                      || cluster.count(plan.pipeline().name() + "-counts") >= 20);
      assertThat(run.failure()).isEmpty();
    }
    assertThat(heard.differences).isEmpty();
    assertSigned(cluster, plan);
  }

  /** Times of ticks, in log order, by partition. */
  private static Map<Integer, List<Long>> times(TestCluster cluster, Plan plan) throws Exception {
    TickVerifier ticks = new TickVerifier(plan.pipeline().window(), Optional.of(key(plan)));
    Map<Integer, List<Long>> times = new TreeMap<>();
    for (ConsumerRecord<byte[], byte[]> record :
        cluster.committed(plan.pipeline().input().topics().names().get(0))) {
      var tick = record.headers().lastHeader(Names.TICK_HEADER);
      if (tick != null) {
        ticks
            .time(tick.value(), record.topic(), record.partition(), record.timestamp())
            .ifPresent(
                time -> {
                  assertThat(time).isLessThanOrEqualTo(record.timestamp());
                  times.computeIfAbsent(record.partition(), p -> new ArrayList<>()).add(time);
                });
      }
    }
    return times;
  }

  /** In every partition the same times, on the public grid, and none of the future. */
  private static void assertSigned(TestCluster cluster, Plan plan) throws Exception {
    TickGrid grid = new TickGrid(plan.pipeline().window());
    Map<Integer, List<Long>> times = times(cluster, plan);
    assertThat(times).hasSize(PARTITIONS);
    times.forEach(
        (partition, all) -> assertThat(all).allMatch(time -> grid.atOrBefore(time) == time));
    assertThat(times.values().stream().map(all -> Set.copyOf(all).size()).distinct())
        .hasSizeLessThanOrEqualTo(2);
  }

  /** Whose clock is a day ahead writes nothing that closes a window. */
  @ParameterizedTest
  @CsvSource({"LogAppendTime, 24", "LogAppendTime, -24", "CreateTime, 24", "CreateTime, -24"})
  void shouldNotTickByAMachineWithAWrongClock(String type, int hours, TestCluster cluster)
      throws Exception {
    Plan plan = plan("wrong-" + type.toLowerCase(Locale.ROOT) + (hours > 0 ? "-up" : "-down"));
    KafkaSettings settings = TestCluster.settings(cluster.servers(), Map.of());
    create(settings, plan, type);
    Heard heard = new Heard();
    try (OwnTicker ticker = start(settings, plan, Duration.ofHours(hours), heard)) {
      Patiently.await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> heard.differences.size() + heard.failures.size() > 0);
    }
    assertThat(heard.failures).isEmpty();
    assertThat(heard.ticked).isEmpty();
    assertThat(heard.differences.get(0))
        .isBetween(Duration.ofHours(hours).minusMinutes(2), Duration.ofHours(hours).plusMinutes(2));
  }

  /** A broker that is a day ahead stamps the ticks itself: its clock is not believed either. */
  @ParameterizedTest
  @ValueSource(strings = {"LogAppendTime", "CreateTime"})
  void shouldNotTickByABrokerWithAWrongClock(String type) throws Exception {
    Plan plan = plan("shifted");
    try (EmbeddedBroker broker =
        EmbeddedBroker.start(
            folder.resolve("shifted-" + type), EmbeddedBroker.freePort(), Map.of(), shifted(DAY))) {
      KafkaSettings settings = TestCluster.settings(broker.bootstrapServers(), Map.of());
      create(settings, plan, type);
      try (Cluster cluster = new Cluster(settings)) {
        assertThat(cluster.controllerTime().orElseThrow() - System.currentTimeMillis())
            .as("the controller says what time it is")
            .isBetween(DAY.minusMinutes(2).toMillis(), DAY.plusMinutes(2).toMillis());
      }
      Heard heard = new Heard();
      try (OwnTicker ticker = start(settings, plan, Duration.ZERO, heard)) {
        Patiently.await()
            .atMost(TestCluster.PATIENCE)
            .until(() -> heard.differences.size() + heard.failures.size() > 0);
      }
      assertThat(heard.failures).isEmpty();
      assertThat(heard.ticked).isEmpty();
      assertThat(heard.differences.get(0)).isNegative();
    }
  }

  /** Kafka's clock, but for the time of day. */
  private static Time shifted(Duration by) {
    return (Time)
        Proxy.newProxyInstance(
            OwnTickerIT.class.getClassLoader(),
            new Class<?>[] {Time.class},
            (proxy, method, arguments) -> {
              try {
                Object answer = method.invoke(Time.SYSTEM, arguments);
                return method.getName().equals("milliseconds")
                    ? (Object) ((long) answer + by.toMillis())
                    : answer;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static void signal(String signal, Process process) throws Exception {
    assertThat(
            new ProcessBuilder("kill", signal, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor())
        .isZero();
  }

  /** A broker that stands still for longer than clocks may differ: its clock was never wrong. */
  @Test
  void shouldTickOnAfterABrokerHasStoodStill() throws Exception {
    Plan plan = plan("stopped");
    try (ForkedCluster broker = ForkedCluster.start(folder.resolve("stopped"), 1)) {
      KafkaSettings settings = TestCluster.settings(broker.bootstrapServers(), Map.of());
      create(settings, plan, "LogAppendTime");
      Heard heard = new Heard();
      try (OwnTicker ticker = start(settings, plan, Duration.ZERO, heard)) {
        Patiently.await().atMost(TestCluster.PATIENCE).until(() -> heard.ticked.size() > 2);
        signal("-STOP", broker.process(0));
        Patiently.await().atMost(TestCluster.PATIENCE).until(() -> !heard.failures.isEmpty());
        signal("-CONT", broker.process(0));
        int before = heard.ticked.size();
        Patiently.await()
            .atMost(TestCluster.PATIENCE)
            .until(() -> heard.ticked.size() > before + 2);
      }
      assertThat(heard.differences).isEmpty();
    }
  }

  /** One of two instances ends: the other one ticks on. */
  @Test
  void shouldTickOnWhereAnotherInstanceEnds(TestCluster cluster) throws Exception {
    Plan plan = plan("takeover");
    KafkaSettings settings = TestCluster.settings(cluster.servers(), Map.of());
    create(settings, plan, "LogAppendTime");
    Heard one = new Heard();
    Heard other = new Heard();
    try (OwnTicker second = start(settings, plan, Duration.ZERO, other)) {
      try (OwnTicker first = start(settings, plan, Duration.ZERO, one)) {
        Patiently.await().atMost(TestCluster.PATIENCE).until(() -> one.ticked.size() > 2);
      }
      int before = other.ticked.size();
      Patiently.await().atMost(TestCluster.PATIENCE).until(() -> other.ticked.size() > before + 2);
    }
    WindowSpec window = plan.pipeline().window();
    assertThat(other.ticked).allMatch(time -> new TickGrid(window).atOrBefore(time) == time);
  }

  /** The leader of one partition is gone: the others are ticked, and it gets its ticks later. */
  @Test
  void shouldTickTheOtherPartitionsWhereOneHasNoLeader() throws Exception {
    Plan plan = plan("leaderless");
    String topic = plan.pipeline().input().topics().names().get(0);
    try (ForkedCluster brokers = ForkedCluster.start(folder.resolve("leaderless"), 3)) {
      KafkaSettings settings = TestCluster.settings(brokers.bootstrapServers(), Map.of());
      try (Admin admin = Admin.create(settings.admin())) {
        TestCluster.create(
            admin,
            List.of(
                new NewTopic(topic, Map.of(0, List.of(0), 1, List.of(1), 2, List.of(2)))
                    .configs(
                        Map.of(
                            "message.timestamp.type",
                            "LogAppendTime",
                            "min.insync.replicas",
                            "1"))));
      }
      Heard heard = new Heard();
      try (OwnTicker ticker = start(settings, plan, Duration.ZERO, heard)) {
        Patiently.await().atMost(TestCluster.PATIENCE).until(() -> heard.ticked.size() > 2);
        brokers.kill(2);
        Patiently.await().atMost(TestCluster.PATIENCE).until(() -> heard.unreachable.contains(1));
        int before = heard.ticked.size();
        Patiently.await()
            .atMost(TestCluster.PATIENCE)
            .until(() -> heard.ticked.size() > before + 5);
      }
      assertThat(heard.failures).isEmpty();
    }
  }

  /** The topic's past is longer than one tick may jump, and the ticker was started before. */
  @Test
  void shouldGoOnInStepsAfterAnOutage(TestCluster cluster) throws Exception {
    Instant begin = Instant.now().truncatedTo(ChronoUnit.HOURS).minus(Duration.ofDays(1));
    Plan plan = plan("outage", begin, 400);
    KafkaSettings settings = TestCluster.settings(cluster.servers(), Map.of());
    create(settings, plan, "LogAppendTime");
    for (int start = 0; start < 2; start++) {
      Heard heard = new Heard();
      try (OwnTicker ticker = start(settings, plan, Duration.ZERO, heard)) {
        Patiently.await().atMost(TestCluster.PATIENCE).until(() -> heard.ticked.size() > 1);
      }
    }
    Map<Integer, List<Long>> times = times(cluster, plan);
    assertThat(times).hasSize(PARTITIONS);
    times.forEach(
        (partition, ticks) -> {
          long clock = begin.toEpochMilli();
          for (long tick : ticks) {
            assertThat(tick - clock).isLessThanOrEqualTo(400 * 2_000L);
            clock = Math.max(clock, tick);
          }
          assertThat(ticks).as("the second start begins where the first one ended").isSorted();
        });
  }
}
