// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.schema.AbcCandidate;
import io.sfumato.schema.AbcDecision;
import io.sfumato.schema.ControlCommand;
import io.sfumato.schema.ControlEntry;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.context.Names;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Poison for the whole pipeline: whatever a producer, modeller or operator writes becomes a dead
 * letter, a refusal or data, and what comes behind it is released.
 */
class HostileBytesTest {
  /** Hostile inputs of each kind: nine thousand in all. */
  private static final int INPUTS = 3_000;

  private static final long DAYS = 10 * 86_400;

  private static final String YAML =
      """
      pipeline: test
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c], values: [x, y] }
      features: { bandwidth: 0.7, count: 20 }
      window: { size: 10s, grace: 2s }
      budget: { name: test, unit: record, epsilon: 2, delta: 1e-6 }
      releases:
        - abc: { name: coin, distance: features, threshold: 0.4, share: { epsilon: 2, delta: 1e-6 }, queries: 2 }
      """;

  private static final String CANDIDATE =
      "{\"output\":\"coin\",\"query_id\":\"q\",\"candidate\":0,\"candidates\":4,\"subject\":\"ann\","
          + "\"window_start\":\"2026-06-01T00:00:00Z\",\"parameters\":[1],\"values\":[[1,2]]}";

  /** Values of a field, as JSON. */
  private static final List<String> EXTREMES =
      List.of(
          "\"+999999999-01-01T00:00:00Z\"",
          "\"-999999999-01-01T00:00:00Z\"",
          "\"+292278994-08-17T07:12:55.807Z\"",
          "\"9999-12-31T23:59:50Z\"",
          "\"2026-06-01T00:00:00+18:00\"",
          "\"0000-00-00T00:00:00Z\"",
          "9223372036854775807",
          "-9223372036854775808",
          "9223372036854775808",
          "1e308",
          "1e999",
          "-1e-999",
          "1" + "0".repeat(99),
          "NaN",
          "2147483648",
          "-1",
          "null",
          "true",
          "\"\"",
          "\"\\ud800\"",
          "\"\\u0000\\u001b[2J\"",
          "\"" + "x".repeat(300) + "\"",
          "[".repeat(2_000) + "]".repeat(2_000),
          "[]",
          "[[]]",
          "[[1e308,1e308]]",
          "[[\"NaN\",1]]",
          "[null]",
          "{}",
          "{\"a\":".repeat(2_000) + "1" + "}".repeat(2_000),
          "2026-06-01");

  @TempDir Path dir;

  @Test
  void shouldRefuseACandidateOfAnInstantThatNoClockShows() {
    try (Fixture fixture = new Fixture(YAML, dir)) {
      candidate(
          fixture, text(CANDIDATE.replace("2026-06-01T00:00:00Z", "+999999999-01-01T00:00:00Z")));
      assertThat(fixture.deadLetters()).containsExactly("0:BAD_CANDIDATE");
      assertGoesOn(fixture);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, Long.MAX_VALUE, -1L << 62, 1L << 62})
  void shouldRefuseWindowsAndCommandsOfTimesThatOverflow(long millis) {
    Instant far = Instant.ofEpochMilli(millis);
    try (Fixture fixture = new Fixture(YAML, dir)) {
      candidate(
          fixture,
          Outputs.encode(
              AbcCandidate.newBuilder()
                  .setOutput("coin")
                  .setQueryId("q")
                  .setCandidate(0)
                  .setCandidates(4)
                  .setSubject("ann")
                  .setWindowStart(far)
                  .setParameters(List.of(1.0))
                  .setValues(List.of(List.of(1.0, 2.0)))
                  .build()));
      assertThat(fixture.deadLetters()).containsExactly("0:BAD_WINDOW");
      fixture.control(
          Outputs.encode(
              ControlEntry.newBuilder()
                  .setCommand(ControlCommand.ENROL)
                  .setSubject("ann")
                  .setFrom(far)
                  .build()));
      // Who is enrolled from ever is enrolled; nobody is from behind the last year.
      List<String> letters = millis < 0 ? List.of() : List.of("0:BAD_CONTROL");
      assertThat(fixture.deadLetters()).isEqualTo(letters);
      assertGoesOn(fixture);
    }
  }

  @Test
  void shouldGoOnBehindExtremeRecordsCandidatesAndCommands() {
    Random random = new Random(11);
    byte[][] records = {Fixture.json("ann", 1, "a"), RECORD};
    byte[][] candidates = {text(CANDIDATE), Outputs.encode(far(1))};
    byte[][] commands = {
      Outputs.encode(command(ControlCommand.ENROL)), Outputs.encode(command(ControlCommand.FORGET))
    };
    try (Fixture fixture = new Fixture(YAML, dir)) {
      for (int i = 0; i < INPUTS; i++) {
        int before = counted(fixture);
        fixture.send(null, hostile(records, random));
        assertThat(counted(fixture)).as("a record is accepted or refused").isEqualTo(++before);
        candidate(fixture, hostile(candidates, random));
        assertThat(counted(fixture)).as("a candidate").isBetween(before, before + 1);
        before = counted(fixture);
        fixture.control(hostile(commands, random));
        assertThat(counted(fixture)).as("a command").isBetween(before, before + 1);
        before = counted(fixture);
        tick(fixture, random);
        assertThat(counted(fixture)).as("a tick is refused").isEqualTo(before + 1);
        if (i % 1_000 == 0) {
          fixture.deadLetters();
        }
      }
      assertThat(counted(fixture))
          .as("commands that hold, and candidates that are answered, are not")
          .isGreaterThanOrEqualTo(2 * INPUTS);
      assertThat(fixture.counts.seen)
          .containsKeys(
              "MALFORMED", "BAD_CANDIDATE", "BAD_CONTROL", "BAD_TICK", "TIME_OUT_OF_RANGE");
      assertGoesOn(fixture);
    }
  }

  private static int counted(Fixture fixture) {
    return fixture.counts.seen.values().stream().mapToInt(n -> n).sum();
  }

  private static final byte[] RECORD =
      text("{\"who\":\"ann\",\"at\":\"2026-06-01T00:00:01Z\",\"what\":\"a\",\"x\":1,\"y\":2}");

  private static AbcCandidate far(long start) {
    return AbcCandidate.newBuilder()
        .setOutput("coin")
        .setQueryId("q")
        .setCandidate(0)
        .setCandidates(4)
        .setSubject("ann")
        .setWindowStart(Instant.ofEpochMilli(start))
        .setParameters(List.of(1.0))
        .setCounts(List.of(Long.MAX_VALUE, Long.MAX_VALUE))
        .build();
  }

  private static ControlEntry command(ControlCommand command) {
    return ControlEntry.newBuilder()
        .setCommand(command)
        .setSubject("zoe")
        .setFrom(Instant.ofEpochMilli(Fixture.NOW))
        .build();
  }

  /** A field's value replaced by an extreme one, or bytes changed. */
  private static byte[] hostile(byte[][] corpus, Random random) {
    byte[] bytes = corpus[random.nextInt(corpus.length)];
    if (bytes[0] != '{' || random.nextInt(4) == 0) {
      return Mutations.of(corpus, random.nextLong());
    }
    String json = new String(bytes, StandardCharsets.UTF_8);
    String[] fields = json.substring(1, json.length() - 1).split(",(?=\")");
    int at = random.nextInt(fields.length);
    String name = fields[at].substring(0, fields[at].indexOf(':'));
    fields[at] = name + ":" + EXTREMES.get(random.nextInt(EXTREMES.size()));
    return text("{" + String.join(",", fields) + "}");
  }

  /** A tick of any bytes, never one of a time that a tick may have. */
  private static void tick(Fixture fixture, Random random) {
    ByteArrayOutputStream value = new ByteArrayOutputStream();
    if (random.nextBoolean()) {
      long time = random.nextBoolean() ? Long.MAX_VALUE - random.nextInt() : random.nextInt(99);
      value.writeBytes(ByteBuffer.allocate(8).putLong(Long.MIN_VALUE ^ time).array());
    } else {
      value.writeBytes(text(EXTREMES.get(random.nextInt(EXTREMES.size()))));
    }
    RecordHeaders headers = new RecordHeaders();
    headers.add(Names.TICK_HEADER, random.nextInt(9) == 0 ? null : value.toByteArray());
    fixture
        .driver
        .createInputTopic("in", new ByteArraySerializer(), new ByteArraySerializer())
        .pipeInput(new TestRecord<>(null, null, headers, Fixture.NOW));
  }

  /** Records of a later time, which nothing hostile could reach, are asked about and answered. */
  private static void assertGoesOn(Fixture fixture) {
    fixture.records("coin");
    var in =
        fixture.driver.createInputTopic("in", new ByteArraySerializer(), new ByteArraySerializer());
    long later = Fixture.NOW + DAYS * 1000;
    for (int i = 0; i < 20; i++) {
      in.pipeInput(null, honest("bob", DAYS + 1), later);
    }
    candidate(
        fixture,
        Outputs.encode(
            AbcCandidate.newBuilder(far(later))
                .setQueryId("honest")
                .setSubject("bob")
                .setCandidates(1)
                .setCounts(null)
                .setValues(List.of(List.of(1.0, 2.0)))
                .build()));
    in.pipeInput(null, honest("bob", DAYS + 60), later);
    assertThat(fixture.records("coin"))
        .extracting(answer -> Outputs.decodeAny(answer.value()))
        .filteredOn(answer -> ((AbcDecision) answer).getQueryId().equals("honest"))
        .as("the honest answer, whatever others of theirs could be answered")
        .hasSize(1);
  }

  private static byte[] honest(String who, long second) {
    return text(
        "{\"who\":\"%s\",\"at\":%d,\"what\":\"a\",\"x\":1,\"y\":2}"
            .formatted(who, Fixture.NOW + second * 1000));
  }

  private static void candidate(Fixture fixture, byte[] value) {
    fixture
        .driver
        .createInputTopic("test-candidates", new ByteArraySerializer(), new ByteArraySerializer())
        .pipeInput(null, value, Fixture.NOW);
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
