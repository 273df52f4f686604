// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.serde.registry.SchemaRegistry;
import io.sfumato.serde.registry.StubRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever may register schemas cannot end the pipeline that meets them. */
class HostileSchemasTest {
  private static final int HONEST = 1;

  private static final String VISIT =
      "{\"type\":\"record\",\"name\":\"Visit\",\"fields\":["
          + "{\"name\":\"who\",\"type\":\"string\"%s},"
          + "{\"name\":\"at\",\"type\":\"long\"%s},"
          + "{\"name\":\"what\",\"type\":\"string\"}%s]%s}";

  private static final String PLAIN = VISIT.formatted("", "", "", "");

  /** Attributes that are no good, and schemas that are too much of it. */
  private static final List<String> HOSTILE =
      List.of(
          VISIT.formatted(",\"order\":\"zzz\"", "", "", ""),
          VISIT.formatted(",\"order\":5", "", "", ""),
          VISIT.formatted(",\"aliases\":[1,null]", "", "", ""),
          VISIT.formatted(",\"aliases\":7", "", "", ""),
          VISIT.formatted("", ",\"default\":\"x\"", "", ""),
          VISIT.formatted("", "", ",{\"name\":\"who\",\"type\":\"int\"}", ""),
          VISIT.formatted("", "", ",{\"name\":\"\",\"type\":\"int\"}", ""),
          VISIT.formatted("", "", ",{\"name\":null,\"type\":null}", ""),
          VISIT.formatted("", "", ",5", ""),
          VISIT.formatted(
              "",
              "",
              ",{\"name\":\"f\",\"type\":{\"type\":\"fixed\",\"name\":\"F\",\"size\":-1}}",
              ""),
          VISIT.formatted(
              "",
              "",
              ",{\"name\":\"f\",\"type\":{\"type\":\"fixed\",\"name\":\"F\",\"size\":2147483647}}",
              ""),
          VISIT.formatted(
              "",
              "",
              ",{\"name\":\"f\",\"type\":{\"type\":\"fixed\",\"name\":\"F\",\"size\":1e99}}",
              ""),
          VISIT.formatted(
              "",
              "",
              ",{\"name\":\"e\",\"type\":{\"type\":\"enum\",\"name\":\"E\",\"symbols\":[\"a\",\"a\"]}}",
              ""),
          VISIT.formatted("", "", ",{\"name\":\"u\",\"type\":[[\"null\"],\"null\",\"null\"]}", ""),
          VISIT.formatted(
              "",
              "",
              ",{\"name\":\"d\",\"type\":{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":-1}}",
              ""),
          VISIT.formatted("", "", ",{\"name\":\"n\",\"type\":\"Nobody\"}", ""),
          VISIT.formatted("", "", ",{\"name\":\"deep\",\"type\":" + nested(3_000) + "}", ""),
          VISIT.formatted("", "", "", ",\"doc\":\"" + "d".repeat(3 << 20) + "\""),
          VISIT.formatted("", "", "", ",\"x\":" + "[".repeat(5_000) + "]".repeat(5_000)),
          VISIT.formatted("", "", ",{\"name\":\"next\",\"type\":[\"null\",\"Visit\"]}", ""),
          "{\"type\":\"record\",\"name\":\"Visit\",\"fields\":{}}",
          "{\"type\":{\"type\":{\"type\":null}}}",
          "[" + "\"null\",".repeat(10_000) + "\"null\"]",
          "\"string\"",
          "7",
          "null",
          "");

  private static final String YAML =
      """
      pipeline: test
      version: 1
      input: { topic: in, format: avro, subject: who, time: at, category: what, categories: [a, b, c], max-bytes: 1000000 }
      window: { size: 10s, grace: 2s, clock: records }
      budget: { name: test, unit: record, epsilon: 2, delta: 1e-6, period: lifetime }
      releases:
        - histogram: { name: mix, share: { epsilon: 2, delta: 1e-6 }, windows: 2 }
      """;

  private final Fixture.Counts counts = new Fixture.Counts();
  private StubRegistry stub;

  @TempDir Path dir;

  @BeforeEach
  void start() throws Exception {
    stub = new StubRegistry();
    stub.schema(HONEST, PLAIN);
    for (int i = 0; i < HOSTILE.size(); i++) {
      stub.schema(HONEST + 1 + i, HOSTILE.get(i));
    }
  }

  @AfterEach
  void stop() {
    stub.close();
  }

  @Test
  void shouldGoOnBehindWhateverARegistrySaysASchemaIs() throws Exception {
    Random random = new Random(12);
    try (TopologyTestDriver driver = driver()) {
      TestInputTopic<byte[], byte[]> in =
          driver.createInputTopic("in", new ByteArraySerializer(), new ByteArraySerializer());
      List<Integer> usable = new ArrayList<>();
      for (int i = 0; i < HOSTILE.size(); i++) {
        Map<String, Integer> before = Map.copyOf(counts.seen);
        in.pipeInput(null, visit(HONEST + 1 + i, 1), Fixture.NOW);
        String verdict = onlyChange(before, counts.seen);
        assertThat(verdict)
            .as(HOSTILE.get(i).substring(0, Math.min(200, HOSTILE.get(i).length())))
            .isIn("accepted", "UNKNOWN_SCHEMA", "SCHEMA_MISMATCH", "MALFORMED");
        if (verdict.equals("accepted")) {
          usable.add(i);
        }
        byte[] noise = new byte[random.nextInt(2_000)];
        random.nextBytes(noise);
        in.pipeInput(null, framed(HONEST + 1 + i, noise), Fixture.NOW);
      }
      assertThat(usable)
          .as("'order' is none of those that are read all the same")
          .doesNotContain(0);
      assertThat(counts.seen).containsKeys("UNKNOWN_SCHEMA", "SCHEMA_MISMATCH", "MALFORMED");
      assertReleases(driver, in);
    }
  }

  private static String onlyChange(Map<String, Integer> before, Map<String, Integer> after) {
    List<String> changed =
        after.keySet().stream().filter(code -> !after.get(code).equals(before.get(code))).toList();
    assertThat(changed).hasSize(1);
    return changed.get(0);
  }

  /** A list of records that refer to themselves, as deep as a record is long. */
  @Test
  void shouldGoOnBehindARecordThatNestsAsDeepAsItIsLong() throws Exception {
    try (TopologyTestDriver driver = driver()) {
      TestInputTopic<byte[], byte[]> in =
          driver.createInputTopic("in", new ByteArraySerializer(), new ByteArraySerializer());
      int recursive =
          HONEST
              + 1
              + IntStream.range(0, HOSTILE.size())
                  .filter(i -> HOSTILE.get(i).contains("\"next\""))
                  .findFirst()
                  .orElseThrow();
      byte[] one = visit(recursive, 1);
      ByteArrayOutputStream deep = new ByteArrayOutputStream();
      deep.write(one, 0, 5);
      // Subject, time and category, then that there is another one.
      byte[] link = new byte[one.length - 5 + 1];
      System.arraycopy(one, 5, link, 0, one.length - 5);
      link[link.length - 1] = 2;
      while (deep.size() + link.length < 999_000) {
        deep.writeBytes(link);
      }
      in.pipeInput(null, deep.toByteArray(), Fixture.NOW);
      assertThat(counts.seen).containsOnlyKeys("MALFORMED");
      assertReleases(driver, in);
    }
  }

  private void assertReleases(TopologyTestDriver driver, TestInputTopic<byte[], byte[]> in)
      throws IOException {
    int before = counts.seen.getOrDefault("accepted", 0);
    in.pipeInput(null, visit(HONEST, 1), Fixture.NOW);
    in.pipeInput(null, visit(HONEST, 30), Fixture.NOW);
    assertThat(counts.seen).containsEntry("accepted", before + 2);
    for (int turn = 0; turn < 50; turn++) {
      driver.advanceWallClockTime(Duration.ofMillis(10));
    }
    assertThat(
            driver
                .createOutputTopic("mix", new ByteArrayDeserializer(), new ByteArrayDeserializer())
                .readValuesToList())
        .isNotEmpty();
  }

  private TopologyTestDriver driver() {
    Properties config = new Properties();
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
    config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "unused:1");
    config.put(StreamsConfig.STATE_DIR_CONFIG, dir.toString());
    return new TopologyTestDriver(
        PipelineTopology.build(
            Fixture.plan(YAML),
            Fixture.deployment(1, counts).with(new SchemaRegistry(stub.settings()))),
        config,
        Instant.ofEpochMilli(Fixture.NOW));
  }

  private static byte[] visit(int id, long second) throws IOException {
    Schema schema = new Schema.Parser().parse(PLAIN);
    GenericRecord visit =
        new GenericRecordBuilder(schema)
            .set("who", "ann")
            .set("at", Fixture.NOW + second * 1000)
            .set("what", "a")
            .build();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
    new GenericDatumWriter<GenericRecord>(schema).write(visit, encoder);
    encoder.flush();
    return framed(id, bytes.toByteArray());
  }

  private static byte[] framed(int id, byte[] fields) {
    return ByteBuffer.allocate(5 + fields.length).put((byte) 0).putInt(id).put(fields).array();
  }

  private static String nested(int depth) {
    return "{\"type\":\"array\",\"items\":".repeat(depth) + "\"int\"" + "}".repeat(depth);
  }
}
