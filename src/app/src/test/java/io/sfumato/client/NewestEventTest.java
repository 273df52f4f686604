// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.gate.NoiseSecret;
import io.sfumato.gate.TickKey;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Population;
import io.sfumato.release.PipelineFile;
import io.sfumato.serde.EventReader;
import io.sfumato.serde.SignedTick;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.OperatorOrders;
import io.sfumato.topology.context.RecordSpan;
import io.sfumato.topology.context.SourceTopics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a tick may follow: days from 2026-11-02 on, a record at most a day beyond the last tick. */
class NewestEventTest {
  private static final long NOW = at("2026-12-24T00:00:00Z");

  private static final long SKIPPED = 77;

  private OperatorOrders orders = OperatorOrders.of(List.of(new RecordSpan(0, SKIPPED, SKIPPED)));

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
        SourceTopics.of("admissions", "", 1),
        ticksOf,
        new EventReader(
            pipeline.input(),
            pipeline.population().map(Population::user),
            id -> Optional.empty(),
            pipeline.window().maxAhead()),
        orders);
  }

  private static ConsumerRecord<byte[], byte[]> record(
      long offset, String value, RecordHeaders headers) {
    return new ConsumerRecord<>(
        "admissions",
        0,
        offset,
        NOW,
        TimestampType.LOG_APPEND_TIME,
        0,
        0,
        null,
        value == null ? null : value.getBytes(StandardCharsets.UTF_8),
        headers,
        Optional.empty());
  }

  private static ConsumerRecord<byte[], byte[]> event(long offset, String ward, String time) {
    return record(
        offset,
        "{\"ward\": \"%s\", \"patient\": \"ann\", \"at\": \"%s\", \"diagnosis\": \"heart\"}"
            .formatted(ward, time),
        new RecordHeaders());
  }

  private void event(String time) {
    seen.see(event(0, "north", time));
  }

  private static ConsumerRecord<byte[], byte[]> tick(long offset, TickKey by, String time) {
    RecordHeaders headers = new RecordHeaders();
    headers.add(
        Names.TICK_HEADER,
        SignedTick.by(by, "admissions", 0, at(time)).text().getBytes(StandardCharsets.UTF_8));
    return record(offset, null, headers);
  }

  private void tick(TickKey by, String time) {
    seen.see(tick(0, by, time));
  }

  /**
   * Searches a partition.
   *
   * @param first offset that the topic still holds
   */
  private NewestEvent.Found search(long first, List<ConsumerRecord<byte[], byte[]>> records) {
    TopicPartition partition = new TopicPartition("admissions", 0);
    long end = first + records.size();
    try (MockConsumer<byte[], byte[]> consumer =
        new MockConsumer<>("none") {
          @Override
          public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
            long from = position(partition);
            seek(partition, end);
            return new ConsumerRecords<>(
                Map.of(partition, records.subList((int) (from - first), records.size())), Map.of());
          }
        }) {
      consumer.updateBeginningOffsets(Map.of(partition, first));
      consumer.updateEndOffsets(Map.of(partition, end));
      seen.search(consumer, List.of(partition), line -> {});
    }
    return seen.found();
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

  /** However many there are: under ticks, no record tells what time it is. */
  @Test
  void manyEarlyRecordsAreNotFollowedEither() {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    records.add(event(0, "north", "2026-11-02T10:00:00Z"));
    for (int offset = 1; offset < 10_050; offset++) {
      records.add(event(offset, "north", "2026-11-22T10:00:00Z"));
    }
    NewestEvent.Found found = search(0, records);
    assertThat(found.newest()).hasValue(at("2026-11-02T10:00:00Z"));
    assertThat(found.furthest()).hasValue(at("2026-11-22T10:00:00Z"));
  }

  @Test
  void theLastRecordsAreFoundBehindTheTickInFrontOfThem() {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    records.add(tick(700, key, "2026-11-20T00:00:00Z"));
    records.add(event(701, "north", "2026-11-20T10:00:00Z"));
    for (int offset = 702; offset < 12_000; offset++) {
      records.add(event(offset, "north", "2026-11-30T10:00:00Z"));
    }
    assertThat(search(700, records).newest()).hasValue(at("2026-11-20T10:00:00Z"));
  }

  @Test
  void whereOldRecordsWentNobodyKnowsWhatCountsInFrontOfTheFirstTick() {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    records.add(event(700, "north", "2026-11-22T10:00:00Z"));
    assertThat(search(700, records))
        .isEqualTo(new NewestEvent.Found(OptionalLong.empty(), OptionalLong.empty(), List.of("0")));
    records.add(tick(701, key, "2026-11-20T00:00:00Z"));
    records.add(event(702, "north", "2026-11-20T10:00:00Z"));
    assertThat(search(700, records))
        .isEqualTo(
            new NewestEvent.Found(
                OptionalLong.of(at("2026-11-20T10:00:00Z")), OptionalLong.empty(), List.of("0")));
  }

  /** Old records went, or there are very many: the order says what is not too far ahead. */
  @Test
  void shouldFindRecordsInTheMiddleOfATopicWhenItsPastIsRead() {
    orders = OperatorOrders.none().caughtUpAt(NOW);
    seen = seen(Optional.of(key));
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    records.add(event(700, "north", "2026-11-22T10:00:00Z"));
    assertThat(search(700, records))
        .isEqualTo(
            new NewestEvent.Found(
                OptionalLong.of(at("2026-11-22T10:00:00Z")), OptionalLong.empty(), List.of()));
  }

  @Test
  void shouldReadTheTimeWhenItIsInAHeader() throws Exception {
    pipeline =
        PipelineFile.parse(
            "p",
            """
            pipeline: head
            input: { topic: admissions, subject: ward, time: $header.at, category: diagnosis, categories: [heart, lung] }
            subjects: [north, south]
            window: { size: 1h, clock: ticks, begin: 2026-11-02 }
            budget: { name: head, unit: record, epsilon: 1, delta: 1e-6, period: window }
            releases: [ { histogram: { name: mix, share: { epsilon: 1, delta: 1e-6 } } } ]
            """);
    seen = seen(Optional.of(key));
    RecordHeaders headers = new RecordHeaders();
    headers.add("at", "2026-11-02T10:00:00Z".getBytes(StandardCharsets.UTF_8));
    String value = "{\"ward\": \"north\", \"diagnosis\": \"heart\"}";
    assertThat(search(0, List.of(record(0, value, headers))).newest())
        .hasValue(at("2026-11-02T10:00:00Z"));
  }

  @Test
  void shouldPassOverARecordWhenItHasTwoTicks() {
    seen.begins(0);
    ConsumerRecord<byte[], byte[]> two = tick(0, key, "2026-11-20T12:00:00Z");
    two.headers().add(two.headers().lastHeader(Names.TICK_HEADER));
    seen.see(two);
    event("2026-11-21T10:00:00Z");
    assertThat(seen.found().newest()).isEmpty();
  }

  /** Whoever can write may send an earlier tick once more: it is no proof of how late it is. */
  @Test
  void anEarlierTickThatWasSentAgainHidesNothing() {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    records.add(tick(0, key, "2026-11-20T00:00:00Z"));
    records.add(event(1, "north", "2026-11-20T23:00:00Z"));
    for (int offset = 2; offset < 12_000; offset++) {
      records.add(event(offset, "north", "2026-11-20T10:00:00Z"));
    }
    records.add(tick(12_000, key, "2026-11-02T00:00:00Z"));
    records.add(event(12_001, "north", "2026-11-02T10:00:00Z"));
    records.add(event(12_002, "north", "2026-11-20T12:00:00Z"));
    assertThat(search(0, records))
        .isEqualTo(
            new NewestEvent.Found(
                OptionalLong.of(at("2026-11-20T23:00:00Z")), OptionalLong.empty(), List.of()));
  }

  @Test
  void theNewestRecordMayLieInFrontOfTheLastTick() {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    records.add(tick(0, key, "2026-11-20T12:00:00Z"));
    for (int offset = 1; offset < 10_500; offset++) {
      records.add(event(offset, "north", "2026-11-21T11:00:00Z"));
    }
    records.add(tick(10_500, key, "2026-11-20T13:00:00Z"));
    records.add(event(10_501, "north", "2026-11-20T15:00:00Z"));
    assertThat(search(0, records).newest()).hasValue(at("2026-11-21T11:00:00Z"));
  }

  /** From a topic's beginning on, a roster's records are judged as intake does. */
  @Test
  void aRostersOwnRecordsAreFollowedFromTheBeginningAndNoClaims() throws Exception {
    pipeline =
        PipelineFile.parse(
            "p",
            """
            pipeline: rounds
            input: { topic: admissions, subject: ward, time: at, category: diagnosis, categories: [heart, lung] }
            subjects: roster
            window: { size: 1m, max-jump: 400 }
            budget: { name: rounds, unit: record, epsilon: 1, delta: 1e-6, period: window }
            releases: [ { histogram: { name: mix, share: { epsilon: 1, delta: 1e-6 } } } ]
            """);
    seen = seen(Optional.of(key));
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    records.add(event(0, "north", "2026-12-23T23:00:00Z"));
    records.add(event(1, "north", "2026-12-24T12:00:00Z"));
    assertThat(search(0, records))
        .isEqualTo(
            new NewestEvent.Found(
                OptionalLong.of(at("2026-12-23T23:00:00Z")),
                OptionalLong.of(at("2026-12-24T12:00:00Z")),
                List.of()));
    seen = seen(Optional.of(key));
    assertThat(search(7, List.of(event(7, "north", "2026-12-24T12:00:00Z"))))
        .as("in the middle nobody can tell")
        .isEqualTo(new NewestEvent.Found(OptionalLong.empty(), OptionalLong.empty(), List.of("0")));
  }

  @Test
  void whatIntakeDoesNotTakeOrPassesOverIsNotFollowed() {
    seen.begins(0);
    seen.see(event(0, "south", "2026-11-02T10:00:00Z"));
    seen.see(event(1, "nowhere", "2026-11-02T11:00:00Z"));
    seen.see(event(SKIPPED, "north", "2026-11-02T12:00:00Z"));
    assertThat(seen.found().newest()).hasValue(at("2026-11-02T10:00:00Z"));
  }

  /** What was counted before the import is closed, and a tick behind it would move nothing. */
  @Test
  void afterAnImportNothingBeforeTheSealIsFollowed() {
    assertThat(NewestEvent.goingOn(pipeline, OptionalLong.empty())).isSameAs(pipeline);
    assertThat(NewestEvent.goingOn(pipeline, OptionalLong.of(at("2026-11-01T00:00:00Z"))))
        .as("sealed before the file begins")
        .isSameAs(pipeline);
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    records.add(event(0, "north", "2026-11-02T10:00:00Z"));
    records.add(event(1, "north", "2026-11-19T10:00:00Z"));
    assertThat(search(0, records).newest()).hasValue(at("2026-11-02T10:00:00Z"));
    OptionalLong sealedAt = OptionalLong.of(at("2026-11-20T00:00:00Z"));
    pipeline = NewestEvent.goingOn(pipeline, sealedAt);
    seen = seen(Optional.of(key));
    assertThat(search(0, records))
        .isEqualTo(new NewestEvent.Found(OptionalLong.empty(), OptionalLong.empty(), List.of()));
    assertThat(TickTime.closedBefore(sealedAt))
        .hasValue(
            "windows that start before 2026-11-20T00:00:00Z are closed, because a ledger was "
                + "imported");
    assertThat(TickTime.closedBefore(OptionalLong.empty())).isEmpty();
    records.add(event(2, "north", "2026-11-20T10:00:00Z"));
    records.add(event(3, "north", "2026-11-22T10:00:00Z"));
    seen = seen(Optional.of(key));
    NewestEvent.Found found = search(0, records);
    assertThat(found.newest()).hasValue(at("2026-11-20T10:00:00Z"));
    assertThat(found.furthest()).hasValue(at("2026-11-22T10:00:00Z"));
    TickTime time = TickTime.after(pipeline.window(), found.newest().getAsLong(), NOW);
    assertThat(time.time()).isEqualTo(at("2026-11-21T02:00:00Z"));
    assertThat(time.crossing()).isEmpty();
    assertThat(TickTime.notes(pipeline.window(), found))
        .singleElement()
        .asString()
        .contains("are more than window.ahead, 1d, after the last tick");
    assertThat(
            new TickTime(pipeline.window(), at("2026-11-22T02:00:00Z"), OptionalLong.empty())
                .crossing()
                .orElseThrow())
        .contains("closes 2 windows after 2026-11-20 (earlier windows are closed;");
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
