// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ticker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.gate.NoiseSecret;
import io.sfumato.gate.TickKey;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.serde.SignedTick;
import io.sfumato.topology.clock.TickVerifier;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.OperatorOrders;
import io.sfumato.topology.context.RecordSpan;
import io.sfumato.topology.context.SourceTopics;
import java.nio.charset.StandardCharsets;
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
import org.junit.jupiter.api.Test;

class LastTicksTest {
  private static final long NOW = Instant.parse("2026-11-28T12:00:00Z").toEpochMilli();
  private static final int SKIPPED = 5;
  private static final WindowSpec WINDOW = TickedWindows.MINUTES;

  private final TickKey key = NoiseSecret.random().tickKey("own");
  private final List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();

  private void add(String... headers) {
    RecordHeaders all = new RecordHeaders();
    for (String header : headers) {
      all.add(Names.TICK_HEADER, header.getBytes(StandardCharsets.UTF_8));
    }
    records.add(
        new ConsumerRecord<>(
            "in",
            0,
            records.size(),
            NOW,
            TimestampType.LOG_APPEND_TIME,
            0,
            0,
            null,
            null,
            all,
            Optional.empty()));
  }

  private String tick(long time) {
    return SignedTick.by(key, "in", 0, time).text();
  }

  private LastTicks ticks() throws Exception {
    return new LastTicks(
        KafkaSettings.gather(Map.of(), Optional.empty(), Map.of(), Optional.of("none:1")),
        SourceTopics.of("in", "", 2),
        new TickVerifier(WINDOW, Optional.of(key)),
        OperatorOrders.of(List.of(new RecordSpan(0, SKIPPED, SKIPPED))));
  }

  private Map<Integer, OptionalLong> found() throws Exception {
    return found(Map.of(0, (long) records.size()));
  }

  /** All records are in partition 0; others have none. */
  private Map<Integer, OptionalLong> found(Map<Integer, Long> ends) throws Exception {
    TopicPartition place = new TopicPartition("in", 0);
    try (MockConsumer<byte[], byte[]> consumer =
        new MockConsumer<>("earliest") {
          @Override
          public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
            int from = (int) position(place);
            assignment().forEach(all -> seek(all, records.size()));
            return new ConsumerRecords<>(
                Map.of(place, records.subList(from, records.size())), Map.of());
          }
        }) {
      return ticks().before(consumer, ends);
    }
  }

  /** Another instance ticks an empty partition while the others are still read. */
  @Test
  void shouldFindATickWhenItComesDuringTheSearch() throws Exception {
    add(tick(NOW));
    assertThat(found(Map.of(0, 0L, 1, 1L)))
        .isEqualTo(Map.of(0, OptionalLong.of(NOW), 1, OptionalLong.empty()));
  }

  @Test
  void shouldFindTheLatestTickWhenItIsGenuineAndCounts() throws Exception {
    add(tick(NOW - 3_000));
    add(tick(NOW - 1_000));
    add(tick(NOW - 2_000));
    add("probe");
    add(SignedTick.by(NoiseSecret.random().tickKey("own"), "in", 0, NOW).text());
    add(tick(NOW));
    assertThat(records).as("the last one is skipped").hasSize(SKIPPED + 1);
    add(tick(NOW - 500), tick(NOW - 400));
    add(SignedTick.by(key, "in", 1, NOW).text());
    add();
    assertThat(found()).isEqualTo(Map.of(0, OptionalLong.of(NOW - 1_000)));
  }

  @Test
  void shouldLookFurtherBackWhenTheTailHasNoTick() throws Exception {
    add(tick(NOW - 1_000));
    for (int i = 0; i < 50_000; i++) {
      add();
    }
    assertThat(found()).isEqualTo(Map.of(0, OptionalLong.of(NOW - 1_000)));
  }

  @Test
  void shouldTellNoTickFromOneThatWasNotLookedFor() throws Exception {
    for (int i = 0; i < 2_000; i++) {
      add();
    }
    assertThat(found()).isEqualTo(Map.of(0, OptionalLong.empty()));
    records.clear();
    add(tick(NOW));
    for (int i = 0; i < 100_000; i++) {
      add();
    }
    assertThat(found()).isEmpty();
  }
}
