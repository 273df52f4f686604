// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.noise.NoiseSecret;
import io.sfumato.noise.TickKey;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFile;
import io.sfumato.pipeline.Population;
import io.sfumato.serde.EventReader;
import io.sfumato.serde.SignedTick;
import io.sfumato.topology.Names;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a tick may follow: days from 2026-11-02 on, a record at most a day beyond the last tick. */
class NewestEventTest {
  private static final long NOW = at("2026-12-24T00:00:00Z");

  private Pipeline pipeline;
  private TickKey key;
  private NewestEvent seen;

  private static long at(String time) {
    return Instant.parse(time).toEpochMilli();
  }

  @BeforeEach
  void wards() throws Exception {
    pipeline = PipelineFile.read(Path.of("topology/wards.yaml"));
    key = NoiseSecret.random().tickKey("wards");
    seen = seen(Optional.of(key));
  }

  private NewestEvent seen(Optional<TickKey> ticksOf) {
    return new NewestEvent(
        pipeline,
        ticksOf,
        new EventReader(
            pipeline.input(),
            pipeline.population().map(Population::user),
            id -> Optional.empty(),
            pipeline.window().maxAhead()));
  }

  private static ConsumerRecord<byte[], byte[]> record(String value, RecordHeaders headers) {
    return new ConsumerRecord<>(
        "admissions",
        0,
        0,
        NOW,
        TimestampType.LOG_APPEND_TIME,
        0,
        0,
        null,
        value == null ? null : value.getBytes(StandardCharsets.UTF_8),
        headers,
        Optional.empty());
  }

  private void event(String time) {
    seen.see(
        record(
            "{\"ward\": \"north\", \"patient\": \"ann\", \"at\": \"%s\", \"diagnosis\": \"heart\"}"
                .formatted(time),
            new RecordHeaders()));
  }

  private void tick(TickKey by, String time) {
    RecordHeaders headers = new RecordHeaders();
    headers.add(
        Names.TICK_HEADER, SignedTick.by(by, 0, at(time)).text().getBytes(StandardCharsets.UTF_8));
    seen.see(record(null, headers));
  }

  @Test
  void aRecordThatIntakeRefusedAsEarlyIsNotFollowed() {
    seen.begins(0);
    event("2026-11-02T10:00:00Z");
    event("2026-11-22T10:00:00Z");
    assertThat(seen.found().newest()).hasValue(at("2026-11-02T10:00:00Z"));
    assertThat(seen.found().furthest()).hasValue(at("2026-11-22T10:00:00Z"));
  }

  @Test
  void ticksOfTheBudgetsKeyMoveTheClockAndNoOthers() {
    seen.begins(0);
    tick(NoiseSecret.random().tickKey("wards"), "2026-11-21T12:00:00Z");
    event("2026-11-22T10:00:00Z");
    assertThat(seen.found().newest()).isEmpty();
    tick(key, "2026-11-21T12:00:00Z");
    event("2026-11-22T10:00:00Z");
    assertThat(seen.found().newest()).hasValue(at("2026-11-22T10:00:00Z"));
  }

  @Test
  void withoutAKeyNoSignedTickHolds() {
    seen = seen(Optional.empty());
    seen.begins(0);
    tick(key, "2026-11-21T12:00:00Z");
    event("2026-11-22T10:00:00Z");
    assertThat(seen.found().newest()).isEmpty();
  }

  @Test
  void inTheMiddleOfATopicTheFirstRecordStandsForTheClock() {
    event("2026-11-20T10:00:00Z");
    event("2026-11-20T23:00:00Z");
    event("2026-11-30T00:00:00Z");
    assertThat(seen.found().newest()).hasValue(at("2026-11-20T23:00:00Z"));
    assertThat(seen.found().furthest()).hasValue(at("2026-11-30T00:00:00Z"));
  }

  @Test
  void whatLiesBeforeTheBeginningOrCannotBeReadTellsNothing() {
    seen.begins(0);
    event("2026-11-01T10:00:00Z");
    event("not a time");
    assertThat(seen.found().newest()).isEmpty();
    assertThat(seen.found().furthest()).isEmpty();
  }
}
