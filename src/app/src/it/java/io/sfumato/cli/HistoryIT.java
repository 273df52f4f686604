// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.ledger.Beginning;
import io.sfumato.ops.RunningCounts;
import io.sfumato.release.PipelineFile;
import io.sfumato.release.Plan;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.PipelineRun;
import io.sfumato.runtime.PipelineStart;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import io.sfumato.schema.CountRelease;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.StateReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * History goes through at once, in populations too: by {@code produce FILE}, which ticks as a live
 * source would have, and by a foreign client that publishes a whole day before any tick. The shares
 * are so large that the noise is 0 but for a chance below 1e-200, so that counts can be read off.
 */
@ExtendWith(SharedBroker.class)
class HistoryIT {
  private static final Path KCAT = Path.of("/usr/bin/kcat");
  private static final Instant BEGIN = Instant.parse("2026-01-05T00:00:00Z");
  private static final List<String> WARDS = List.of("east", "north", "south", "west");
  private static final int PARTITIONS = 2;

  private static final String YAML =
      """
      pipeline: %1$s
      input: { topic: %1$s-in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
      contributions: { per-window: 20, subjects: 4 }
      subjects: [east, north, south, west]
      window: { size: %2$s, clock: ticks, begin: 2026-01-05 }
      budget: { name: %1$s, unit: user, epsilon: 900000, delta: 1e-6, period: window }
      releases:
        - count: { name: %1$s-counts, share: { epsilon: 900000, delta: 1e-6 } }
      """;

  @TempDir static Path folder;

  private static TestCluster cluster;

  /** An event of somebody. */
  private record Event(Instant at, String ward, String who, String what) {
    String csv() {
      return "%s,%s,%s,%s".formatted(who, at, ward, what);
    }

    String json() {
      return "{\"who\":\"%s\",\"at\":\"%s\",\"ward\":\"%s\",\"what\":\"%s\"}"
          .formatted(who, at, ward, what);
    }
  }

  @BeforeAll
  static void startBroker(TestCluster shared) {
    cluster = shared;
  }

  private static List<Event> events(int number, Duration span) {
    Random random = new Random(11);
    return Stream.generate(
            () ->
                new Event(
                    BEGIN.plusMillis((long) (random.nextDouble() * span.toMillis())),
                    WARDS.get(random.nextInt(WARDS.size())),
                    "u" + random.nextInt(300),
                    random.nextInt(3) == 0 ? "a" : "b"))
        .limit(number)
        .toList();
  }

  /** "ward@window": numbers of a and b. */
  private static Map<String, List<Long>> truth(List<Event> events, Duration size, int windows) {
    Map<String, List<Long>> truth = new TreeMap<>();
    for (int window = 0; window < windows; window++) {
      for (String ward : WARDS) {
        truth.put(ward + "@" + BEGIN.plus(size.multipliedBy(window)), List.of(0L, 0L));
      }
    }
    for (Event event : events) {
      long window = Duration.between(BEGIN, event.at()).dividedBy(size);
      truth.merge(
          event.ward() + "@" + BEGIN.plus(size.multipliedBy(window)),
          event.what().equals("a") ? List.of(1L, 0L) : List.of(0L, 1L),
          (x, y) -> List.of(x.get(0) + y.get(0), x.get(1) + y.get(1)));
    }
    return truth;
  }

  private static Map<String, List<Long>> released(String topic) throws Exception {
    Map<String, List<Long>> released = new TreeMap<>();
    for (ConsumerRecord<byte[], byte[]> record : cluster.committed(topic)) {
      CountRelease release = (CountRelease) Outputs.decodeAny(record.value());
      assertThat(
              released.put(
                  release.getSubject() + "@" + release.getWindowStart(), release.getCounts()))
          .as("released once")
          .isNull();
    }
    return released;
  }

  private static Path file(String name, String size) throws Exception {
    cluster.createTopic(name + "-in", PARTITIONS);
    return Files.writeString(folder.resolve(name + ".yaml"), YAML.formatted(name, size));
  }

  private static PipelineRun start(Path file, RunningCounts counts) throws Exception {
    Plan plan = Plan.of(file.toString(), PipelineFile.read(file));
    KafkaSettings settings = TestCluster.settings(cluster.servers(), Map.of());
    try (Cluster admin = new Cluster(settings)) {
      admin.pipelineTopics().prepare(plan.pipeline(), Cluster.Safety.WAIVED);
      assertThat(
              Beginning.require(
                  plan.pipeline(),
                  new StateReader(),
                  settings,
                  admin,
                  BEGIN.plus(Duration.ofDays(300)).toEpochMilli()))
          .as("of history that begins long ago, at most what its ticks must be")
          .satisfiesAnyOf(
              note -> assertThat(note).isEmpty(),
              note ->
                  assertThat(note.orElseThrow())
                      .contains("For history, publish ticks between the records"));
    }
    return PipelineStart.of(
        cluster, plan, PARTITIONS, counts, folder.resolve(plan.pipeline().name() + "-state"));
  }

  /** The secret of the runs. */
  private static Path secret() throws Exception {
    Path file = folder.resolve("noise.key");
    if (!Files.exists(file)) {
      NoiseSecret.parse(TestCluster.KEY).write(file);
    }
    return file;
  }

  private static JsonNode sfumato(String... arguments) throws Exception {
    CommandResult result =
        CommandResult.of(
            Stream.concat(
                    Stream.of(arguments),
                    Stream.of("--bootstrap-servers", cluster.servers(), "-o", "json"))
                .toArray(String[]::new));
    assertThat(result.code()).as(result.err()).isZero();
    return new ObjectMapper().readTree(result.out());
  }

  private static void awaitReleased(PipelineRun run, String topic, Map<String, List<Long>> truth)
      throws Exception {
    await()
        .atMost(TestCluster.PATIENCE)
        .until(() -> run.failure().isPresent() || released(topic).size() >= truth.size());
    assertThat(run.failure()).isEmpty();
    Map<String, List<Long>> released = released(topic);
    assertThat(released.keySet()).isEqualTo(truth.keySet());
    assertThat(truth)
        .allSatisfy((window, counts) -> assertThat(released.get(window)).isEqualTo(counts));
  }

  @Test
  void aHundredThousandEventsOfTwoHundredDaysGoThroughAtOnce() throws Exception {
    List<Event> events = events(100_000, Duration.ofDays(200));
    Path csv = folder.resolve("admissions.csv");
    // Columns of other names than the file's fields.
    Files.write(
        csv,
        Stream.concat(Stream.of("patient,at,ward,what"), events.stream().map(Event::csv)).toList());
    Path file = file("days", "1d");
    RunningCounts counts = new RunningCounts();
    try (PipelineRun run = start(file, counts)) {
      JsonNode produced =
          sfumato(
              "produce",
              file.toString(),
              "--csv",
              csv.toString(),
              "--user",
              "patient",
              "--secret-file",
              secret().toString());
      assertThat(produced.get("events").asInt()).isEqualTo(100_000);
      assertThat(produced.get("ticks").asInt()).isEqualTo(200);
      awaitReleased(run, "days-counts", truth(events, Duration.ofDays(1), 200));
      assertThat(counts.line()).contains("100,000").doesNotContain("late").doesNotContain("early");
    }
  }

  @Tag("release")
  @Test
  void aDayThatAForeignClientPublishesBeforeAnyTickGivesTheSame() throws Exception {
    assumeThat(Files.isExecutable(KCAT)).as("no kcat here: install Debian's package kcat").isTrue();
    List<Event> events = events(20_000, Duration.ofDays(1));
    Map<String, List<Long>> truth = truth(events, Duration.ofHours(1), 24);
    Path foreign = file("foreign", "1h");
    try (PipelineRun run = start(foreign, new RunningCounts())) {
      String lines = events.stream().map(Event::json).collect(Collectors.joining("\n", "", "\n"));
      kcat(lines, "-P", "-t", "foreign-in");
      for (int partition = 0; partition < PARTITIONS; partition++) {
        kcat(
            "tick\n",
            "-P",
            "-t",
            "foreign-in",
            "-p",
            Integer.toString(partition),
            "-H",
            "sfumato-tick="
                + new String(
                    TestCluster.ticks("foreign")
                        .of(
                            "foreign-in",
                            partition,
                            Instant.parse("2026-01-06T00:00:00Z").toEpochMilli()),
                    StandardCharsets.US_ASCII));
      }
      awaitReleased(run, "foreign-counts", truth);
    }
    Path own = file("behind", "1h");
    Path csv = folder.resolve("day.csv");
    Files.write(
        csv,
        Stream.concat(Stream.of("who,at,ward,what"), events.stream().map(Event::csv)).toList());
    try (PipelineRun run = start(own, new RunningCounts())) {
      sfumato(
          "produce", own.toString(), "--csv", csv.toString(), "--secret-file", secret().toString());
      awaitReleased(run, "behind-counts", truth);
    }
  }

  @Test
  void aNewPipelineThatDoesNotSayWhereWindowsBeginIsRefusedWithTheValueToWrite() throws Exception {
    Path file = file("nowhere", "1d");
    Files.writeString(file, Files.readString(file).replace(", begin: 2026-01-05", ""));
    Plan plan = Plan.of(file.toString(), PipelineFile.read(file));
    KafkaSettings settings = TestCluster.settings(cluster.servers(), Map.of());
    try (Cluster admin = new Cluster(settings)) {
      admin.pipelineTopics().prepare(plan.pipeline(), Cluster.Safety.WAIVED);
      long now = Instant.parse("2026-03-04T05:06:07Z").toEpochMilli();
      assertThatThrownBy(
              () -> Beginning.require(plan.pipeline(), new StateReader(), settings, admin, now))
          .hasMessageContaining("begin: 2026-03-04 is the current window");
    }
  }

  private static void kcat(String lines, String... arguments) throws Exception {
    Path input = Files.writeString(folder.resolve("lines"), lines);
    Path err = folder.resolve("kcat.err");
    Process process =
        new ProcessBuilder(
                Stream.concat(
                        Stream.of(KCAT.toString(), "-b", cluster.servers()), Stream.of(arguments))
                    .toList())
            .redirectInput(input.toFile())
            .redirectErrorStream(true)
            .redirectOutput(err.toFile())
            .start();
    assertThat(process.waitFor(TestCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(err)).isZero();
  }
}
