// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.pipeline.OutputFormat;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.serde.Outputs;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The format of what was published last.
 *
 * @param topic that it was published to
 */
public record PublishedFormat(String topic, OutputFormat format) {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Places behind a partition's end where it looks first. */
  private static final long BEHIND = 50;

  private static final long STEP = 20;

  /**
   * The newest of several topics.
   *
   * @param topics that exist
   * @return nothing if there is no output in them
   */
  public static Optional<PublishedFormat> newest(KafkaSettings settings, Collection<String> topics)
      throws RefusedException {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            settings.consumer(), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          new OutputReader(settings).partitions(consumer, List.copyOf(topics));
      return newest(consumer, partitions);
    } catch (KafkaException e) {
      throw new OutputReader(settings).unreadable(e);
    }
  }

  /** Looks further back until it finds one: what was aborted has a place in a topic, too. */
  private static Optional<PublishedFormat> newest(
      KafkaConsumer<byte[], byte[]> consumer, List<TopicPartition> partitions) {
    consumer.assign(partitions);
    Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    Optional<ConsumerRecord<byte[], byte[]>> newest = Optional.empty();
    boolean isAll = false;
    for (long behind = BEHIND; newest.isEmpty() && !isAll; behind *= STEP) {
      isAll = true;
      for (TopicPartition partition : partitions) {
        long from = Math.max(begins.get(partition), ends.get(partition) - behind);
        isAll &= from == begins.get(partition);
        consumer.seek(partition, from);
      }
      newest = read(consumer, ends);
    }
    return newest.map(
        record ->
            new PublishedFormat(record.topic(), Outputs.formatOf(record.value()).orElseThrow()));
  }

  private static Optional<ConsumerRecord<byte[], byte[]>> read(
      KafkaConsumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends) {
    Optional<ConsumerRecord<byte[], byte[]>> newest = Optional.empty();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (ends.keySet().stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
      if (System.nanoTime() > deadline) {
        throw new TimeoutException("the last outputs could not be read");
      }
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(OutputReader.POLL)) {
        if (record.value() != null && Outputs.formatOf(record.value()).isPresent()) {
          newest =
              newest
                  .filter(found -> found.timestamp() > record.timestamp())
                  .or(() -> Optional.of(record));
        }
      }
    }
    return newest;
  }
}
