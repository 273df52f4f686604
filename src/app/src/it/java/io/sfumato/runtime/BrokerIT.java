// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.gate.NoiseSecret;
import io.sfumato.ledger.OffsetsOfState;
import io.sfumato.ledger.OffsetsOfState.Standing;
import io.sfumato.ledger.StatePlace;
import io.sfumato.ops.RunningCounts;
import io.sfumato.pipeline.MessageLimit;
import io.sfumato.release.Plan;
import io.sfumato.schema.ControlCommand;
import io.sfumato.schema.ControlEntry;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.SourceTopics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What only a real broker shows. */
@ExtendWith(SharedBroker.class)
class BrokerIT {
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();

  @TempDir static Path folder;
  private static TestCluster cluster;

  @BeforeAll
  static void start(TestCluster shared) {
    cluster = shared;
  }

  private static PipelineRun run(Plan plan, Deployment deployment, String state)
      throws RefusedException {
    return new Instances(cluster, folder).start(plan, deployment, state);
  }

  /** Whoever has the program make the topic is not told to mend it. */
  @Test
  void shouldMakeTopicsForRecordsThatNeedNoMending() throws Exception {
    try (Cluster admin = new Cluster(TestCluster.settings(cluster.servers(), Map.of()))) {
      admin.topics().createForRecords("made-in", 2);
      assertThat(admin.topics().partitions("made-in")).isEqualTo(2);
      assertThat(
              admin
                  .pipelineTopics()
                  .stampedBy(TestCluster.plan(HistogramFile.perWindow("made")).pipeline()))
          .extracting(StampedBy::trust)
          .containsExactly(StampedBy.Trust.BROKERS);
    }
  }

  /** Records of hostile producers are dead-lettered, and a canary in them shows up nowhere. */
  @Test
  void shouldSurviveHostileRecordsAndLeakNothing() throws Exception {
    String canary = "canary-93b1";
    byte[] canaryBytes = canary.getBytes(StandardCharsets.UTF_8);
    try (Admin admin = cluster.client()) {
      TestCluster.create(
          admin,
          List.of(
              new NewTopic("hostile-in", 1, (short) 1)
                  .configs(Map.of("max.message.bytes", "20000000"))));
    }
    RunningCounts counts = new RunningCounts();
    List<String> log;
    try (CapturedLog captured = new CapturedLog();
        PipelineRun run =
            run(
                TestCluster.plan(HistogramFile.perWindow("hostile")),
                TestCluster.deployment(
                    TestCluster.plan(HistogramFile.perWindow("hostile")), 1, counts),
                "hostile")) {
      byte[] huge = new byte[10_000_000];
      System.arraycopy(canaryBytes, 0, huge, 0, canaryBytes.length);
      try (var producer = cluster.producer()) {
        for (byte[] value :
            new byte[][] {
              null,
              canaryBytes,
              huge,
              ("{\"who\":\"ann\",\"at\":" + BASE + ",\"what\":\"" + canary + "\"}")
                  .getBytes(StandardCharsets.UTF_8),
              ("{\"who\":{\"x\":\"" + canary + "\"},\"at\":1}").getBytes(StandardCharsets.UTF_8),
            }) {
          producer.send(new ProducerRecord<>("hostile-in", 0, BASE, canaryBytes, value));
        }
        producer.send(TestCluster.event("hostile-in", 0, BASE, "ann", BASE, "a"));
        producer.send(TestCluster.tick("hostile", "hostile-in", 0, BASE, BASE + 20_000));
      }
      await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> cluster.committed("hostile-mix").size() == 1);
      assertThat(cluster.committed("hostile-dead-letters"))
          .extracting(r -> Outputs.decodeDeadLetter(r.value()).getCode())
          .containsExactly("MALFORMED", "TOO_LARGE", "UNKNOWN_CATEGORY", "NO_SUBJECT");
      log = captured.lines();
    }
    try (Admin admin = cluster.client()) {
      for (String topic : admin.listTopics().names().get()) {
        if (topic.contains("hostile") && !topic.equals("hostile-in")) {
          cluster
              .read(topic, "read_uncommitted")
              .forEach(r -> assertThat(TestCluster.payload(r)).doesNotContain(canary));
          cluster
              .read(topic, "read_uncommitted")
              .forEach(
                  r ->
                      assertThat(
                              r.value() == null
                                  ? ""
                                  : new String(r.value(), StandardCharsets.ISO_8859_1))
                          .as(topic)
                          .doesNotContain(canary));
        }
      }
    }
    assertThat(log).isNotEmpty().noneMatch(line -> line.contains(canary));
    assertThat(counts.line()).doesNotContain(canary);
  }

  /** Ledgers must never expire, and the journal must wait for whoever reads it. */
  @Test
  void shouldCreateItsTopicsWithSettingsThatKeepALedger() throws Exception {
    Plan plan = TestCluster.plan(HistogramFile.perWindow("owned"));
    cluster.createTopic("owned-in", 2);
    try (PipelineRun run =
            run(plan, TestCluster.deployment(plan, 2, new RunningCounts()), "owned");
        Admin admin = cluster.client()) {
      assertThat(run.awaitRunning(TestCluster.PATIENCE)).isTrue();
      assertThat(cluster.setting("sfumato-owned-ledger-store-changelog", "cleanup.policy"))
          .isEqualTo("compact");
      assertThat(cluster.setting("sfumato-owned-meta-store-changelog", "cleanup.policy"))
          .isEqualTo("compact");
      assertThat(cluster.setting("sfumato-owned-journal-repartition", "retention.ms"))
          .isEqualTo("-1");
      assertThat(cluster.setting("owned-control", "retention.ms")).isEqualTo("-1");
      for (String topic :
          List.of(
              "owned-mix",
              "owned-refusals",
              "owned-dead-letters",
              "sfumato-owned-journal-repartition",
              "sfumato-owned-dataset-store-changelog")) {
        assertThat(cluster.setting(topic, "max.message.bytes")).as(topic).isEqualTo("1048588");
      }
      for (String topic : List.of("owned-mix", "owned-refusals", "owned-dead-letters")) {
        assertThat(cluster.setting(topic, "unclean.leader.election.enable")).isEqualTo("false");
      }
    }
  }

  /** A topic that refuses a record stops the pipeline in front of it: better to know before. */
  @Test
  void shouldRefuseTopicsThatTakeLessThanTheFileMayWrite() throws Exception {
    cluster.createTopic("narrow-in", 1);
    try (Admin admin = cluster.client()) {
      TestCluster.create(
          admin,
          List.of(
              new NewTopic("narrow-mix", 1, (short) 1)
                  .configs(Map.of("max.message.bytes", "1000"))));
    }
    Plan plan = TestCluster.plan(HistogramFile.perWindow("narrow"));
    assertThatThrownBy(
            () -> run(plan, TestCluster.deployment(plan, 1, new RunningCounts()), "narrow"))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("narrow-mix has max.message.bytes=1000")
        .hasMessageContaining("--add-config max.message.bytes=1048588");
  }

  /** So many records of one commit made an entry that no topic took, every time again. */
  @Test
  void shouldTakeInFullBatchesOfLargeRecords() throws Exception {
    int values = 300;
    String names =
        IntStream.range(0, values).mapToObj(i -> "v" + i).collect(Collectors.joining(", "));
    Plan plan =
        TestCluster.plan(
            HistogramFile.perWindow("wide")
                .replace("categories: [a, b]", "categories: [a, b], values: [" + names + "]"));
    cluster.createTopic("wide-in", 1);
    String numbers =
        IntStream.range(0, values)
            .mapToObj(i -> ",\"v" + i + "\":" + i)
            .collect(Collectors.joining());
    try (var producer = cluster.producer()) {
      for (int i = 0; i < 1500; i++) {
        byte[] value =
            ("{\"who\":\"ann\",\"what\":\"a\",\"at\":" + BASE + numbers + "}")
                .getBytes(StandardCharsets.UTF_8);
        producer.send(new ProducerRecord<>("wide-in", 0, BASE, null, value));
      }
      producer.send(TestCluster.tick("wide", "wide-in", 0, BASE, BASE + 20_000));
    }
    try (PipelineRun run =
        run(plan, TestCluster.deployment(plan, 1, new RunningCounts()), "wide")) {
      await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> run.failure().isPresent() || cluster.committed("wide-mix").size() == 1);
      assertThat(run.failure()).isEmpty();
    }
    assertThat(Outputs.decodeRelease(cluster.committed("wide-mix").get(0).value()).getRecords())
        .isEqualTo(1500);
    assertThat(cluster.committed("sfumato-wide-journal-repartition"))
        .allSatisfy(
            entry ->
                assertThat(entry.value().length).isLessThanOrEqualTo(MessageLimit.ENTRY_BYTES));
  }

  @Test
  void shouldStopWhenOffsetsAreResetInsteadOfCountingTwice() throws Exception {
    Plan plan = TestCluster.plan(HistogramFile.perWindow("reset"));
    cluster.createTopic("reset-in", 1);
    try (PipelineRun run =
        run(plan, TestCluster.deployment(plan, 1, new RunningCounts()), "reset")) {
      try (var producer = cluster.producer()) {
        producer.send(TestCluster.event("reset-in", 0, BASE, "ann", BASE, "a"));
        producer.send(TestCluster.tick("reset", "reset-in", 0, BASE, BASE + 20_000));
      }
      await().atMost(TestCluster.PATIENCE).until(() -> cluster.committed("reset-mix").size() == 1);
    }
    try (Admin admin = cluster.client()) {
      admin
          .alterConsumerGroupOffsets(
              "sfumato-reset", Map.of(new TopicPartition("reset-in", 0), new OffsetAndMetadata(0)))
          .all()
          .get();
    }
    try (PipelineRun run =
        run(plan, TestCluster.deployment(plan, 1, new RunningCounts()), "reset")) {
      assertThat(run.awaitEnd(TestCluster.PATIENCE)).isTrue();
      assertThat(run.failure())
          .hasValueSatisfying(
              failure -> {
                assertThat(failure.code()).isEqualTo(ExitCode.STOPPED);
                assertThat(failure).hasMessageContaining("offsets were reset");
              });
    }
    try (Admin admin = cluster.client()) {
      // The instance that stopped itself is a member of the group until its session ends.
      await()
          .atMost(TestCluster.PATIENCE)
          .ignoreExceptions()
          .until(
              () -> {
                admin
                    .deleteConsumerGroupOffsets(
                        "sfumato-reset", Set.of(new TopicPartition("reset-in", 0)))
                    .all()
                    .get();
                return true;
              });
    }
    assertThatThrownBy(
            () -> run(plan, TestCluster.deployment(plan, 1, new RunningCounts()), "reset"))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("no committed offsets")
        .hasMessageContaining("sfumato offsets FILE --restore");
    assertThat(cluster.committed("reset-mix")).hasSize(1);
  }

  @Test
  void shouldGoOnWhereTheStateIsWhenTheClusterHasForgottenTheOffsets() throws Exception {
    Plan plan = TestCluster.plan(HistogramFile.perWindow("week"));
    cluster.createTopic("week-in", 1);
    OffsetsOfState offsets =
        new OffsetsOfState(plan.pipeline(), TestCluster.settings(cluster.servers(), Map.of()));
    try (var producer = cluster.producer();
        PipelineRun run = run(plan, TestCluster.deployment(plan, 1, new RunningCounts()), "week")) {
      producer.send(TestCluster.event("week-in", 0, BASE, "ann", BASE, "a"));
      producer.send(
          new ProducerRecord<>(
              "week-control",
              Outputs.encode(
                  ControlEntry.newBuilder()
                      .setCommand(ControlCommand.FORGET)
                      .setSubject("eve")
                      .build())));
      producer.send(TestCluster.tick("week", "week-in", 0, BASE, BASE + 20_000));
      await().atMost(TestCluster.PATIENCE).until(() -> cluster.committed("week-mix").size() == 1);
      await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> offsets.look().stream().allMatch(p -> p.state().isPresent()));
      assertThatThrownBy(() -> forget("sfumato-week"))
          .as("while it runs")
          .hasMessageContaining("not empty");
    }
    List<StatePlace> before = offsets.look();
    assertThat(before).extracting(StatePlace::standing).containsOnly(Standing.IN_ORDER);
    forget("sfumato-week");
    assertThat(offsets.look()).extracting(StatePlace::standing).containsOnly(Standing.LOST);
    assertThatThrownBy(
            () -> run(plan, TestCluster.deployment(plan, 1, new RunningCounts()), "week"))
        .hasMessageContaining("no committed offsets");
    offsets.restore(Optional.empty(), false);
    assertThat(offsets.look()).extracting(StatePlace::standing).containsOnly(Standing.IN_ORDER);
    try (var producer = cluster.producer();
        PipelineRun run = run(plan, TestCluster.deployment(plan, 1, new RunningCounts()), "week")) {
      producer.send(TestCluster.event("week-in", 0, BASE, "ann", BASE + 20_000, "a"));
      producer.send(TestCluster.tick("week", "week-in", 0, BASE, BASE + 40_000));
      await().atMost(TestCluster.PATIENCE).until(() -> cluster.committed("week-mix").size() >= 2);
      assertThat(run.failure()).isEmpty();
    }
    assertOthersAreTold(offsets);
    assertThat(cluster.committed("week-mix"))
        .extracting(record -> TestCluster.header(record, Names.RELEASE_ID_HEADER))
        .doesNotHaveDuplicates();
  }

  /** Two records that nobody has read: passed over by whoever sets offsets, or deleted. */
  private static void assertOthersAreTold(OffsetsOfState offsets) throws Exception {
    TopicPartition records = new TopicPartition("week-in", 0);
    try (var producer = cluster.producer()) {
      producer.send(TestCluster.event("week-in", 0, BASE, "ann", BASE + 40_000, "a"));
      producer.send(TestCluster.event("week-in", 0, BASE, "bob", BASE + 40_000, "a"));
    }
    try (Admin admin = cluster.client();
        Cluster started = new Cluster(TestCluster.settings(cluster.servers(), Map.of()))) {
      offsets.requireInOrder(started);
      long unread = placeOf(records, offsets).end();
      admin
          .alterConsumerGroupOffsets("sfumato-week", Map.of(records, new OffsetAndMetadata(unread)))
          .all()
          .get();
      assertThat(placeOf(records, offsets).standing()).isEqualTo(Standing.AHEAD);
      assertThatThrownBy(() -> offsets.requireInOrder(started))
          .hasMessageContaining("week-in-0 (ahead)")
          .hasMessageContaining("--restore");
      offsets.restore(Optional.empty(), false);
      assertThat(placeOf(records, offsets).standing()).isEqualTo(Standing.IN_ORDER);
      admin.deleteRecords(Map.of(records, RecordsToDelete.beforeOffset(unread - 1))).all().get();
      assertThat(placeOf(records, offsets).standing()).isEqualTo(Standing.GONE);
      assertThatThrownBy(() -> offsets.restore(Optional.empty(), false))
          .hasMessageContaining("--accept-loss");
      offsets.restore(Optional.empty(), true);
      offsets.requireInOrder(started);
    }
  }

  private static StatePlace placeOf(TopicPartition partition, OffsetsOfState offsets)
      throws Exception {
    return offsets.look().stream()
        .filter(place -> place.partition().equals(partition))
        .findFirst()
        .orElseThrow();
  }

  private static void forget(String group) throws Exception {
    try (Admin admin = cluster.client()) {
      admin.deleteConsumerGroups(List.of(group)).all().get();
    }
  }

  @Test
  void shouldStopWhenTheFileOrTheKeyContradictsTheState() throws Exception {
    Plan plan = TestCluster.plan(HistogramFile.perWindow("changed"));
    cluster.createTopic("changed-in", 1);
    try (PipelineRun run =
        run(plan, TestCluster.deployment(plan, 1, new RunningCounts()), "changed")) {
      try (var producer = cluster.producer()) {
        producer.send(TestCluster.event("changed-in", 0, BASE, "ann", BASE, "a"));
        producer.send(TestCluster.tick("changed", "changed-in", 0, BASE, BASE + 20_000));
      }
      await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> cluster.committed("changed-mix").size() == 1);
    }
    assertStops(HistogramFile.perWindow("changed").replace("[a, b]", "[b, a]"), "categories");
    assertStops(
        HistogramFile.perWindow("changed").replace("size: 10s", "size: 20s"), "window.size");
    assertStops(
        HistogramFile.perWindow("changed").replace("epsilon: 2", "epsilon: 3"),
        "changed under the same version");
    assertStops("version: 2\n" + HistogramFile.perWindow("changed"), "pipeline version");
    assertThatThrownBy(
            () ->
                run(
                    TestCluster.plan(
                        HistogramFile.perWindow("changed")
                            .replace("pipeline: changed", "pipeline: other")),
                    TestCluster.deployment(
                        TestCluster.plan(HistogramFile.perWindow("changed")),
                        1,
                        new RunningCounts()),
                    "changed"))
        .hasMessageContaining("names another pipeline");
    Deployment otherKey =
        Deployment.of(
            SourceTopics.of("changed-in", "topic", 1),
            NoiseSecret.random().derive(),
            new RunningCounts());
    try (PipelineRun run = run(plan, otherKey, "changed")) {
      assertThat(run.awaitEnd(TestCluster.PATIENCE)).isTrue();
      assertThat(run.failure().orElseThrow()).hasMessageContaining("noise key");
    }
  }

  private static void assertStops(String yaml, String reason) throws Exception {
    try (PipelineRun run =
        run(
            TestCluster.plan(yaml),
            TestCluster.deployment(TestCluster.plan(yaml), 1, new RunningCounts()),
            "changed")) {
      assertThat(run.awaitEnd(TestCluster.PATIENCE)).isTrue();
      // Whoever comes first says it: the keeper, or intake, which knows only that the files differ.
      assertThat(run.failure().orElseThrow().getMessage())
          .containsAnyOf(reason, "the pipeline file differs from that of the other instances");
      assertThat(run.failure().orElseThrow().code()).isEqualTo(ExitCode.STOPPED);
    }
  }

  @Test
  void shouldRefuseAClusterThatCouldLoseAChargeUnlessTheRiskIsAccepted() throws Exception {
    Plan plan = TestCluster.plan(HistogramFile.perWindow("unsafe"));
    KafkaSettings settings = TestCluster.settings(cluster.servers(), Map.of());
    try (Cluster admin = new Cluster(settings)) {
      assertThatThrownBy(
              () -> admin.pipelineTopics().prepare(plan.pipeline(), Cluster.Safety.REQUIRED))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("records' topic 'unsafe-in' does not exist");
      cluster.createTopic("unsafe-in", 3);
      assertThatThrownBy(
              () -> admin.pipelineTopics().prepare(plan.pipeline(), Cluster.Safety.REQUIRED))
          .hasMessageContaining("3 replicas")
          .hasMessageContaining("--accept-risk");
      assertThat(admin.pipelineTopics().prepare(plan.pipeline(), Cluster.Safety.WAIVED).count())
          .isEqualTo(3);
    }
  }
}
