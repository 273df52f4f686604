// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.runtime.RecordRanges.Range;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class RecordRangesTest {
  private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");

  private static TopicPartition partition(int number) {
    return new TopicPartition("topic", number);
  }

  private void record(int partition, long offset) {
    consumer.addRecord(new ConsumerRecord<>("topic", partition, offset, new byte[0], new byte[0]));
  }

  /** As a consumer does when it comes upon the mark of a transaction. */
  private void mark(int partition, long next) {
    consumer.seek(partition(partition), next);
  }

  @Test
  void shouldTellRecordsFromMarksOfAllPartitionsWithOneConsumer() {
    Map<TopicPartition, Range> ranges = new HashMap<>();
    IntStream.range(0, 256).forEach(p -> ranges.put(partition(p), new Range(10, 20)));
    consumer.schedulePollTask(
        () -> {
          record(0, 10);
          record(1, 19);
          record(2, 20);
          IntStream.range(4, 256).forEach(p -> mark(p, 20));
        });
    consumer.schedulePollTask(() -> mark(3, 19));
    consumer.schedulePollTask(() -> record(3, 19));
    assertThat(RecordRanges.withoutRecords(consumer, ranges))
        .hasSize(253)
        .doesNotContain(partition(0), partition(1), partition(3));
  }

  @Test
  void shouldReadNothingOfARangeThatHasNothing() {
    assertThat(
            RecordRanges.withoutRecords(
                consumer, Map.of(partition(0), new Range(7, 7), partition(1), new Range(8, 5))))
        .containsExactlyInAnyOrder(partition(0), partition(1));
  }
}
