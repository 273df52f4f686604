// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static io.sfumato.runtime.Patiently.await;
import static io.sfumato.runtime.StallingApp.COMMITTED;
import static io.sfumato.runtime.StallingApp.FENCED;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.release.histogram.PlannedHistogram;
import io.sfumato.runtime.StallingApp.Place;
import io.sfumato.schema.DirichletRelease;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.context.Names;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Instances that stood still, and went on when others had taken over: what they hold must never be
 * committed, and they join again.
 */
@ExtendWith(SharedBroker.class)
@Tag("cluster")
class ZombieIT {
  private static final int SUBJECTS = 4_000;

  /** Of one turn of releases, and more: the boundary before them is committed. */
  private static final int RELEASED_AT_FIRST = 2_500;

  private static final int FEW_SUBJECTS = 40;

  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();

  @TempDir static Path folder;
  private static TestCluster cluster;

  private final List<Process> apps = new ArrayList<>();

  @BeforeAll
  static void start(TestCluster shared) {
    cluster = shared;
  }

  @AfterEach
  void kill() throws InterruptedException {
    for (Process app : apps) {
      app.destroyForcibly().waitFor();
    }
  }

  private static String yaml(String name, int windows) {
    return """
        pipeline: %1$s
        input: { topic: %1$s-in, subject: who, time: at, category: what, categories: [a, b] }
        window: { size: 10s }
        budget: { name: %1$s, unit: record, epsilon: 2, delta: 1e-6, period: lifetime }
        releases:
          - histogram:
              name: %1$s-mix
              method: laplace
              share: { epsilon: 2, delta: 1e-6 }
              windows: %2$d
        """
        .formatted(name, windows);
  }

  /**
   * An instance takes over a closed window while input is idle, so that it reads nothing and
   * releases by punctuation; it is stopped when it has drawn, until another has taken over and
   * released, and woken.
   */
  @Test
  void shouldNotLetAnInstanceThatStalledCommitWhatAnotherHasReleased() throws Exception {
    String yaml = yaml("drawn", 3);
    Path go = folder.resolve("go");
    cluster.createTopic("drawn-in", 1);
    send("drawn-in", SUBJECTS, 0);
    Process first = stalling(yaml, "first", RELEASED_AT_FIRST, folder.resolve("never"), Place.DRAW);
    awaitWord("first", StallingApp.STANDS);
    first.destroyForcibly().waitFor();
    assertThat(releases("drawn-mix")).isNotEmpty().hasSizeLessThan(SUBJECTS);

    Process zombie = stalling(yaml, "zombie", 1, go, Place.DRAW);
    awaitWord("zombie", StallingApp.STANDS);
    Signals.stop(zombie);
    stalling(yaml, "heir", 0, go, Place.DRAW);
    await().atMost(TestCluster.PATIENCE).until(() -> releases("drawn-mix").size() == SUBJECTS);
    Files.createFile(go);
    Signals.resume(zombie);
    await().atMost(TestCluster.PATIENCE).until(() -> status("zombie").find());
    assertThat(status("zombie").results().map(MatchResult::group)).containsExactly(FENCED);

    send("drawn-in", SUBJECTS, 1);
    await().atMost(TestCluster.PATIENCE).until(() -> releases("drawn-mix").size() >= 2 * SUBJECTS);
    assertThat(releases("drawn-mix")).doesNotHaveDuplicates().hasSize(2 * SUBJECTS);
    assertThat(LedgerCharges.count(cluster, "sfumato-drawn")).isEqualTo(2 * SUBJECTS);
    assertThat(TestCluster.plan(yaml).all(PlannedHistogram.class).get(0).plan().releases())
        .isGreaterThanOrEqualTo(2);
  }

  /**
   * An instance is stopped past its session, and until another has not only gone on in its place:
   * its transaction, if it had one, is aborted, and what was read of the journal is deleted. Where
   * it stands there is nothing any more.
   */
  @ParameterizedTest
  @EnumSource(
      value = Place.class,
      names = {"COMMIT", "POLL"})
  void shouldJoinAgainWhenTheOthersWentOnWithoutIt(Place place) throws Exception {
    String name = "stood-" + place.name().toLowerCase(Locale.ROOT);
    String group = "sfumato-" + name;
    Path go = folder.resolve("go-" + name);
    String yaml = yaml(name, 5);
    cluster.createTopic(name + "-in", 1);
    send(name + "-in", FEW_SUBJECTS, 0);
    Process zombie = stalling(yaml, name + "-zombie", FEW_SUBJECTS, go, place);
    awaitWord(name + "-zombie", StallingApp.STANDS);
    Signals.stop(zombie);
    Set<TopicPartition> journal = Set.of(new TopicPartition(group + "-journal-repartition", 0));
    final Map<TopicPartition, Long> behindIt = cluster.offsets(journal, OffsetSpec.latest());

    stalling(yaml, name + "-heir", 0, go, place);
    send(name + "-in", FEW_SUBJECTS, 1);
    send(name + "-in", FEW_SUBJECTS, 2);
    awaitReleases(name + "-mix", 3);
    await()
        .atMost(TestCluster.PATIENCE)
        .until(
            () -> {
              Map<TopicPartition, Long> first = cluster.offsets(journal, OffsetSpec.earliest());
              return journal.stream().allMatch(p -> first.get(p) > behindIt.get(p));
            });
    assertThat(cluster.instances(group)).as("the other is missed").isEqualTo(1);

    Files.createFile(go);
    Signals.resume(zombie);
    await().atMost(TestCluster.PATIENCE).until(() -> cluster.instances(group) == 2);
    send(name + "-in", FEW_SUBJECTS, 3);
    awaitReleases(name + "-mix", 4);
    assertThat(apps).as("nobody ended").allMatch(Process::isAlive);

    List<ConsumerRecord<byte[], byte[]>> released = cluster.committed(name + "-mix");
    assertThat(released).hasSize(4 * FEW_SUBJECTS);
    assertThat(releases(name + "-mix")).doesNotHaveDuplicates();
    assertThat(
            released.stream()
                .map(r -> Outputs.decodeRelease(r.value()))
                .collect(
                    Collectors.groupingBy(
                        DirichletRelease::getSubject,
                        Collectors.summingLong(DirichletRelease::getRecords)))
                .values())
        .as("records of each subject, all of them once")
        .hasSize(FEW_SUBJECTS)
        .containsOnly(4L);
    assertThat(LedgerCharges.count(cluster, group)).isEqualTo(4L * FEW_SUBJECTS);
  }

  /** Ids of releases that are committed. */
  private static List<String> releases(String topic) throws RefusedException {
    return cluster.committed(topic).stream()
        .map((ConsumerRecord<byte[], byte[]> r) -> TestCluster.header(r, Names.RELEASE_ID_HEADER))
        .toList();
  }

  private static void awaitReleases(String topic, int windows) {
    await()
        .atMost(TestCluster.PATIENCE)
        .until(() -> releases(topic).size() >= windows * FEW_SUBJECTS);
  }

  /** What became of the transaction of an instance that stalled. */
  private Matcher status(String app) throws IOException {
    return Pattern.compile(FENCED + "|" + COMMITTED).matcher(Files.readString(log(app)));
  }

  /** An instance that has ended says nothing more. */
  private void awaitWord(String app, String word) {
    Process last = apps.get(apps.size() - 1);
    await()
        .atMost(TestCluster.PATIENCE)
        .failFast("the instance ended", () -> !last.isAlive())
        .until(() -> Files.exists(log(app)) && Files.readString(log(app)).contains(word));
  }

  /** A record of every subject in a window, and the tick that closes it. */
  private static void send(String topic, int subjects, int window) throws RefusedException {
    try (KafkaProducer<byte[], byte[]> producer = cluster.producer()) {
      for (int subject = 0; subject < subjects; subject++) {
        producer.send(
            TestCluster.event(topic, 0, BASE, "s" + subject, BASE + window * 10_000L, "a"));
      }
      producer.send(
          TestCluster.tick(
              topic.replace("-in", ""), topic, 0, BASE, BASE + (window + 1) * 10_000L));
    }
  }

  private Process stalling(String yaml, String name, int number, Path go, Place place)
      throws IOException {
    Path file = Files.writeString(folder.resolve(name + ".yaml"), yaml);
    Process app =
        TestCluster.fork(
            log(name),
            StallingApp.class,
            cluster.servers(),
            file.toString(),
            folder.resolve("state-" + name).toString(),
            "1",
            Integer.toString(number),
            go.toString(),
            place.name());
    apps.add(app);
    return app;
  }

  private static Path log(String app) {
    return folder.resolve(app + ".log");
  }
}
