// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Tells offsets that are taken by records from those that are not: marks of transactions, and what
 * was aborted or compacted away.
 */
public final class RecordRanges {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** The first record of each range is enough. */
  private static final int FETCH_BYTES = 64 << 10;

  private final KafkaSettings settings;

  public RecordRanges(KafkaSettings settings) {
    this.settings = settings;
  }

  /**
   * Offsets of a partition.
   *
   * @param to the last one excluded
   */
  public record Range(long from, long to) {}

  /**
   * Which of these ranges hold no committed record. What cannot be read to its end within a minute
   * is not among them.
   *
   * @throws RefusedException if the cluster cannot be read from
   */
  public Set<TopicPartition> withoutRecords(Map<TopicPartition, Range> ranges)
      throws RefusedException {
    if (ranges.isEmpty()) {
      return Set.of();
    }
    Map<String, Object> config = settings.consumer();
    config.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, FETCH_BYTES);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      return withoutRecords(consumer, ranges);
    } catch (KafkaException e) {
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          "cannot read from %s: %s"
              .formatted(settings.bootstrapServers(), ClientErrors.words(e, settings)));
    }
  }

  static Set<TopicPartition> withoutRecords(
      Consumer<byte[], byte[]> consumer, Map<TopicPartition, Range> ranges) {
    consumer.assign(ranges.keySet());
    ranges.forEach((partition, range) -> consumer.seek(partition, range.from()));
    Set<TopicPartition> without = new HashSet<>();
    Set<TopicPartition> open = new HashSet<>(ranges.keySet());
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      Set<TopicPartition> passed = new HashSet<>(open);
      passed.removeIf(partition -> consumer.position(partition) < ranges.get(partition).to());
      without.addAll(passed);
      open.removeAll(passed);
      if (open.isEmpty() || System.nanoTime() > deadline) {
        return without;
      }
      consumer.pause(passed);
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        TopicPartition partition = new TopicPartition(record.topic(), record.partition());
        // The first one decides: it lies in its range, or after it.
        if (open.remove(partition)) {
          consumer.pause(Set.of(partition));
          if (record.offset() >= ranges.get(partition).to()) {
            without.add(partition);
          }
        }
      }
    }
  }
}
