// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Rows reach a database as the guide says: a real Kafka Connect, Debezium's sink, PostgreSQL. */
@ExtendWith(SharedBroker.class)
@Tag("release")
class SinkIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Instant BEGIN = Instant.parse("2026-11-02T00:00:00Z");
  private static final String TOPIC = "sink-usage.rows";
  private static final String TABLE = "releases";

  /** Columns with the types of a row's value, and whether they may be null. */
  private static final List<Column> COLUMNS =
      List.of(
          new Column("subject", "string", false),
          new Column("window_start", "time", false),
          new Column("window_end", "time", false),
          new Column("output", "string", false),
          new Column("category", "string", false),
          new Column("measure", "string", false),
          new Column("value", "double", false),
          new Column("low", "double", true),
          new Column("high", "double", true),
          new Column("deviation", "double", true),
          new Column("noise", "string", true),
          new Column("unknown", "boolean", false),
          new Column("clamped", "boolean", false),
          new Column("left_out", "double", true),
          new Column("version", "int64", false),
          new Column("released", "time", false),
          new Column("noise_scope", "string", true));

  private record Column(String name, String type, boolean isOptional) {}

  @TempDir Path folder;

  private static Path programs;

  @BeforeAll
  static void needPrograms() throws Exception {
    assumeTrue(
        Postgres.programs().isPresent(), "no PostgreSQL: install Debian's package postgresql");
    assumeTrue(ConnectWorker.isThere(), "no Kafka Connect: build with -Dconnect.skip=false");
    programs = Postgres.programs().orElseThrow();
  }

  @Test
  void shouldUpsertCommittedRowsOnce(TestCluster cluster) throws Exception {
    cluster.createTopic(TOPIC, 2);
    try (Postgres postgres = Postgres.start(programs);
        KafkaProducer<byte[], byte[]> producer = producer(cluster)) {
      producer.initTransactions();
      write(producer, 0, 10, 100, true);
      write(producer, 10, 20, 999, false);
      Map<String, String> sink = sink(postgres);
      ConnectWorker first = ConnectWorker.start(folder, cluster.servers(), sink);
      try {
        awaitRows(postgres, first, 20);
      } finally {
        // Its offsets are not committed: whoever comes next writes these rows again.
        first.kill();
      }
      write(producer, 10, 20, 200, true);
      // A release that is published again has the same key.
      write(producer, 0, 5, 100, true);
      write(producer, 20, 30, 999, false);
      try (ConnectWorker second = ConnectWorker.start(folder, cluster.servers(), sink)) {
        awaitRows(postgres, second, 40);
      }
      write(producer, 20, 25, 300, true);
      try (ConnectWorker third = ConnectWorker.start(folder, cluster.servers(), sink)) {
        awaitRows(postgres, third, 50);
      }
      checkTable(postgres);
      checkDashboard(postgres);
    }
  }

  private void checkTable(Postgres postgres) throws Exception {
    assertThat(
            postgres.query(
                "SELECT count(*), count(DISTINCT (output, subject, window_start, window_end,"
                    + " category, measure)) FROM "
                    + TABLE))
        .as("one row a key")
        .isEqualTo("50|50");
    assertThat(postgres.query("SELECT count(*) FROM " + TABLE + " WHERE value >= 999"))
        .as("rows of aborted transactions")
        .isEqualTo("0");
    assertThat(
            postgres.query(
                "SELECT subject, window_start, category, value, low, high,"
                    + " deviation IS NULL, unknown, version FROM "
                    + TABLE
                    + " WHERE category = '' ORDER BY window_start LIMIT 1"))
        .isEqualTo("east|2026-11-02 00:00:00||100|96|104|t|f|1");
    assertThat(
            postgres.query(
                "SELECT string_agg(a.attname, ' ' ORDER BY a.attnum) FROM pg_index i"
                    + " JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)"
                    + " WHERE i.indisprimary AND i.indrelid = '"
                    + TABLE
                    + "'::regclass"))
        .as("primary key")
        .contains("subject", "window_start", "category", "measure");
  }

  /** The dashboard's queries, with the values that Grafana would put in. */
  private void checkDashboard(Postgres postgres) throws Exception {
    JsonNode board = JSON.readTree(Path.of("docker/grafana/dashboards/releases.json").toFile());
    Map<String, String> chosen = new HashMap<>();
    for (JsonNode variable : board.at("/templating/list")) {
      if (variable.path("type").asText().equals("query")) {
        String sql = filled(variable.path("query").asText(), chosen);
        List<String> found = postgres.query(sql).lines().toList();
        String name = variable.path("name").asText();
        assertThat(name.equals("group") || !found.isEmpty()).as(sql).isTrue();
        chosen.put(name, name.equals("group") ? "web" : found.get(0));
      }
    }
    assertThat(chosen)
        .containsEntry("table", TABLE)
        .containsEntry("output", "usage")
        .containsEntry("subject", "east")
        .containsEntry("measure", "count");
    List<String> found = new ArrayList<>();
    for (JsonNode panel : board.path("panels")) {
      String sql = filled(panel.at("/targets/0/rawSql").asText(), chosen);
      found.add(postgres.query(sql));
    }
    assertThat(found.get(0).lines()).as("a band of one group").hasSize(25);
    assertThat(found.get(0)).startsWith("2026-11-02 09:00:00+09|100|96|104");
    assertThat(found.get(1).lines()).as("a table of all").hasSize(50);
  }

  private static String filled(String sql, Map<String, String> chosen) {
    String text =
        sql.replaceAll(
            "\\$__timeFilter\\((\\([^)]*\\))\\)", "$1 BETWEEN '2026-01-01' AND '2027-01-01'");
    for (Map.Entry<String, String> one : chosen.entrySet()) {
      text =
          text.replace("${" + one.getKey() + ":raw}", one.getValue())
              .replace("${" + one.getKey() + ":sqlstring}", "'" + one.getValue() + "'");
    }
    return text;
  }

  private void awaitRows(Postgres postgres, ConnectWorker worker, int rows) throws Exception {
    await()
        .atMost(TestCluster.PATIENCE)
        .ignoreExceptions()
        .until(
            () ->
                !worker.isAlive()
                    || postgres
                        .query("SELECT count(*) FROM " + TABLE)
                        .equals(Integer.toString(rows)));
    assertThat(worker.isAlive()).as(Files.readString(folder.resolve("connect.log"))).isTrue();
  }

  private static Map<String, String> sink(Postgres postgres) {
    Map<String, String> sink = new HashMap<>();
    sink.put("name", "rows-to-postgres");
    sink.put("connector.class", "io.debezium.connector.jdbc.JdbcSinkConnector");
    sink.put("topics", TOPIC);
    sink.put("connection.url", postgres.url());
    sink.put("connection.username", "sfumato");
    sink.put("connection.password", "none");
    sink.put("insert.mode", "upsert");
    sink.put("primary.key.mode", "record_key");
    sink.put("schema.evolution", "basic");
    sink.put("collection.name.format", TABLE);
    sink.put("consumer.override.isolation.level", "read_committed");
    sink.put("consumer.override.auto.offset.reset", "earliest");
    return sink;
  }

  private static KafkaProducer<byte[], byte[]> producer(TestCluster cluster) {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", cluster.servers(), "transactional.id", "sink-usage"),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  /** Rows of windows, two categories each, in one transaction. */
  private static void write(
      KafkaProducer<byte[], byte[]> producer, int from, int to, double value, boolean commits)
      throws Exception {
    producer.beginTransaction();
    for (int day = from; day < to; day++) {
      for (String category : List.of("", "web")) {
        ObjectNode row = row(day, category, value);
        producer
            .send(
                new ProducerRecord<>(
                    TOPIC, envelope("RowKey", true, row), envelope("Row", false, row)))
            .get();
      }
    }
    if (commits) {
      producer.commitTransaction();
    } else {
      producer.abortTransaction();
    }
  }

  private static ObjectNode row(int day, String category, double value) {
    Instant start = BEGIN.plus(day, ChronoUnit.DAYS);
    return JSON.createObjectNode()
        .put("subject", "east")
        .put("window_start", start.toEpochMilli())
        .put("window_end", start.plus(1, ChronoUnit.DAYS).toEpochMilli())
        .put("output", "usage")
        .put("category", category)
        .put("measure", "count")
        .put("value", value)
        .put("low", value - 4)
        .put("high", value + 4)
        .putNull("deviation")
        .put("noise", "discrete-laplace")
        .put("unknown", false)
        .put("clamped", false)
        .putNull("left_out")
        .put("version", 1)
        .put("released", start.plus(26, ChronoUnit.HOURS).toEpochMilli())
        .put("noise_scope", "row");
  }

  private static byte[] envelope(String name, boolean isKey, ObjectNode row) {
    ObjectNode whole = JSON.createObjectNode();
    ObjectNode schema = whole.putObject("schema").put("type", "struct");
    ArrayNode fields = schema.putArray("fields");
    ObjectNode payload = whole.putObject("payload");
    for (Column column : COLUMNS) {
      ObjectNode field = JSON.createObjectNode();
      field.put("type", column.type().equals("time") ? "int64" : column.type());
      field.put("optional", column.isOptional());
      if (column.type().equals("time")) {
        field.put("name", "org.apache.kafka.connect.data.Timestamp").put("version", 1);
      }
      fields.add(field.put("field", column.name()));
      payload.set(column.name(), row.get(column.name()));
      if (isKey && column.name().equals("measure")) {
        break;
      }
    }
    schema.put("optional", false).put("name", "io.sfumato.rows." + name);
    return whole.toString().getBytes(StandardCharsets.UTF_8);
  }
}
