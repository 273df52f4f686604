// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.gate.NoiseKey;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.ledger.OrdersLog;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.PipelineRun;
import io.sfumato.runtime.PipelineStart;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.RecordSpan;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A record that Kafka cannot remove, and what an operator does about it, from the command line. */
@ExtendWith(SharedBroker.class)
class SkipRecordIT {
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();
  private static final long YEAR_9999 = Instant.parse("9999-12-31T00:00:00Z").toEpochMilli();

  @TempDir static Path folder;

  private static TestCluster cluster;
  private static Path secret;

  @BeforeAll
  static void start(TestCluster shared) throws Exception {
    cluster = shared;
    secret = folder.resolve("noise.key");
    NoiseSecret.parse(TestCluster.KEY).write(secret);
  }

  private static String yaml(String name) {
    return """
    pipeline: %1$s
    format: json
    input: { topic: %1$s-in, subject: who, time: at, time-format: epoch-ms, category: what, categories: [a, b] }
    window: { size: 10s }
    subjects: roster
    budget: { name: %1$s, unit: record, epsilon: 2, delta: 1e-6 }
    releases:
      - histogram: { name: %1$s-mix, share: { epsilon: 2, delta: 1e-6 }, windows: 5 }
    """
        .formatted(name);
  }

  private static CommandResult skip(Path file, String place, Path key) {
    return CommandResult.of(
        "skip-record",
        file.toString(),
        place,
        "--bootstrap-servers",
        cluster.servers(),
        "--secret-file",
        key.toString());
  }

  private static BackgroundCommand run(Path file) {
    return BackgroundCommand.run(cluster, file, secret, folder.resolve("data"));
  }

  private static PipelineRun start(String name, String yaml) throws Exception {
    return PipelineStart.of(
        cluster, TestCluster.plan(yaml), 1, PipelineMeters.none(), folder.resolve(name));
  }

  private static void send(List<ProducerRecord<byte[], byte[]>> records) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = cluster.producer()) {
      records.forEach(producer::send);
    }
  }

  private static List<String> deadLetters(String name) throws Exception {
    return cluster.committed(name + "-dead-letters").stream()
        .map(record -> new String(record.value(), StandardCharsets.UTF_8))
        .toList();
  }

  private static int releases(String name) throws Exception {
    return cluster.committed(name + "-mix").size();
  }

  /** Takes what producers stamp, however far it lies ahead. */
  private static void createOpen(String topic) throws Exception {
    try (Admin admin = Admin.create(TestCluster.settings(cluster.servers(), Map.of()).admin())) {
      TestCluster.create(
          admin,
          List.of(
              new NewTopic(topic, 1, (short) 1)
                  .configs(
                      Map.of(
                          "retention.ms",
                          "-1",
                          "message.timestamp.after.max.ms",
                          Long.toString(Long.MAX_VALUE)))));
    }
  }

  @Test
  void aRecordThatStopsARosterIsPassedOverByCommand() throws Exception {
    Path file = Files.writeString(folder.resolve("far.yaml"), yaml("far"));
    createOpen("far-in");
    send(
        List.of(
            TestCluster.event("far-in", 0, BASE, "ann", BASE + 1_000, "a"),
            TestCluster.event("far-in", 0, YEAR_9999, "eve", YEAR_9999, "a"),
            TestCluster.event("far-in", 0, BASE, "ann", BASE + 2_000, "b"),
            TestCluster.event("far-in", 0, BASE, "ann", BASE + 11_000, "b")));
    try (BackgroundCommand first = run(file)) {
      CommandResult stopped = first.awaitEnd();
      assertThat(stopped.code()).as(stopped.text()).isEqualTo(5);
      assertThat(stopped.text())
          .contains("note: producers set the Kafka timestamps of far-in, and brokers accept any")
          .contains("sfumato skip-record FILE far-in-0@1");
    }

    assertThat(skip(file, "far-in-0@99", secret).text())
        .contains("there is no record at far-in-0@99");
    Path other = folder.resolve("other.key");
    NoiseSecret.random().write(other);
    assertThat(skip(file, "far-in-0@2", other).code())
        .as("whoever has another secret is told that nobody hears")
        .isEqualTo(3);
    forge("far", RecordSpan.at(0, 2), NoiseSecret.read(other).derive());
    CommandResult skipped = skip(file, "far-in-0@1", secret);
    assertThat(skipped.code()).as(skipped.text()).isZero();
    assertThat(skipped.text()).contains("far-in-0@1 will not count; start the pipeline");

    try (BackgroundCommand second = run(file)) {
      second.awaitText("all windows released up to 2026-01-05T00:00:10Z");
      // Each line counts what is committed by then.
      second.awaitText("2 not enrolled, 1 SKIPPED");
      assertThat(second.isAlive()).as(second.text()).isTrue();
      assertThat(second.text())
          .contains("note: far-in-0@1 does not count: skipped by an operator")
          .doesNotContain("far-in-0@2 does not count");
      await()
          .atMost(TestCluster.PATIENCE)
          .untilAsserted(() -> assertThat(deadLetters("far")).hasSize(1));
      assertThat(new ObjectMapper().readTree(deadLetters("far").get(0)).get("code").asText())
          .isEqualTo("SKIPPED");
      assertThat(
              cluster.committed("sfumato-far-journal-repartition").stream()
                  .filter(record -> record.value() != null)
                  .count())
          .as("what was passed over stands in the journal")
          .isPositive();
    }
    CommandResult late = skip(file, "far-in-0@2", secret);
    assertThat(late.code()).as(late.text()).isEqualTo(5);
    assertThat(late.text()).contains("was read already");
  }

  /** Whoever may write to the registry, and has another secret. */
  private static void forge(String name, RecordSpan place, NoiseKey key) throws Exception {
    KafkaSettings settings = TestCluster.settings(cluster.servers(), Map.of());
    try (Cluster admin = new Cluster(settings)) {
      new OrdersLog(TestCluster.plan(yaml(name)).pipeline(), settings, key)
          .add(List.of(place), admin, admin.topics().sources(List.of(name + "-in")));
    }
  }

  @Test
  void nothingIsSkippedUnderAPipelineThatRuns() throws Exception {
    Path file = Files.writeString(folder.resolve("busy.yaml"), yaml("busy"));
    cluster.createTopic("busy-in", 1);
    send(List.of(TestCluster.event("busy-in", 0, BASE, "ann", BASE + 1_000, "a")));
    KafkaSettings settings = TestCluster.settings(cluster.servers(), Map.of());
    try (PipelineRun run = start("busy", yaml("busy"))) {
      CommandResult refused = skip(file, "busy-in-0@0", secret);
      assertThat(refused.code()).isEqualTo(5);
      assertThat(refused.text()).contains("instances of the pipeline are running: stop them all");
    }
    try (Cluster admin = new Cluster(settings)) {
      assertThat(
              new OrdersLog(
                      TestCluster.plan(yaml("busy")).pipeline(),
                      settings,
                      NoiseSecret.read(secret).derive())
                  .read(admin, admin.topics().sources(List.of("busy-in")))
                  .spans())
          .as("nothing was written")
          .isEmpty();
    }
  }

  /** Brokers that stamp records leave nothing of a forged timestamp. */
  @Test
  void aForgedTimestampIsWorthNothingWhereBrokersStampRecords() throws Exception {
    KafkaSettings settings = TestCluster.settings(cluster.servers(), Map.of());
    try (Cluster admin = new Cluster(settings)) {
      admin.topics().createForRecords("stamped-in", 1);
    }
    long now = System.currentTimeMillis();
    send(
        List.of(
            TestCluster.event("stamped-in", 0, now, "ann", now - 30_000, "a"),
            TestCluster.event("stamped-in", 0, YEAR_9999, "eve", YEAR_9999, "a"),
            TestCluster.event("stamped-in", 0, now, "ann", now - 29_000, "b")));
    String yaml = yaml("stamped").replace("format: json\n", "");
    try (PipelineRun run = start("stamped", yaml)) {
      await()
          .atMost(TestCluster.PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(
                          cluster.committed("stamped-dead-letters").stream()
                              .map(record -> Outputs.decodeDeadLetter(record.value()))
                              .map(letter -> letter.getOffset() + ":" + letter.getCode()))
                      .containsExactly("1:TIME_OUT_OF_RANGE"));
      assertThat(run.failure()).isEmpty();
      assertThat(releases("stamped")).isZero();
    }
  }
}
