// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sfumato.gate.NoiseKey;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.ledger.Continuity;
import io.sfumato.ledger.OrdersLog;
import io.sfumato.ledger.Registry;
import io.sfumato.ledger.RegistryHandover;
import io.sfumato.release.Plan;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import io.sfumato.topology.context.RecordSpan;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What registries say, whatever others have open, and who says it when. */
@ExtendWith(SharedBroker.class)
class RegistryIT {
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();
  private static final NoiseKey KEY = TestCluster.key();

  @TempDir static Path folder;

  private static TestCluster cluster;
  private static KafkaSettings settings;
  private static Path old;
  private static Path other;

  @BeforeAll
  static void start(TestCluster shared) throws Exception {
    cluster = shared;
    settings = TestCluster.settings(cluster.servers(), Map.of());
    old = folder.resolve("old.key");
    other = folder.resolve("other.key");
    NoiseSecret.parse(TestCluster.KEY).write(old);
    NoiseSecret.random().write(other);
    try (Cluster admin = new Cluster(settings)) {
      admin.topics().createLog("sfumato-accounts");
    }
  }

  private static String yaml(String name, String input, int version) {
    return """
        pipeline: %1$s
        version: %3$d
        format: json
        input: { topic: %2$s, subject: who, time: at, category: what, categories: [a, b] }
        window: { size: 10s }
        budget: { name: %1$s, unit: record, epsilon: 2, delta: 1e-6, period: window }
        releases:
          - histogram: { name: %1$s-mix, share: { epsilon: 2, delta: 1e-6 } }
        """
        .formatted(name, input, version);
  }

  private static Path file(String name, String input, int version) throws Exception {
    return Files.writeString(folder.resolve(name + version + ".yaml"), yaml(name, input, version));
  }

  private static CommandResult command(Path key, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--bootstrap-servers", cluster.servers(), "--secret-file", key.toString()));
    return CommandResult.of(all.toArray(new String[0]));
  }

  private static Process run(Path file, Path key, Path log) throws Exception {
    return TestCluster.fork(
        log,
        Main.class,
        "run",
        file.toString(),
        "--bootstrap-servers",
        cluster.servers(),
        "--secret-file",
        key.toString(),
        "--data",
        folder.resolve("data-" + log.getFileName()).toString(),
        "--accept-risk",
        "--no-http",
        "--standbys",
        "0");
  }

  private static void awaitLine(Process process, Path log, String line) {
    await()
        .atMost(TestCluster.PATIENCE)
        .until(() -> !process.isAlive() || Files.readString(log).contains(line));
    assertThat(log).content().contains(line);
  }

  private static void end(Process process) throws Exception {
    process.destroy();
    assertThat(process.waitFor(TestCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  private static void send(String topic, long... seconds) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = cluster.producer()) {
      for (long second : seconds) {
        producer.send(TestCluster.event(topic, 0, BASE, "ann", BASE + second * 1000, "a")).get();
      }
    }
  }

  private static void write(String topic, String key, String value) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = cluster.producer()) {
      producer.send(new ProducerRecord<>(topic, 0, bytes(key), bytes(value))).get();
    }
  }

  /** A transaction that somebody begins in a topic, and does not end. */
  private static KafkaProducer<byte[], byte[]> open(String topic) throws Exception {
    Map<String, Object> config = settings.producer();
    config.put("transactional.id", "somebody/" + topic);
    config.put("transaction.timeout.ms", 600_000);
    KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    producer.initTransactions();
    producer.beginTransaction();
    producer.send(new ProducerRecord<>(topic, 0, bytes("x"), bytes("{}"))).get();
    return producer;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static List<RecordSpan> skipped(Plan plan, NoiseKey key) throws RefusedException {
    try (Cluster admin = new Cluster(settings)) {
      return new OrdersLog(plan.pipeline(), settings, key)
          .read(admin, admin.topics().sources(plan.pipeline()))
          .spans();
    }
  }

  private static void openRegistry(Plan plan) throws RefusedException {
    try (Cluster admin = new Cluster(settings)) {
      new RegistryHandover(plan.pipeline(), settings, admin, KEY).open();
    }
  }

  @Test
  void whatIsNotSeenInABudgetsRegistryIsNotTakenForAbsent() throws Exception {
    Plan plan = TestCluster.plan(yaml("own", "own-in", 1));
    Path file = file("own", "own-in", 1);
    cluster.createTopic("own-in", 1);
    send("own-in", 1, 2);
    openRegistry(plan);
    try (KafkaProducer<byte[], byte[]> somebody = open("sfumato-own-registry")) {
      CommandResult refused = command(old, "skip-record", file.toString(), "own-in-0@1");
      assertThat(refused.code()).as(refused.text()).isEqualTo(1);
      assertThat(refused.text())
          .contains(
              "an open transaction in topic 'sfumato-own-registry' at ",
              " hides the records after it");
      somebody.abortTransaction();
    }
    assertThat(skipped(plan, KEY)).isEmpty();
    CommandResult done = command(old, "skip-record", file.toString(), "own-in-0@1");
    assertThat(done.code()).as(done.text()).isZero();
    assertThat(skipped(plan, KEY)).containsExactly(RecordSpan.at(0, 1));
  }

  @Test
  void manyRecordsAreSkippedAtOnceAndNoneThatIsNotThere() throws Exception {
    Plan plan = TestCluster.plan(yaml("many", "many-in", 1));
    Path file = file("many", "many-in", 1);
    cluster.createTopic("many-in", 1);
    send("many-in", 0, 1, 2, 3, 4, 5);
    Map<String, Object> config = settings.producer();
    config.put("transactional.id", "many");
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(TestCluster.event("many-in", 0, BASE, "eve", BASE, "a")).get();
      producer.abortTransaction();
    }
    send("many-in", 8);
    try (Admin admin = Admin.create(settings.admin())) {
      RecordsToDelete two = RecordsToDelete.beforeOffset(2);
      admin.deleteRecords(Map.of(new TopicPartition("many-in", 0), two)).all().get();
    }
    for (String nothing : List.of("@1", "@6", "@7", "@6..7", "@9")) {
      CommandResult refused =
          command(old, "skip-record", file.toString(), "many-in-0@3", "many-in-0" + nothing);
      assertThat(refused.code()).as(nothing).isEqualTo(2);
      assertThat(refused.text()).contains("there is no record at many-in-0" + nothing);
    }
    for (String nonsense : List.of("many-in-0@5..4", "many-in-0@0..10000", "other-0@1")) {
      assertThat(command(old, "skip-record", file.toString(), nonsense).code()).isEqualTo(2);
    }
    openRegistry(plan);
    CommandResult wrong = command(other, "skip-record", file.toString(), "many-in-0@3");
    assertThat(wrong.code()).as(wrong.text()).isEqualTo(3);
    assertThat(wrong.text())
        .contains("the noise key that you gave (", ") is not that of budget 'many'");
    assertThat(skipped(plan, KEY)).as("nothing was written").isEmpty();
    CommandResult done =
        command(old, "skip-record", file.toString(), "many-in-0@2", "many-in-0@4..5");
    assertThat(done.code()).as(done.text()).isZero();
    assertThat(skipped(plan, KEY)).containsExactly(RecordSpan.at(0, 2), new RecordSpan(0, 4, 5));
  }

  /** It is no member while it stands still, and joins again by itself. */
  @Test
  void anInstanceThatStoodStillKnowsWhatWasSaidMeanwhile() throws Exception {
    Path file = file("still", "still-in", 1);
    Path log = folder.resolve("still.log");
    cluster.createTopic("still-in", 1);
    send("still-in", 1);
    Process process = run(file, old, log);
    try {
      awaitLine(process, log, "1 record accepted");
      signal("-STOP", process);
      try {
        send("still-in", 23 * 3600, 2, 12);
        await().atMost(TestCluster.PATIENCE).until(() -> cluster.instances("sfumato-still") == 0);
        CommandResult done = command(old, "skip-record", file.toString(), "still-in-0@1");
        assertThat(done.code()).as(done.text()).isZero();
      } finally {
        signal("-CONT", process);
      }
      await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> !process.isAlive() || !cluster.committed("still-mix").isEmpty());
      assertThat(cluster.committed("still-dead-letters"))
          .extracting(letter -> new String(letter.value(), StandardCharsets.UTF_8))
          .singleElement()
          .asString()
          .contains("\"offset\":1,\"code\":\"SKIPPED\"");
    } finally {
      end(process);
    }
    // What it counted before it noticed was aborted; the log tells of it, the outputs do not.
    assertThat(cluster.committed("still-mix"))
        .singleElement()
        .satisfies(
            release ->
                assertThat(new String(release.value(), StandardCharsets.UTF_8))
                    .contains("\"records\":2"));
  }

  /** It is no member any more, and may commit what it read until brokers end its transaction. */
  @Test
  void whatIsSkippedNobodyCommitsLater() throws Exception {
    Path file = file("pending", "pending-in", 1);
    TopicPartition records = new TopicPartition("pending-in", 0);
    cluster.createTopic("pending-in", 1);
    send("pending-in", 1, 2);
    try (Admin admin = Admin.create(settings.admin())) {
      // As every start does.
      Map<TopicPartition, OffsetAndMetadata> start = Map.of(records, new OffsetAndMetadata(0));
      admin.alterConsumerGroupOffsets("sfumato-pending", start).all().get();
    }
    Map<String, Object> config = settings.producer();
    config.put("transactional.id", "sfumato-pending/stands-still");
    config.put("transaction.timeout.ms", 1_000);
    Map<String, Object> member = settings.consumer();
    member.put("group.id", "sfumato-pending");
    try (KafkaProducer<byte[], byte[]> instance =
            new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
        KafkaConsumer<byte[], byte[]> reader =
            new KafkaConsumer<>(member, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      instance.initTransactions();
      instance.beginTransaction();
      instance.sendOffsetsToTransaction(
          Map.of(records, new OffsetAndMetadata(2)), reader.groupMetadata());
      CommandResult done = command(old, "skip-record", file.toString(), "pending-in-0@1");
      assertThat(done.code()).as(done.text()).isZero();
      assertThatThrownBy(instance::commitTransaction).isInstanceOf(KafkaException.class);
    }
  }

  private static void signal(String signal, Process process) throws Exception {
    assertThat(new ProcessBuilder("kill", signal, "" + process.pid()).start().waitFor()).isZero();
  }

  /** Windows that were open are read again, under a key that did or did not say so. */
  @Test
  void whatDidNotCountDoesNotCountWhereALedgerGoesOn() throws Exception {
    Path file = file("from", "from-in", 1);
    Path ledger = folder.resolve("from.ledger");
    cluster.createTopic("from-in", 1);
    send("from-in", 1, 23 * 3600, 12);
    assertThat(command(old, "skip-record", file.toString(), "from-in-0@1").code()).isZero();
    try (BackgroundCommand run =
        BackgroundCommand.run(cluster, file, old, folder.resolve("from"))) {
      run.awaitText("2 records accepted");
    }
    Path next = file("to", "from-in", 1);
    CommandResult checked =
        command(
            old,
            "ledger",
            "export",
            file.toString(),
            "--for",
            next.toString(),
            "--dry-run",
            "--stopped");
    assertThat(checked.code()).as(checked.text()).isZero();
    assertThat(checked.text())
        .contains("dry run: nothing was sealed", "budget to could import its ledger");
    CommandResult itself =
        command(
            old,
            "ledger",
            "export",
            file.toString(),
            "--for",
            file.toString(),
            "--dry-run",
            "--stopped",
            "--for-bootstrap-servers",
            cluster.servers());
    assertThat(itself.code()).as(itself.text()).isEqualTo(5);
    CommandResult sealed =
        command(
            old,
            "ledger",
            "export",
            file.toString(),
            "--for",
            next.toString(),
            "--to",
            ledger.toString(),
            "--stopped");
    assertThat(sealed.code()).as(sealed.text()).isZero();
    CommandResult late = command(old, "skip-record", file.toString(), "from-in-0@2");
    assertThat(late.code()).as(late.text()).isEqualTo(5);
    assertThat(late.text()).contains("is sealed");

    CommandResult carried = importInto("to", old, ledger);
    assertThat(carried.code()).as(carried.text()).isZero();
    assertThat(carried.text())
        .contains("note: only this cluster was checked for another import of this ledger");
    Plan plan = TestCluster.plan(yaml("to", "from-in", 1));
    assertThat(skipped(plan, KEY)).containsExactly(RecordSpan.at(0, 1));

    // What it was told is the key that it draws with, and that one alone.
    NoiseKey another = NoiseSecret.read(other).derive();
    assertThatThrownBy(() -> require(plan, another))
        .hasMessageContaining("was imported for another noise key than this one")
        .hasMessageContaining("or import the same file again with this one");
    require(plan, KEY);
    CommandResult again = importInto("to", other, ledger);
    assertThat(again.code()).as(again.text()).isZero();
    assertThatThrownBy(() -> require(plan, KEY))
        .hasMessageContaining("was imported for another noise key than this one");
    require(plan, another);
  }

  private static void require(Plan plan, NoiseKey key) throws RefusedException {
    try (Cluster admin = new Cluster(settings)) {
      Continuity.require(plan, settings, admin, TestCluster.sources(plan, 1), key);
    }
  }

  private static CommandResult importInto(String name, Path key, Path ledger) throws Exception {
    return command(
        key,
        "ledger",
        "import",
        file(name, "from-in", 1).toString(),
        "--from",
        ledger.toString(),
        "--accept-risk");
  }

  /** What it would sign, whoever goes on does not hear. */
  @Test
  void aKeyThatAnotherFollowedSealsNothing() throws Exception {
    Path file = file("handover", "handover-in", 1);
    Path next = file("handover", "handover-in", 2);
    cluster.createTopic("handover-in", 1);
    send("handover-in", 1, 12);
    try (BackgroundCommand run =
        BackgroundCommand.run(cluster, file, old, folder.resolve("handover-data"))) {
      run.awaitText("1 release,");
    }
    String at = Instant.ofEpochMilli(BASE + 20_000).toString();
    CommandResult announced =
        command(
            other,
            "activate",
            next.toString(),
            "--from",
            at,
            "--former-secret-file",
            old.toString());
    assertThat(announced.code()).as(announced.text()).isZero();
    String[] export = {
      "ledger",
      "export",
      file.toString(),
      "--stopped",
      "--to",
      folder.resolve("handover").toString()
    };
    CommandResult refused = command(old, export);
    assertThat(refused.code()).as(refused.text()).isEqualTo(5);
    assertThat(refused.text())
        .contains("handed over to noise key " + NoiseSecret.read(other).derive().tag());
    assertThatThrownBy(() -> new Registry(settings, "handover", Optional.of(KEY)).seal("now"))
        .hasMessageContaining("handed over");
    CommandResult back = command(old, "activate", next.toString(), "--from", at);
    assertThat(back.code()).as(back.text()).isZero();
    CommandResult sealed = command(old, export);
    assertThat(sealed.code()).as(sealed.text()).isZero();
  }
}
