// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.PipelineFile;
import io.sfumato.serde.SchemaSource;
import io.sfumato.topology.context.Names;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

/** Records of a topic, as intake will judge them. */
class RehearsalTest {
  private static final Instant NOW = Instant.parse("2026-02-01T00:00:00Z");

  private static Pipeline pipeline(String more) throws Exception {
    return PipelineFile.parse(
        "p",
        """
        pipeline: p
        input: { topic: t, subject: user.id, time: at, category: kind, categories: [a, b], other: rest }
        window: { size: 1h %s }
        budget: { name: p, unit: record, epsilon: 2, delta: 1e-6, period: window }
        releases: [ { histogram: { name: mix, share: { epsilon: 2, delta: 1e-6 }, plan-size: 20 } } ]
        """
            .formatted(more));
  }

  private static ConsumerRecord<byte[], byte[]> record(String value) {
    ConsumerRecord<byte[], byte[]> record =
        new ConsumerRecord<>(
            "t", 0, 0, null, value == null ? null : value.getBytes(StandardCharsets.UTF_8));
    return new ConsumerRecord<>(
        record.topic(),
        0,
        0,
        NOW.toEpochMilli(),
        TimestampType.CREATE_TIME,
        0,
        0,
        null,
        record.value(),
        record.headers(),
        Optional.empty());
  }

  private static String event(String user, String time, String kind) {
    return "{\"user\":{\"id\":\"%s\"},\"at\":\"%s\",\"kind\":\"%s\"}".formatted(user, time, kind);
  }

  @Test
  void shouldCountWhatIntakeReads() throws Exception {
    ConsumerRecord<byte[], byte[]> tick = record(null);
    tick.headers().add(Names.TICK_HEADER, new byte[0]);
    Rehearsal rehearsal =
        Rehearsal.ofRecords(
            pipeline(""),
            List.of(
                tick,
                record(event("ann", "2026-01-05T00:00:00Z", "a")),
                record(event("ann", "2026-01-05T00:00:00Z", "x")),
                record(event("ann", "2026-01-05T00:00:00", "a")),
                record(event("ann", "2026-01-05T00:00:00", "b")),
                record(event("", "2026-01-05T00:00:00Z", "a")),
                record("ann, 2026")),
            SchemaSource.none());
    assertThat(rehearsal.records()).as("ticks are none").isEqualTo(6);
    assertThat(rehearsal.readable()).isEqualTo(2);
    assertThat(rehearsal.commonest().orElseThrow())
        .startsWith("'at' does not match time-format auto: give another format");
  }

  /** The commonest reason is the decimal comma of an export. */
  @Test
  void shouldSayHowNumbersAreWritten() throws Exception {
    Pipeline measured =
        PipelineFile.parse(
            "p",
            """
            pipeline: p
            input: { topic: t, subject: who, time: at, category: kind, categories: [a, b], values: [minutes] }
            window: { size: 1h }
            budget: { name: p, unit: record, epsilon: 2, delta: 1e-6, period: window }
            releases: [ { mean: { name: m, value: minutes, bounds: [0, 9], share: { epsilon: 2, delta: 1e-6 } } } ]
            """);
    String event =
        "{'who':'ann','at':'2026-01-05T00:00:00Z','kind':'a','minutes':'%s'}".replace('\'', '"');
    Rehearsal rehearsal =
        Rehearsal.ofRecords(
            measured,
            List.of(record(event.formatted("3,50")), record(event.formatted("3,60"))),
            SchemaSource.none());
    assertThat(rehearsal.readable()).isZero();
    assertThat(rehearsal.commonest().orElseThrow()).contains("not a number (decimal comma?)");
  }

  /** Formats alone are judged: what is said of times and names would tell of whoever wrote them. */
  @Test
  void shouldReadWhatLiesBeforeTheFirstWindow() throws Exception {
    Rehearsal rehearsal =
        Rehearsal.ofRecords(
            pipeline(", clock: ticks, begin: 2026-01-06"),
            List.of(record(event("ann", "2026-01-05T00:00:00Z", "a"))),
            SchemaSource.none());
    assertThat(rehearsal.readable()).isEqualTo(1);
    assertThat(rehearsal.commonest()).isEmpty();
  }
}
