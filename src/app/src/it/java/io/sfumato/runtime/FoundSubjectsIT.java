// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.release.Plan;
import io.sfumato.schema.CountRelease;
import io.sfumato.schema.Refusal;
import io.sfumato.schema.RefusalCode;
import io.sfumato.schema.SubjectRelease;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.context.PipelineMeters;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Subjects that nobody listed, on a real broker with two partitions, each of which has a list of
 * its own: an instance without a state of its own goes on with what was found, and writes the same
 * bytes as one that was never ended.
 */
@ExtendWith(SharedBroker.class)
@Tag("cluster")
class FoundSubjectsIT {
  private static final int PARTITIONS = 2;
  private static final int WINDOWS = 6;
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();

  /** The noise is below one half but for a chance below 1e-200: three users pass, one does not. */
  private static final String YAML =
      """
      pipeline: found
      input: { topic: found-in, subject: place, user: who, time: at, category: what, categories: [a, b] }
      contributions: { per-window: 12, subjects: 12 }
      subjects: { discover: { name: found-places, share: { epsilon: 400000, delta: 1e-6 }, windows: 6, most: 4, forget-names: 3 } }
      window: { size: 10s, clock: ticks, begin: 2026-01-05 }
      budget: { name: found, unit: user, epsilon: 800000, delta: 3e-6 }
      releases:
        - count: { name: found-total, by: total, share: { epsilon: 400000, delta: 1e-6 }, windows: 6 }
      """;

  @TempDir Path folder;

  @Test
  void anInstanceWithoutAStateGoesOnWithWhatWasFound(TestCluster cluster) throws Exception {
    Plan plan = TestCluster.plan(YAML);
    List<List<String>> undisturbed = new ArrayList<>();
    cluster.createTopic("found-in", PARTITIONS);
    send(cluster, input(0, WINDOWS));
    try (PipelineRun run = start(cluster, plan, "state")) {
      awaitTold(cluster, WINDOWS);
      assertThat(run.failure()).isEmpty();
    }
    for (String output : List.of("found-places", "found-total", "found-refusals")) {
      undisturbed.add(TestCluster.payloads(cluster.committed(output)));
    }
    assertNothingTellsOfWhatDidNotPass(cluster);
    try (TestCluster other = new TestCluster(folder.resolve("disturbed"))) {
      other.createTopic("found-in", PARTITIONS);
      for (int window = 0; window < WINDOWS; window += 2) {
        send(other, input(window, window + 2));
        try (PipelineRun run = start(other, plan, "state " + window)) {
          awaitTold(other, window + 2);
          assertThat(run.failure()).isEmpty();
        }
      }
      int place = 0;
      for (String output : List.of("found-places", "found-total")) {
        assertThat(TestCluster.payloads(other.committed(output)))
            .as(output)
            .isEqualTo(undisturbed.get(place++));
      }
      // Refusals of no subject lie in one partition, in which those of two others mingle.
      assertThat(TestCluster.payloads(other.committed("found-refusals")))
          .containsExactlyInAnyOrderElementsOf(undisturbed.get(place));
    }
  }

  private static void assertNothingTellsOfWhatDidNotPass(TestCluster cluster)
      throws RefusedException {
    Set<String> found = new HashSet<>();
    for (ConsumerRecord<byte[], byte[]> record : cluster.committed("found-places")) {
      SubjectRelease release = (SubjectRelease) Outputs.decodeAny(record.value());
      if (release.getFound()) {
        found.add(release.getSubject());
        assertThat(release.getWindowStart().toEpochMilli()).isEqualTo(BASE);
      } else {
        assertThat(found).contains(release.getSubject());
      }
      assertThat(release.getSubject()).doesNotContain("flat");
    }
    assertThat(found).as("four of each partition").hasSize(4 * PARTITIONS);
    for (ConsumerRecord<byte[], byte[]> record : cluster.committed("found-total")) {
      CountRelease release = (CountRelease) Outputs.decodeAny(record.value());
      assertThat(found).contains(release.getSubject());
      assertThat(release.getWindowStart().toEpochMilli()).isGreaterThan(BASE);
    }
    for (ConsumerRecord<byte[], byte[]> record : cluster.committed("found-refusals")) {
      Refusal refusal = Outputs.decodeRefusal(record.value());
      assertThat(refusal.getCode()).isEqualTo(RefusalCode.LIST_FULL);
      assertThat(refusal.getSubject()).isEmpty();
    }
  }

  /** Lists are full in the windows 0 to 2; in the fourth all leave, who did not pass since. */
  private static void awaitTold(TestCluster cluster, int windows) {
    await()
        .atMost(TestCluster.PATIENCE)
        .ignoreExceptions()
        .until(
            () ->
                cluster.committed("found-places").size() >= 4 * PARTITIONS * Math.min(4, windows)
                    && cluster.committed("found-total").size()
                        >= 4 * PARTITIONS * Math.min(3, windows - 1)
                    && cluster.committed("found-refusals").size()
                        >= PARTITIONS * Math.min(3, windows));
  }

  /** Places that three users go to once, and a flat of each user in every window. */
  private static List<ProducerRecord<byte[], byte[]>> input(int from, int to) {
    List<ProducerRecord<byte[], byte[]>> input = new ArrayList<>();
    if (from == 0) {
      ticks(input, 0);
    }
    for (int window = from; window < to; window++) {
      for (int user = 0; user < 6; user++) {
        // Each of two groups of three users has places of its own, no more than may count.
        for (int place = 0; place < 22 && window == 0; place++) {
          if (place % 2 == user % 2) {
            input.add(event(user % PARTITIONS, "u" + user, "place " + place, window));
          }
        }
        input.add(event(user % PARTITIONS, "u" + user, "flat of u" + user, window));
      }
      ticks(input, window + 1);
    }
    return input;
  }

  private static ProducerRecord<byte[], byte[]> event(
      int partition, String user, String place, int window) {
    byte[] value =
        "{\"who\":\"%s\",\"place\":\"%s\",\"at\":%d,\"what\":\"a\"}"
            .formatted(user, place, BASE + window * 10_000L + 1)
            .getBytes(StandardCharsets.UTF_8);
    return new ProducerRecord<>("found-in", partition, BASE + window, null, value);
  }

  private static void ticks(List<ProducerRecord<byte[], byte[]>> input, int window) {
    for (int partition = 0; partition < PARTITIONS; partition++) {
      input.add(
          TestCluster.tick("found", "found-in", partition, BASE + window, BASE + window * 10_000L));
    }
  }

  private static void send(TestCluster cluster, List<ProducerRecord<byte[], byte[]>> records)
      throws RefusedException {
    try (var producer = cluster.producer()) {
      records.forEach(producer::send);
      producer.flush();
    }
  }

  private PipelineRun start(TestCluster cluster, Plan plan, String state) throws RefusedException {
    KafkaSettings settings =
        TestCluster.settings(cluster.servers(), Map.of("session.timeout.ms", "6000"));
    Plan next;
    try (Cluster admin = new Cluster(settings)) {
      admin.pipelineTopics().prepare(plan.pipeline(), Cluster.Safety.WAIVED);
      next = TestCluster.require(plan, settings, admin, PARTITIONS);
      admin.offsets(plan.pipeline()).establish();
    }
    return PipelineRun.start(
        next,
        TestCluster.deployment(next, PARTITIONS, PipelineMeters.none()),
        new PipelineRun.Instance(settings, folder.resolve(state), 1, 0));
  }
}
