// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sfumato.client.CellRules;
import io.sfumato.client.CsvEvents;
import io.sfumato.client.EventFields;
import io.sfumato.client.EventPublisher;
import io.sfumato.client.EventTimes;
import io.sfumato.ops.RunningCounts;
import io.sfumato.release.Plan;
import io.sfumato.release.histogram.PlannedHistogram;
import io.sfumato.schema.DirichletRelease;
import io.sfumato.schema.Refusal;
import io.sfumato.schema.RefusalCode;
import io.sfumato.serde.Outputs;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The acceptance run on real events: 29,330 entries of 70 patients' diabetes diaries, in tumbling
 * weeks, with a restart in the middle. Every closed week of every patient is released exactly once
 * or refused.
 */
@ExtendWith(SharedBroker.class)
class DiaryIT {
  private static final Path FILE =
      Path.of(System.getProperty("sfumato.events", "../shared/data/events"))
          .resolve("uci_diabetes_events.csv.gz");
  private static final int PARTITIONS = 2;
  private static final long WEEK = 7 * 86_400_000L;
  private static final long MONDAY = 4 * 86_400_000L;

  /** Twelve weeks for a patient's lifetime: many have more, so the budget's edge is met. */
  private static final int AFFORDED = 12;

  @TempDir Path folder;

  @Test
  void shouldReleaseOrRefuseEveryClosedWeekOfEveryPatientExactlyOnce(TestCluster cluster)
      throws Exception {
    if (!Files.exists(FILE)) {
      System.out.println(
          "SKIPPED DiaryIT: " + FILE + " is absent; give its folder with -Dsfumato.events=DIR");
    }
    assumeTrue(Files.exists(FILE), FILE + " is absent");
    Map<String, TreeMap<Long, Long>> truth = truth();
    long weeks = truth.values().stream().mapToLong(TreeMap::size).sum();
    long affordable = truth.values().stream().mapToLong(w -> Math.min(AFFORDED, w.size())).sum();
    long exhausted = truth.values().stream().filter(w -> w.size() > AFFORDED).count();
    assertThat(truth).hasSize(70);
    assertThat(exhausted).isPositive();

    CsvEvents events =
        CsvEvents.read(
            FILE,
            EventFields.of(
                "patient", "timestamp", Optional.of("code"), List.of(), Optional.empty()),
            CsvEvents.Order.EVENT_TIME,
            CsvEvents.Encoding.JSON,
            CellRules.of(EventTimes.withOffsets()));
    assertThat(events.events()).hasSize(29_330);
    assertThat(events.rejects()).hasSize(33);

    cluster.createTopic("diary", PARTITIONS);
    Plan plan = plan();
    int half = events.events().size() / 2;
    publish(cluster, events.events().subList(0, half), Optional.empty());
    RunningCounts first = run(cluster, plan, "first", half, c -> true);
    publish(
        cluster,
        events.events().subList(half, events.events().size()),
        Optional.of(Instant.parse("1992-06-01T00:00:00Z")));
    RunningCounts second =
        run(
            cluster,
            plan,
            "second",
            29_297 - half,
            c ->
                c.committed("weekly-mix").size() >= affordable
                    && c.committed("glucose-diary-refusals").size() >= exhausted);
    assertThat(first.acceptedRecords() + second.acceptedRecords()).isEqualTo(29_297);

    List<DirichletRelease> releases = new ArrayList<>();
    cluster.committed("weekly-mix").forEach(r -> releases.add(Outputs.decodeRelease(r.value())));
    assertReleasedOnce(truth, releases, affordable);
    assertRefusedOnce(truth, cluster, exhausted);
    assertThat(cluster.committed("glucose-diary-dead-letters"))
        .hasSize(33)
        .allSatisfy(
            r -> assertThat(Outputs.decodeDeadLetter(r.value()).getCode()).isEqualTo("NO_TIME"));
    System.out.printf(
        "diary: %d patient-weeks, %d released, %d patients exhausted, 33 dead letters%n",
        weeks, releases.size(), exhausted);
  }

  private static void assertReleasedOnce(
      Map<String, TreeMap<Long, Long>> truth, List<DirichletRelease> releases, long affordable) {
    Map<String, TreeMap<Long, Long>> released = new TreeMap<>();
    for (DirichletRelease release : releases) {
      Long twice =
          released
              .computeIfAbsent(release.getSubject(), s -> new TreeMap<>())
              .put(release.getWindowStart().toEpochMilli(), release.getRecords());
      assertThat(twice).as("a week released twice").isNull();
    }
    assertThat(releases).hasSize((int) affordable);
    truth.forEach(
        (patient, weeks) -> {
          TreeMap<Long, Long> expected = new TreeMap<>();
          weeks.entrySet().stream()
              .limit(AFFORDED)
              .forEach(week -> expected.put(week.getKey(), week.getValue()));
          assertThat(released.get(patient)).as(patient).isEqualTo(expected);
        });
  }

  private static void assertRefusedOnce(
      Map<String, TreeMap<Long, Long>> truth, TestCluster cluster, long exhausted)
      throws RefusedException {
    List<Refusal> refusals =
        cluster.committed("glucose-diary-refusals").stream()
            .map(r -> Outputs.decodeRefusal(r.value()))
            .toList();
    assertThat(refusals).hasSize((int) exhausted);
    for (Refusal refusal : refusals) {
      assertThat(refusal.getCode()).isEqualTo(RefusalCode.EXHAUSTED);
      List<Long> weeks = new ArrayList<>(truth.get(refusal.getSubject()).keySet());
      assertThat(refusal.getWindowStart().toEpochMilli()).isEqualTo(weeks.get(AFFORDED));
    }
  }

  private static Plan plan() throws Exception {
    String yaml =
        Files.readString(Path.of("topology/diary.yaml"))
            .replaceFirst("period: window.*", "period: lifetime")
            .replace("plan-size: 40", "plan-size: 40\n      windows: " + AFFORDED);
    Plan plan = TestCluster.plan(yaml);
    assertThat(plan.all(PlannedHistogram.class).get(0).plan().releases()).isEqualTo(AFFORDED);
    return plan;
  }

  /** When a run has done all that it has to. */
  private interface End {
    boolean holds(TestCluster cluster) throws RefusedException;
  }

  private RunningCounts run(TestCluster cluster, Plan plan, String state, long records, End ended)
      throws Exception {
    KafkaSettings settings = TestCluster.settings(cluster.servers(), Map.of());
    TestCluster.prepare(settings, plan);
    RunningCounts counts = new RunningCounts();
    try (PipelineRun run =
        PipelineRun.start(
            plan,
            TestCluster.deployment(plan, PARTITIONS, counts),
            new PipelineRun.Instance(settings, folder.resolve(state), 1, 0))) {
      await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> run.failure().isPresent() || counts.acceptedRecords() >= records);
      assertThat(run.failure()).isEmpty();
      // It must not stop before it has released what the tick has closed.
      await().atMost(TestCluster.PATIENCE).until(() -> ended.holds(cluster));
    }
    return counts;
  }

  private static void publish(TestCluster cluster, List<CsvEvents.Row> rows, Optional<Instant> tick)
      throws Exception {
    try (EventPublisher publisher =
        new EventPublisher(TestCluster.settings(cluster.servers(), Map.of()))) {
      for (CsvEvents.Row row : rows) {
        publisher.event("diary", row.key(), row.value());
      }
      if (tick.isPresent()) {
        publisher.tick("diary", tick.get().toEpochMilli(), TestCluster.ticks("diary"));
      }
      publisher.flush();
    }
  }

  /** Records by patient and week, counted from the file by other code than the pipeline's. */
  private static Map<String, TreeMap<Long, Long>> truth() throws Exception {
    Map<String, TreeMap<Long, Long>> truth = new TreeMap<>();
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(FILE)), StandardCharsets.UTF_8))) {
      reader.readLine();
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        String[] cells = line.split(",", -1);
        if (!cells[1].isEmpty()) {
          long time = Instant.parse(cells[1]).toEpochMilli();
          long week = Math.floorDiv(time - MONDAY, WEEK) * WEEK + MONDAY;
          truth.computeIfAbsent(cells[0], p -> new TreeMap<>()).merge(week, 1L, Long::sum);
        }
      }
    }
    return truth;
  }
}
