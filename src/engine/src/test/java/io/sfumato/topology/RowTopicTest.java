// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static io.sfumato.topology.Fixture.YAML;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.release.PlanReport;
import io.sfumato.schema.DirichletRelease;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows of outputs in a topic of their own. */
class RowTopicTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String TEXT = "{\"type\":\"string\",\"optional\":false,\"field\":\"%s\"}";
  private static final String TIME =
      "{\"type\":\"int64\",\"optional\":false,\"name\":\"org.apache.kafka.connect.data.Timestamp\","
          + "\"version\":1,\"field\":\"%s\"}";

  @TempDir Path state;

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Test
  void shouldHaveKeysOfConnectWithoutNulls() {
    try (Fixture pipeline = new Fixture(YAML + "rows: true\n", state)) {
      pipeline.event("änn", 1, "a");
      pipeline.tick(20);
      String schema =
          "{\"schema\":{\"type\":\"struct\",\"fields\":["
              + String.join(
                  ",",
                  TEXT.formatted("subject"),
                  TIME.formatted("window_start"),
                  TIME.formatted("window_end"),
                  TEXT.formatted("output"),
                  TEXT.formatted("category"),
                  TEXT.formatted("measure"))
              + "],\"optional\":false,\"name\":\"io.sfumato.rows.RowKey\"},";
      String payload =
          "\"payload\":{\"subject\":\"änn\",\"window_start\":%d,\"window_end\":%d,\"output\":\"mix\",\"category\":\"%s\",\"measure\":\"%s\"}}";
      assertThat(pipeline.records("test.rows"))
          .extracting(row -> text(row.key()))
          .containsExactly(
              schema + payload.formatted(NOW, NOW + 10_000, "", "records"),
              schema + payload.formatted(NOW, NOW + 10_000, "a", "share"),
              schema + payload.formatted(NOW, NOW + 10_000, "b", "share"),
              schema + payload.formatted(NOW, NOW + 10_000, "c", "share"));
    }
  }

  @Test
  void shouldStateWhatTheReleaseStatesWithItsTimestamp() throws IOException {
    try (Fixture pipeline = new Fixture(YAML + "rows: true\n", state)) {
      pipeline.event("ann", 1, "a");
      pipeline.tick(20);
      List<ProducerRecord<byte[], byte[]>> rows = pipeline.records("test.rows");
      DirichletRelease release = pipeline.releases().get(0);
      List<Double> shares = new ArrayList<>();
      for (ProducerRecord<byte[], byte[]> row : rows) {
        JsonNode payload = JSON.readTree(row.value()).get("payload");
        assertThat(payload.get("released").asLong()).isEqualTo(row.timestamp());
        assertThat(payload.get("version").asInt()).isEqualTo(1);
        if (payload.get("measure").asText().equals("share")) {
          shares.add(payload.get("value").asDouble());
          assertThat(payload.get("noise").asText()).isEqualTo("dirichlet");
          assertThat(payload.get("noise_scope").asText()).isEqualTo("window");
        } else {
          assertThat(payload.get("value").asLong()).isEqualTo(release.getRecords());
          assertThat(payload.get("noise").isNull()).isTrue();
        }
      }
      assertThat(shares).isEqualTo(release.getProbabilities());
    }
  }

  @Test
  void shouldDescribeEveryColumnInTheSchema() throws IOException {
    try (Fixture pipeline = new Fixture(YAML + "rows: true\n", state)) {
      pipeline.event("ann", 1, "a");
      pipeline.tick(20);
      JsonNode row = JSON.readTree(pipeline.records("test.rows").get(0).value());
      List<String> described = new ArrayList<>();
      row.get("schema").get("fields").forEach(field -> described.add(field.get("field").asText()));
      List<String> present = new ArrayList<>();
      row.get("payload").properties().forEach(field -> present.add(field.getKey()));
      assertThat(present).isEqualTo(described);
      row.get("schema")
          .get("fields")
          .forEach(
              field ->
                  assertThat(
                          field.get("optional").asBoolean()
                              || !row.get("payload").get(field.get("field").asText()).isNull())
                      .as("%s", field)
                      .isTrue());
    }
  }

  @Test
  void shouldBeNamedByThePlan() {
    String words = "rows of all outputs -> topic test.rows";
    assertThat(PlanReport.text(Fixture.plan(YAML + "rows: true\n"))).contains(words);
    assertThat(PlanReport.text(Fixture.plan(YAML))).doesNotContain(words);
  }

  @Test
  void shouldChangeNothingElse() {
    assertThat(Fixture.plan(YAML + "rows: true\n").digest()).isEqualTo(Fixture.plan(YAML).digest());
    try (Fixture pipeline = new Fixture(YAML, state)) {
      pipeline.event("ann", 1, "a");
      pipeline.tick(20);
      assertThat(pipeline.records("test.rows")).isEmpty();
    }
  }
}
