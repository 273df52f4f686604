// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import io.sfumato.schema.CountRelease;
import io.sfumato.schema.Guarantees;
import io.sfumato.schema.ReleasedThrough;
import io.sfumato.serde.Outputs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Rows of windows that are complete, from topics whose records are committed in transactions. */
@ExtendWith(SharedBroker.class)
class ExportIT {
  private static final Instant DAY = Instant.parse("2026-11-02T00:00:00Z");

  @TempDir Path folder;

  private static ProducerRecord<byte[], byte[]> count(
      String topic, int partition, String subject, int day, long value) {
    Instant start = DAY.plus(Duration.ofDays(day));
    return record(
        topic,
        partition,
        CountRelease.newBuilder()
            .setReleaseId(subject + day)
            .setPipeline(topic)
            .setOutput("sold")
            .setSubject(subject)
            .setWindowStart(start)
            .setWindowEnd(start.plus(Duration.ofDays(1)))
            .setSince(start)
            .setCategories(List.of())
            .setCounts(List.of(value))
            .setError95(5)
            .setGuarantee(
                Guarantees.any().setMechanism("discrete-gaussian sigma^2=9216/2^10").build())
            .build());
  }

  private static ProducerRecord<byte[], byte[]> marker(String topic, int partition, int days) {
    return record(
        topic + "-released",
        0,
        ReleasedThrough.newBuilder()
            .setPipeline(topic)
            .setPartition(partition)
            .setPartitions(2)
            .setReleasedThrough(DAY.plus(Duration.ofDays(days)))
            .setPipelineVersion(1)
            .build());
  }

  private static ProducerRecord<byte[], byte[]> record(
      String topic, int partition, SpecificRecord value) {
    return new ProducerRecord<>(topic, partition, 1_793_700_000_000L, null, Outputs.encode(value));
  }

  private static KafkaProducer<byte[], byte[]> transactional(TestCluster cluster, String id) {
    KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", cluster.servers(), "transactional.id", id),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    producer.initTransactions();
    return producer;
  }

  private static void create(TestCluster cluster, String topic) throws Exception {
    cluster.createTopic(topic, 2);
    cluster.createTopic(topic + "-released", 1);
  }

  @SafeVarargs
  private static void commit(
      KafkaProducer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]>... records) {
    producer.beginTransaction();
    for (ProducerRecord<byte[], byte[]> record : records) {
      producer.send(record);
    }
    producer.commitTransaction();
  }

  private CommandResult export(TestCluster cluster, String topic, Path file) {
    CommandResult result =
        CommandResult.of(
            "export", topic, "--to", file.toString(), "--bootstrap-servers", cluster.servers());
    assertThat(result.code()).as(result.text()).isZero();
    return result;
  }

  private static String row(String subject, String day, String next, long value) {
    return "%s,%sT00:00:00Z,%sT00:00:00Z,sold,count,%d,%d,%d,3.0,discrete-gaussian,false,false,,1,2026-11-03T10:00:00Z,row\n"
        .formatted(subject, day, next, value, value - 5, value + 5);
  }

  @Test
  void shouldWriteCommittedRowsOfCompleteWindows(TestCluster cluster) throws Exception {
    create(cluster, "export-shop");
    try (KafkaProducer<byte[], byte[]> producer = transactional(cluster, "export-shop")) {
      commit(
          producer,
          count("export-shop", 1, "west", 1, 21),
          count("export-shop", 0, "north", 0, 10),
          marker("export-shop", 0, 3));
      producer.beginTransaction();
      producer.send(count("export-shop", 0, "north", 1, 99));
      producer.flush();
      producer.abortTransaction();
      commit(
          producer,
          count("export-shop", 1, "west", 0, 20),
          count("export-shop", 0, "north", 2, 12),
          marker("export-shop", 1, 2));
    }
    Path csv = folder.resolve("rows.csv");
    CommandResult result = export(cluster, "export-shop", csv);
    assertThat(Files.readString(csv))
        .isEqualTo(
            "subject,window_start,window_end,output,measure,value,low,high,deviation,noise,unknown,clamped,left_out,version,released,noise_scope\n"
                + row("north", "2026-11-02", "2026-11-03", 10)
                + row("west", "2026-11-02", "2026-11-03", 20)
                + row("west", "2026-11-03", "2026-11-04", 21));
    assertThat(result.err()).contains("3 rows").contains("2026-11-04T00:00:00Z");
    Path database = folder.resolve("rows.sqlite");
    export(cluster, "export-shop", database);
    export(cluster, "export-shop", database);
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + database);
        Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery("SELECT count(*), sum(value) FROM rows")) {
      assertThat(found.next()).isTrue();
      assertThat(found.getInt(1)).isEqualTo(3);
      assertThat(found.getInt(2)).isEqualTo(51);
    }
  }

  @Test
  void shouldGoOnAsWindowsAreCompletedAndAfterARestart(TestCluster cluster) throws Exception {
    create(cluster, "export-follow");
    Path file = folder.resolve("followed.csv");
    try (KafkaProducer<byte[], byte[]> producer = transactional(cluster, "export-follow")) {
      commit(
          producer,
          count("export-follow", 0, "north", 0, 10),
          marker("export-follow", 0, 1),
          marker("export-follow", 1, 1));
      try (BackgroundCommand following = follow(cluster, file)) {
        await().until(() -> lines(file) == 2);
        commit(producer, count("export-follow", 0, "north", 1, 11), marker("export-follow", 0, 2));
        commit(producer, count("export-follow", 1, "west", 1, 21), marker("export-follow", 1, 2));
        await().until(() -> lines(file) == 4);
        assertThat(following.isAlive()).isTrue();
      }
      commit(
          producer,
          count("export-follow", 1, "west", 2, 22),
          marker("export-follow", 0, 3),
          marker("export-follow", 1, 3));
      try (BackgroundCommand following = follow(cluster, file)) {
        await().until(() -> lines(file) == 5);
        assertThat(following.isAlive()).isTrue();
      }
    }
    Path whole = folder.resolve("whole.csv");
    export(cluster, "export-follow", whole);
    assertThat(Files.readString(file)).isEqualTo(Files.readString(whole));
  }

  private static BackgroundCommand follow(TestCluster cluster, Path file) throws Exception {
    return BackgroundCommand.start(
        "export",
        "export-follow",
        "--follow",
        "--to",
        file.toString(),
        "--bootstrap-servers",
        cluster.servers());
  }

  private static long lines(Path file) throws Exception {
    return Files.exists(file) ? Files.readString(file).lines().count() : 0;
  }

  @Test
  void shouldSayWhichTopicIsMissing(TestCluster cluster) throws Exception {
    cluster.createTopic("export-old", 1);
    try (KafkaProducer<byte[], byte[]> producer = transactional(cluster, "export-old")) {
      commit(producer, count("export-old", 0, "north", 0, 10));
    }
    CommandResult result =
        CommandResult.of(
            "export",
            "export-old",
            "--to",
            folder.resolve("old.csv").toString(),
            "--bootstrap-servers",
            cluster.servers());
    assertThat(result.code()).isNotZero();
    assertThat(result.err()).contains("export-old-released");
    assertThat(Files.list(folder)).isEmpty();
  }
}
