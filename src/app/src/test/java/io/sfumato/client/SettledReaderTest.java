// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What lies behind an open transaction is waited for, or nothing is read as if it were all. */
class SettledReaderTest {
  private static final String TOPIC = "registry";
  private static final TopicPartition ONLY = new TopicPartition(TOPIC, 0);

  private final MockConsumer<byte[], byte[]> everything = new MockConsumer<>("earliest");
  private final MockConsumer<byte[], byte[]> committed = new MockConsumer<>("earliest");
  private final List<Long> read = new ArrayList<>();

  /** A second passes whenever somebody looks. */
  private final AtomicLong seconds = new AtomicLong();

  @BeforeEach
  void twoRecordsAreSeenOfThree() {
    committed.updatePartitions(TOPIC, List.of(new PartitionInfo(TOPIC, 0, null, null, null)));
    committed.updateBeginningOffsets(Map.of(ONLY, 0L));
    committed.updateEndOffsets(Map.of(ONLY, 2L));
    everything.updateEndOffsets(Map.of(ONLY, 3L));
    committed.schedulePollTask(() -> arrive(0, 1));
  }

  private void arrive(long... offsets) {
    for (long offset : offsets) {
      committed.addRecord(new ConsumerRecord<>(TOPIC, 0, offset, new byte[0], new byte[0]));
    }
  }

  private void read() throws RefusedException {
    KafkaSettings settings =
        KafkaSettings.gather(Map.of(), Optional.empty(), Map.of(), Optional.empty());
    new SettledReader(settings, Duration.ofSeconds(30))
        .read(
            TOPIC,
            everything,
            committed,
            () -> Duration.ofSeconds(seconds.incrementAndGet()).toNanos(),
            record -> read.add(record.offset()));
  }

  @Test
  void shouldWaitForATransactionToEnd() throws RefusedException {
    for (int i = 0; i < 5; i++) {
      committed.schedulePollTask(() -> {});
    }
    committed.schedulePollTask(() -> arrive(2));
    read();
    assertThat(read).containsExactly(0L, 1L, 2L);
  }

  @Test
  void shouldRefuseWhereATransactionStaysOpen() {
    assertThatThrownBy(this::read)
        .isInstanceOfSatisfying(
            RefusedException.class, e -> assertThat(e.code()).isEqualTo(ExitCode.FAILED))
        .hasMessageContaining("an open transaction in topic 'registry' at ")
        .hasMessageContaining("hides the records after it")
        .hasMessageContaining("transaction.max.timeout.ms")
        .hasMessageContaining("kafka-transactions.sh");
    assertThat(seconds.get()).as("for half a minute it waited").isGreaterThan(30);
  }
}
