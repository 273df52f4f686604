// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.release.Releases;
import io.sfumato.rows.PublishedRow;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import io.sfumato.schema.AbcDecision;
import io.sfumato.schema.CountRelease;
import io.sfumato.schema.Guarantees;
import io.sfumato.schema.ReleasedThrough;
import io.sfumato.serde.Outputs;
import io.sfumato.serde.RowEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
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
    return record(topic, partition, count(topic, "sold", subject, day, value));
  }

  private static CountRelease count(
      String pipeline, String output, String subject, int day, long value) {
    Instant start = DAY.plus(Duration.ofDays(day));
    return CountRelease.newBuilder()
        .setReleaseId(subject + day)
        .setPipeline(pipeline)
        .setOutput(output)
        .setSubject(subject)
        .setWindowStart(start)
        .setWindowEnd(start.plus(Duration.ofDays(1)))
        .setSince(start)
        .setCategories(List.of())
        .setCounts(List.of(value))
        .setError95(5)
        .setGuarantee(Guarantees.any().setMechanism("discrete-gaussian sigma^2=9216/2^10").build())
        .build();
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
    assertThat(consume(cluster, "export-shop-released", "table"))
        .contains("partition 0 of 2: all windows that end by 2026-11-05 00:00 are released");
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

  /** A day is one of --zone, or of the files; windows of the topic start at 0:00 UTC. */
  @Test
  void shouldTakeDaysOfTheZone(TestCluster cluster) throws Exception {
    create(cluster, "export-zones");
    try (KafkaProducer<byte[], byte[]> producer = transactional(cluster, "export-zones")) {
      commit(
          producer,
          count("export-zones", 0, "second", 0, 10),
          count("export-zones", 0, "third", 1, 11),
          count("export-zones", 0, "fourth", 2, 12),
          marker("export-zones", 0, 3),
          marker("export-zones", 1, 3));
    }
    Path berlin = Path.of("topology/branches.yaml");
    Path lima =
        Files.writeString(
            folder.resolve("lima.yaml"),
            Files.readString(berlin).replace("zone: Europe/Berlin", "zone: America/Lima"));
    assertThat(subjects(cluster)).containsExactly("third");
    assertThat(subjects(cluster, "--zone=Europe/Berlin")).containsExactly("third");
    assertThat(subjects(cluster, "--zone=America/Lima")).containsExactly("fourth");
    assertThat(subjects(cluster, "--file=" + lima)).containsExactly("fourth");
    assertThat(subjects(cluster, "--file=" + lima, "--zone=UTC")).containsExactly("third");
    CommandResult two = between(cluster, "--file=" + lima, "--file=" + berlin);
    assertThat(two.code()).isEqualTo(2);
    assertThat(two.err())
        .contains("the pipeline files have the zones America/Lima, Europe/Berlin: give --zone");
    assertThat(subjects(cluster, "--file=" + lima, "--file=" + berlin, "--zone=America/Lima"))
        .containsExactly("fourth");
  }

  private List<String> subjects(TestCluster cluster, String... options) throws Exception {
    CommandResult result = between(cluster, options);
    assertThat(result.code()).as(result.text()).isZero();
    return firstCells(folder.resolve("zones.csv"), 0);
  }

  /** From 3 November on, and before 4 November. */
  private CommandResult between(TestCluster cluster, String... options) {
    String[] range = {"--from=2026-11-03", "--until=2026-11-04", "export-zones"};
    String[] both = Stream.of(options, range).flatMap(Stream::of).toArray(String[]::new);
    Path file = folder.resolve("zones.csv");
    return CommandResult.of(
        arguments(cluster, file, both[0], Arrays.copyOfRange(both, 1, both.length)));
  }

  private static BackgroundCommand follow(TestCluster cluster, Path file) {
    return follow(cluster, file, "export-follow");
  }

  private static BackgroundCommand follow(TestCluster cluster, Path file, String... topics) {
    return BackgroundCommand.start(arguments(cluster, file, "--follow", topics));
  }

  private static String[] arguments(
      TestCluster cluster, Path file, String option, String... topics) {
    return Stream.of(
            Stream.of("export", option, "--to", file.toString()),
            Stream.of("--bootstrap-servers", cluster.servers()),
            Stream.of(topics))
        .flatMap(some -> some)
        .toArray(String[]::new);
  }

  private static List<String> firstCells(Path file, int place) throws Exception {
    return Files.exists(file)
        ? Files.readString(file).lines().skip(1).map(line -> line.split(",")[place]).toList()
        : List.of();
  }

  @Test
  void shouldHaveOneOrderOfWindowsWhenATopicHasItsFirstReleaseLater(TestCluster cluster)
      throws Exception {
    create(cluster, "export-daily");
    create(cluster, "export-late");
    Path file = folder.resolve("both.csv");
    try (KafkaProducer<byte[], byte[]> producer = transactional(cluster, "export-order")) {
      commit(
          producer,
          count("export-daily", 0, "north", 0, 10),
          count("export-daily", 1, "north", 1, 11),
          marker("export-daily", 0, 2),
          marker("export-daily", 1, 2));
      try (BackgroundCommand following = follow(cluster, file, "export-daily", "export-late")) {
        following.awaitText("topic 'export-late' has no release yet");
        following.awaitText("--file");
        assertThat(firstCells(file, 0)).as("nothing may come before it").isEmpty();
        commit(
            producer,
            record("export-late", 0, count("export-late", "lost", "east", 0, 5)),
            record("export-late", 0, count("export-late", "lost", "east", 1, 6)),
            marker("export-late", 0, 1),
            marker("export-late", 1, 1));
        await().until(() -> firstCells(file, 0).equals(List.of("east", "north")));
        commit(producer, marker("export-late", 0, 2), marker("export-late", 1, 2));
        await().until(() -> firstCells(file, 0).equals(List.of("east", "north", "east", "north")));
        assertThat(following.isAlive()).isTrue();
      }
    }
    Path whole = folder.resolve("both-whole.csv");
    CommandResult at =
        CommandResult.of(
            arguments(cluster, whole, "--from=2026-11-01", "export-daily", "export-late"));
    assertThat(at.code()).as(at.text()).isZero();
    assertThat(Files.readString(file)).isEqualTo(Files.readString(whole));
    CommandResult other = CommandResult.of(arguments(cluster, file, "--follow", "export-late"));
    assertThat(other.code()).isEqualTo(3);
    assertThat(other.err())
        .contains("cannot be continued")
        .contains("output 'sold'")
        .contains("write to a new file");
    assertThat(Files.readString(file)).as("as it was").isEqualTo(Files.readString(whole));
  }

  @Test
  void shouldSayWhichTopicsLackTheirFirstRecords(TestCluster cluster) throws Exception {
    create(cluster, "export-cut");
    try (KafkaProducer<byte[], byte[]> producer = transactional(cluster, "export-cut")) {
      commit(
          producer,
          count("export-cut", 0, "north", 0, 10),
          count("export-cut", 0, "north", 1, 11),
          marker("export-cut", 0, 2),
          marker("export-cut", 1, 2));
    }
    Path file = folder.resolve("cut.csv");
    assertThat(export(cluster, "export-cut", file).err()).doesNotContain("deleted");
    try (Admin admin = cluster.client()) {
      admin
          .deleteRecords(
              Map.of(new TopicPartition("export-cut", 0), RecordsToDelete.beforeOffset(1)))
          .all()
          .get();
    }
    Path rest = folder.resolve("rest.csv");
    assertThat(export(cluster, "export-cut", rest).err())
        .contains(
            "Kafka has deleted the first records of export-cut", "leave them out with --from");
    assertThat(Files.readString(rest)).contains("2026-11-03").doesNotContain("2026-11-02T");
  }

  @Test
  void shouldNotWaitForAnEmptyTopicOfAPipelineThatIsKnown(TestCluster cluster) throws Exception {
    create(cluster, "export-known");
    cluster.createTopic("export-rare", 1);
    Path pipeline =
        Files.writeString(
            folder.resolve("known.yaml"),
            """
            pipeline: export-known
            version: 1
            input: {topic: usage, subject: country, user: account, time: at, category: app, categories: [web, tv]}
            contributions: {per-window: 1, subjects: 1}
            subjects: [north]
            window: {size: 1d, grace: 2h, clock: ticks, begin: 2026-11-02}
            budget: {name: known, unit: user, epsilon: 2, delta: 1e-6, period: window}
            releases:
              - count: {name: export-known, share: {epsilon: 1, delta: 5e-7}}
              - count: {name: export-rare, share: {epsilon: 1, delta: 5e-7}}
            """);
    Path file = folder.resolve("known.csv");
    try (KafkaProducer<byte[], byte[]> producer = transactional(cluster, "export-known")) {
      commit(
          producer,
          count("export-known", 0, "north", 0, 10),
          marker("export-known", 0, 1),
          marker("export-known", 1, 1));
      try (BackgroundCommand following =
          follow(cluster, file, "export-known", "export-rare", "--file", pipeline.toString())) {
        await().until(() -> firstCells(file, 0).equals(List.of("north")));
        assertThat(following.isAlive()).isTrue();
      }
    }
  }

  @Test
  void shouldReportAReleaseThatComesAfterItsWindowWasWritten(TestCluster cluster) throws Exception {
    create(cluster, "export-after");
    Path file = folder.resolve("after.csv");
    try (KafkaProducer<byte[], byte[]> producer = transactional(cluster, "export-after");
        BackgroundCommand following = follow(cluster, file, "export-after")) {
      commit(
          producer,
          count("export-after", 0, "north", 0, 10),
          marker("export-after", 0, 1),
          marker("export-after", 1, 1));
      await().until(() -> firstCells(file, 0).equals(List.of("north")));
      commit(producer, count("export-after", 1, "east", 0, 20));
      CommandResult result = following.awaitEnd();
      assertThat(result.code()).isEqualTo(1);
      assertThat(result.err())
          .contains("a release that came after its window, which starts 2026-11-02T00:00:00Z,");
    }
    assertThat(firstCells(file, 0)).as("what was complete").containsExactly("north");
    CommandResult again = CommandResult.of(arguments(cluster, file, "--follow", "export-after"));
    assertThat(again.code()).isEqualTo(3);
    assertThat(again.err()).contains("differs from the topics at output 'sold', subject 'east'");
  }

  @Test
  void shouldRefuseTopicsThatAreNoReleasesOfWindows(TestCluster cluster) throws Exception {
    create(cluster, "export-answers");
    cluster.createTopic("export-shop.rows", 1);
    PublishedRow row =
        PublishedRow.of(
                Releases.viewOf(count("shop", "sold", "north", 0, 10))
                    .orElseThrow()
                    .rows(count("shop", "sold", "north", 0, 10), Optional.empty()),
                DAY)
            .get(0);
    try (KafkaProducer<byte[], byte[]> producer = transactional(cluster, "export-answers")) {
      commit(
          producer,
          record("export-answers", 0, answer()),
          marker("export-answers", 0, 1),
          new ProducerRecord<>("export-shop.rows", RowEncoder.json(List.of()).value(row)));
    }
    Path file = folder.resolve("none.csv");
    CommandResult answers =
        CommandResult.of(arguments(cluster, file, "--from=2026-11-01", "export-answers"));
    assertThat(answers.code()).isEqualTo(2);
    assertThat(answers.err()).contains("sfumato consume export-answers -o csv");
    CommandResult rows =
        CommandResult.of(arguments(cluster, file, "--from=2026-11-01", "export-shop.rows"));
    assertThat(rows.code()).isEqualTo(2);
    assertThat(rows.err()).contains("Export the topics of the outputs instead");
    CommandResult markers =
        CommandResult.of(arguments(cluster, file, "--from=2026-11-01", "export-answers-released"));
    assertThat(markers.code()).isEqualTo(2);
    assertThat(markers.err()).contains("it has a ReleasedThrough. Print its records");
    assertThat(Files.exists(file)).isFalse();
    assertThat(consume(cluster, "export-shop.rows", "table"))
        .contains("2026-11-02 00:00  north        sold  count 10 (5 to 15)");
    assertThat(consume(cluster, "export-shop.rows", "json"))
        .startsWith("{\"subject\":\"north\",")
        .contains("\"measure\":\"count\",\"value\":10,");
    assertThat(consume(cluster, "export-shop.rows", "csv"))
        .contains("north,2026-11-02T00:00:00Z,2026-11-03T00:00:00Z,sold,count,10,5,15,3.0,");
    assertThat(consume(cluster, "export-answers", "json")).startsWith("{\"type\":\"AbcDecision\",");
  }

  private static String consume(TestCluster cluster, String topic, String format) {
    CommandResult result =
        CommandResult.of("consume", topic, "-o", format, "--bootstrap-servers", cluster.servers());
    assertThat(result.code()).as(result.text()).isZero();
    assertThat(result.err()).doesNotContain("left out");
    return result.out();
  }

  private static AbcDecision answer() {
    return AbcDecision.newBuilder()
        .setReleaseId("a")
        .setPipeline("export-answers")
        .setOutput("check")
        .setQueryId("q")
        .setCandidate(0)
        .setCandidates(1)
        .setSubject("north")
        .setWindowStart(DAY)
        .setWindowEnd(DAY.plus(Duration.ofDays(1)))
        .setRecords(3)
        .setParameters(List.of())
        .setThreshold(1)
        .setNoiseScale(1)
        .setAccepted(true)
        .setGuarantee(Guarantees.any().setMechanism("rejection-query").build())
        .build();
  }

  private static long lines(Path file) throws Exception {
    return Files.exists(file) ? Files.readString(file).lines().count() : 0;
  }

  @Test
  void shouldSayWhichWindowsThereAreWhenNoneIsWanted(TestCluster cluster) throws Exception {
    create(cluster, "export-range");
    try (KafkaProducer<byte[], byte[]> producer = transactional(cluster, "export-range")) {
      commit(
          producer,
          count("export-range", 0, "north", 1, 11),
          count("export-range", 0, "north", 0, 10),
          count("export-range", 0, "north", 2, 12),
          marker("export-range", 0, 3),
          marker("export-range", 1, 3));
    }
    CommandResult result =
        CommandResult.of(
            "export",
            "export-range",
            "--from",
            "2027-03-30",
            "--to",
            folder.resolve("range.csv").toString(),
            "--bootstrap-servers",
            cluster.servers());
    assertThat(result.code()).as(result.text()).isZero();
    assertThat(result.err())
        .contains("0 rows to ")
        .contains(
            "windows outside that range start from %s to %s"
                .formatted(DAY, DAY.plus(Duration.ofDays(2))));
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
