// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.runtime.Patiently;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A second pipeline on a topic whose past nobody ticked for it: with {@code --catch-up} every
 * record counts once, and the program goes through more windows than one tick may jump over. The
 * share is so large that the noise is 0 but for a chance below 1e-200.
 */
@ExtendWith(SharedBroker.class)
@Tag("cluster")
class CatchUpIT {
  private static final int PARTITIONS = 2;
  private static final int WINDOWS = 450;
  private static final int EVENTS = 2_000;
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path folder;

  private final Instant now = Instant.now().truncatedTo(ChronoUnit.HOURS);
  private final Instant begin = now.minus(Duration.ofHours(WINDOWS));

  /** A day of windows alone: no jump is too far. */
  private Path recent(String name) throws Exception {
    return write(name, name + "-in", now.minus(Duration.ofDays(3)));
  }

  private Path file(String name) throws Exception {
    return write(name, "late-in", begin);
  }

  private Path write(String name, String topic, Instant start) throws Exception {
    return Files.writeString(
        folder.resolve(name + ".yaml"),
        """
        pipeline: NAME
        format: json
        input: { topic: TOPIC, subject: ward, user: who, time: at, category: what, categories: [a, b] }
        contributions: { per-window: 50, subjects: 2 }
        subjects: [north, south]
        window: { size: 1h, clock: ticks, begin: BEGIN, ticks: here }
        budget: { name: NAME, unit: user, epsilon: 900000, delta: 1e-6, period: window }
        releases:
          - count: { name: NAME-counts, share: { epsilon: 900000, delta: 1e-6 } }
        """
            .replace("NAME", name)
            .replace("TOPIC", topic)
            .replace("BEGIN", start.toString()));
  }

  /** Of "ward@window": numbers of a and b, where there are any. */
  private Map<String, List<Long>> fill(TestCluster cluster) throws Exception {
    Random random = new Random(52);
    Map<String, List<Long>> truth = new TreeMap<>();
    try (var producer = cluster.producer()) {
      for (int i = 0; i < EVENTS; i++) {
        Instant at = begin.plusSeconds(random.nextInt((WINDOWS - 10) * 3_600));
        String ward = random.nextBoolean() ? "north" : "south";
        boolean a = random.nextBoolean();
        producer.send(
            new ProducerRecord<>(
                "late-in",
                i % PARTITIONS,
                null,
                "{\"who\":\"u%d\",\"at\":\"%s\",\"ward\":\"%s\",\"what\":\"%s\"}"
                    .formatted(random.nextInt(300), at, ward, a ? "a" : "b")
                    .getBytes(StandardCharsets.UTF_8)));
        truth.merge(
            ward + "@" + at.truncatedTo(ChronoUnit.HOURS),
            a ? List.of(1L, 0L) : List.of(0L, 1L),
            (x, y) -> List.of(x.get(0) + y.get(0), x.get(1) + y.get(1)));
      }
    }
    return truth;
  }

  private static Map<String, List<Long>> released(TestCluster cluster, String topic)
      throws Exception {
    Map<String, List<Long>> released = new TreeMap<>();
    for (ConsumerRecord<byte[], byte[]> record : cluster.committed(topic)) {
      JsonNode release = JSON.readTree(record.value());
      List<Long> counts = new ArrayList<>();
      release.path("counts").forEach(count -> counts.add(count.asLong()));
      String window =
          release.path("subject").asText() + "@" + release.path("window_start").asText();
      assertThat(released.put(window, counts)).as("released once").isNull();
    }
    return released;
  }

  private Process run(TestCluster cluster, Path file, Path log, String... more) throws Exception {
    Path key = folder.resolve("noise.key");
    if (!Files.exists(key)) {
      NoiseSecret.parse(TestCluster.KEY).write(key);
    }
    List<String> command =
        new ArrayList<>(
            List.of(
                "run",
                file.toString(),
                "--bootstrap-servers",
                cluster.servers(),
                "--secret-file",
                key.toString(),
                "--data",
                folder.resolve(log.getFileName() + ".data").toString(),
                "--accept-risk",
                "--accept-added-loss",
                "--no-http",
                "--standbys",
                "0"));
    command.addAll(List.of(more));
    return TestCluster.fork(log, Main.class, command.toArray(String[]::new));
  }

  @Test
  void shouldCountEveryRecordOfThePast(TestCluster cluster) throws Exception {
    cluster.createTopic("late-in", PARTITIONS);
    Map<String, List<Long>> truth = fill(cluster);
    Path refused = folder.resolve("refused.log");
    Process without = run(cluster, file("hasty"), refused);
    assertThat(without.waitFor()).as("windows begin long ago").isEqualTo(3);
    assertThat(refused).content().contains("more than window.max-jump (400)", "--catch-up");

    Path log = folder.resolve("late.log");
    Process process = run(cluster, file("late"), log, "--catch-up");
    try {
      Patiently.await()
          .atMost(TestCluster.PATIENCE)
          .until(
              () ->
                  !process.isAlive() || released(cluster, "late-counts").size() >= 2 * WINDOWS - 2);
      assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
    } finally {
      process.destroy();
      process.waitFor();
    }
    Map<String, List<Long>> released = released(cluster, "late-counts");
    assertThat(truth)
        .allSatisfy((window, counts) -> assertThat(released.get(window)).isEqualTo(counts));
    assertThat(log)
        .content()
        .contains("catching up with topic late-in")
        .doesNotContain("did NOT count", "would stop the pipeline");
  }

  /** Nothing is dropped before anybody has said what is meant. */
  @Test
  void shouldRefuseAFirstStartThatWouldDropThePast(TestCluster cluster) throws Exception {
    cluster.createTopic("unread-in", 1);
    try (var producer = cluster.producer()) {
      producer.send(new ProducerRecord<>("unread-in", "{}".getBytes(StandardCharsets.UTF_8)));
    }
    Path log = folder.resolve("unread.log");
    Process process = run(cluster, recent("unread"), log);
    assertThat(process.waitFor()).as(Files.readString(log)).isEqualTo(3);
    assertThat(log)
        .content()
        .contains(
            "topic 'unread-in' already holds records", "start with --catch-up", "write begin:");
  }

  /** An instance reads the order only when it starts: others would read another past. */
  @Test
  void shouldNotOrderWhileAnInstanceRunsThatFollowsNone(TestCluster cluster) throws Exception {
    cluster.createTopic("awaited-in", 1);
    Path file = recent("awaited");
    Path log = folder.resolve("first.log");
    Process first = run(cluster, file, log);
    try {
      Patiently.await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> !first.isAlive() || Files.readString(log).contains("awaited is running"));
      assertThat(first.isAlive()).as(Files.readString(log)).isTrue();
      Path late = folder.resolve("second.log");
      Process second = run(cluster, file, late, "--catch-up");
      assertThat(second.waitFor()).as(Files.readString(late)).isEqualTo(5);
      assertThat(late)
          .content()
          .contains("Stop all instances, then start them again", "nothing was changed");
    } finally {
      first.destroy();
      first.waitFor();
    }
    Path again = folder.resolve("third.log");
    Process third = run(cluster, file, again, "--catch-up");
    try {
      Patiently.await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> !third.isAlive() || Files.readString(again).contains("awaited is running"));
      assertThat(again).content().contains("catching up with topic awaited-in");
    } finally {
      third.destroy();
      third.waitFor();
    }
  }
}
