// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.gate.NoiseSecret;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.release.Plan;
import io.sfumato.runtime.LedgerCharges;
import io.sfumato.runtime.Patiently;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.Supervisor;
import io.sfumato.runtime.TestCluster;
import io.sfumato.runtime.TimedLines;
import io.sfumato.schema.CountRelease;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.LedgerImage;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.version.MetaStore;
import io.sfumato.topology.version.StateIdentity;
import io.sfumato.topology.version.VersionHandover;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A pipeline of users goes through versions while its processes are killed: when a version is
 * announced, while the former one releases its last windows, where it is replaced, and when the new
 * one takes over. Events flow all the time. At the end every window was released once, with the
 * true counts, by the version that was announced for it, and no user was charged twice for one.
 */
@ExtendWith(SharedBroker.class)
@Tag("cluster")
class VersionChaosIT {
  /** One in every full build, eight with the profile {@code chaos}. */
  private static final int CHANGES = Integer.getInteger("sfumato.chaos.changes", 1);

  private static final int INSTANCES = 2;

  /** One at the announcement, one before the last windows, both former ones, one new one. */
  private static final int KILLS = (2 + INSTANCES + 1) * CHANGES;

  private static final int PARTITIONS = 2;
  private static final String NAME = "chaos-versions";
  private static final String SOURCE = NAME + "-in";
  private static final String OUTPUT = NAME + "-visits";
  private static final List<String> WARDS = List.of("east", "north", "south", "west");

  /** Users of each ward with one record in each window, which every version counts. */
  private static final int LIGHT = 40;

  /** Users of each ward with more records in each window than any version counts. */
  private static final int HEAVY = 5;

  private static final int HEAVY_RECORDS = 5;

  /** Windows from one change to the next. */
  private static final int STRETCH = 7;

  private static final int WINDOWS = 5 + STRETCH * CHANGES;

  @TempDir static Path folder;

  private final Random random = new Random(20261130);
  private final TimedLines lines = new TimedLines();

  /** Windows that may be closed by now: events flow so far, and one window further. */
  private final AtomicInteger allowed = new AtomicInteger(2);

  /** The version that each instance is started with. */
  private final int[] versionOf = new int[INSTANCES];

  /** First window of each version. */
  private final TreeMap<Integer, Integer> versionFrom = new TreeMap<>(Map.of(0, 1));

  /** Windows whose records two versions may have read. */
  private final Set<Integer> readByTwo = new HashSet<>();

  private TestCluster cluster;
  private PipelineVersions versions;
  private Supervisor instances;

  /** So much budget that there is no noise. */
  private static String yaml(int version) {
    return """
        pipeline: %1$s
        version: %2$d
        kafka: { session.timeout.ms: 6000 }
        input: { topic: %1$s-in, subject: ward, user: who, time: at, category: what, categories: [light, heavy] }
        contributions: { per-window: %3$d, subjects: 1 }
        subjects: [east, north, south, west]
        window: { size: 10s, clock: ticks, begin: 2026-01-05 }
        budget: { name: %1$s, unit: user, epsilon: 900000, delta: 1e-6 }
        releases:
          - count: { name: %1$s-visits, share: { epsilon: 900000, delta: 1e-6 }, windows: %4$d }
        """
        .formatted(NAME, version, perWindow(version), WINDOWS);
  }

  /** Fewer, then more again. */
  private static int perWindow(int version) {
    return version % 2 == 0 ? 2 : 3;
  }

  @Test
  void shouldReleaseEveryWindowOnceByOneVersionWhateverIsKilled(TestCluster shared)
      throws Exception {
    cluster = shared;
    cluster.createTopic(SOURCE, PARTITIONS);
    versions = new PipelineVersions(cluster, folder);
    for (int version = 1; version <= CHANGES + 1; version++) {
      versions.write(version, yaml(version));
    }
    NoiseSecret.parse(TestCluster.KEY).write(folder.resolve("key"));
    Files.deleteIfExists(log());
    Arrays.fill(versionOf, 1);
    try (Supervisor supervisor = new Supervisor(this::start, lines)) {
      instances = supervisor;
      instances.start(INSTANCES);
      CompletableFuture<Void> flow = CompletableFuture.runAsync(this::send);
      for (int version = 1; version <= CHANGES; version++) {
        change(version, version + 1);
      }
      allowed.set(WINDOWS);
      flow.get();
      awaitReleased(WINDOWS);
      lines.say("all windows are released; ended by themselves: " + instances.ended());
      assertReleases();
      assertThat(LedgerCharges.count(cluster, "sfumato-" + NAME))
          .as("each user is charged once a window")
          .isEqualTo((long) WARDS.size() * (LIGHT + HEAVY) * WINDOWS);
    }
    System.out.printf("%d kills in %d changes of version survived%n", KILLS, CHANGES);
  }

  private void change(int former, int next) throws Exception {
    int from = allowed.get() + 3;
    awaitReleased(allowed.get());
    PipelineVersions.succeeds(versions.activate(next, from * 10L, "key"));
    versionFrom.put(from, next);
    kill(random.nextInt(INSTANCES), "announced");
    allowed.set(from);
    await(() -> Stage.of(cluster, next).isAnnounced());
    int before = released();
    allowed.set(from + 3);
    if (random.nextBoolean()) {
      await(() -> released() > before || Stage.of(cluster, next).isReady());
    }
    kill(random.nextInt(INSTANCES), "about to release its last windows");
    await(() -> Stage.of(cluster, next).isReady());
    assertThat(released()).as("version %d ends there", former).isEqualTo(from * WARDS.size());
    for (int window = from; window <= allowed.get(); window++) {
      readByTwo.add(window);
    }
    for (int instance = 0; instance < INSTANCES; instance++) {
      versionOf[instance] = next;
      kill(instance, "replaced");
    }
    await(() -> Stage.of(cluster, next).at() > 0);
    kill(random.nextInt(INSTANCES), "taking over");
    allowed.set(from + 4);
    awaitReleased(from + 4);
    lines.say("version %d has released its first windows".formatted(next));
  }

  private void kill(int instance, String when) throws Exception {
    instances.kill(instance);
    int newest = versionFrom.lastEntry().getValue();
    lines.say("  %s: %s".formatted(when, Stage.of(cluster, newest)));
  }

  private Process start(int instance) throws IOException {
    return versions
        .process(versionOf[instance], "key", "instance-" + instance, log())
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
        .start();
  }

  /** Kept after the test, for whoever must find out why it failed. */
  private static Path log() {
    return Path.of("target", "version-chaos.log").toAbsolutePath();
  }

  private void await(Callable<Boolean> condition) {
    Patiently.await()
        .atMost(TestCluster.PATIENCE)
        .pollInterval(Duration.ofMillis(100))
        .ignoreExceptions()
        .until(
            () -> {
              instances.restartEnded();
              return condition.call();
            });
  }

  private void awaitReleased(int windows) {
    await(() -> released() >= windows * WARDS.size());
  }

  private int released() {
    return cluster.count(OUTPUT);
  }

  /** Records run one window ahead of the ticks, so that windows are open where versions change. */
  private void send() {
    try (KafkaProducer<byte[], byte[]> producer = cluster.producer()) {
      tick(producer, 0);
      sendRecords(producer, 0);
      for (int window = 0; window < WINDOWS; window++) {
        int next = window;
        Patiently.await().atMost(TestCluster.PATIENCE).until(() -> next < allowed.get());
        sendRecords(producer, window + 1);
        tick(producer, window + 1);
        producer.flush();
      }
    } catch (RefusedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void tick(KafkaProducer<byte[], byte[]> producer, int window) {
    for (int partition = 0; partition < PARTITIONS; partition++) {
      producer.send(
          TestCluster.tick(
              NAME,
              SOURCE,
              partition,
              PipelineVersions.BASE + window,
              PipelineVersions.BASE + window * 10_000L));
    }
  }

  private static void sendRecords(KafkaProducer<byte[], byte[]> producer, int window) {
    for (String ward : WARDS) {
      for (int user = 0; user < LIGHT + HEAVY; user++) {
        for (int record = 0; record < (user < LIGHT ? 1 : HEAVY_RECORDS); record++) {
          producer.send(event(ward, user, window, record));
        }
      }
    }
  }

  private static ProducerRecord<byte[], byte[]> event(
      String ward, int user, int window, int record) {
    String value =
        "{\"who\":\"%s%d\",\"ward\":\"%s\",\"at\":%d,\"what\":\"%s\"}"
            .formatted(
                ward,
                user,
                ward,
                PipelineVersions.BASE + window * 10_000L + record,
                user < LIGHT ? "light" : "heavy");
    return new ProducerRecord<>(
        SOURCE,
        (user + record) % PARTITIONS,
        PipelineVersions.BASE + window,
        null,
        value.getBytes(StandardCharsets.UTF_8));
  }

  private void assertReleases() throws RefusedException {
    Map<Integer, Map<String, CountRelease>> windows = new TreeMap<>();
    for (ConsumerRecord<byte[], byte[]> record : cluster.committed(OUTPUT)) {
      CountRelease release = (CountRelease) Outputs.decodeAny(record.value());
      int window = (int) (release.getWindowStart().toEpochMilli() - PipelineVersions.BASE) / 10_000;
      CountRelease other =
          windows
              .computeIfAbsent(window, w -> new TreeMap<>())
              .put(release.getSubject().toString(), release);
      assertThat(other).as("another release of window %d", window).isNull();
    }
    assertThat(windows).hasSize(WINDOWS);
    windows.forEach(
        (window, wards) -> {
          int version = versionFrom.floorEntry(window).getValue();
          assertThat(wards.keySet()).containsExactlyElementsOf(WARDS);
          assertThat(wards.values())
              .as("window %d", window)
              .allSatisfy(release -> assertCounts(window, version, release));
        });
  }

  private void assertCounts(int window, int version, CountRelease release) {
    assertThat(release.getGuarantee().getPipelineVersion()).isEqualTo(version);
    assertThat(release.getCounts().get(0)).isEqualTo(LIGHT);
    // What a version has read it has bounded, and the one that releases it bounds it again.
    int least =
        readByTwo.contains(window)
            ? Math.min(perWindow(version), perWindow(version - 1))
            : perWindow(version);
    assertThat(release.getCounts().get(1))
        .isBetween((long) HEAVY * least, (long) HEAVY * perWindow(version));
  }

  /**
   * How far a version has come, in partitions of users and of subjects.
   *
   * @param announced to so many
   * @param ready so many, which have nothing left to release before it
   * @param at so many that it has taken over
   */
  private record Stage(int announced, int ready, int at) {
    static Stage of(TestCluster cluster, int version) throws RefusedException {
      String application = "sfumato-" + NAME;
      int announced = 0;
      int ready = 0;
      int at = 0;
      Plan plan = plan(version);
      for (String store : List.of(LedgerImage.META, LedgerImage.keeperMeta(plan.pipeline()))) {
        Map<Integer, Map<Bytes, byte[]>> state = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> record :
            cluster.committed(Names.changelogTopic(application, store))) {
          state
              .computeIfAbsent(record.partition(), p -> new HashMap<>())
              .put(Bytes.wrap(record.key()), record.value());
        }
        List<VersionHandover> next =
            of(state, MetaStore.TAKEOVER, VersionHandover::decode).stream()
                .filter(handover -> handover.version() == version)
                .toList();
        announced += next.size();
        ready += (int) next.stream().filter(VersionHandover::ready).count();
        at +=
            (int)
                of(state, MetaStore.IDENTITY, StateIdentity::decode).stream()
                    .filter(identity -> identity.maker().version() == version)
                    .count();
      }
      return new Stage(announced, ready, at);
    }

    private static Plan plan(int version) {
      try {
        return TestCluster.plan(yaml(version));
      } catch (PipelineFileException e) {
        throw new IllegalStateException(e);
      }
    }

    private static <T> List<T> of(
        Map<Integer, Map<Bytes, byte[]>> state, Bytes key, Function<byte[], T> decode) {
      return state.values().stream()
          .map(store -> store.get(key))
          .filter(bytes -> bytes != null)
          .map(decode)
          .toList();
    }

    boolean isAnnounced() {
      return announced == 2 * PARTITIONS;
    }

    boolean isReady() {
      return ready == 2 * PARTITIONS;
    }
  }
}
