// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.client.OutputReader;
import io.sfumato.runtime.ClientErrors;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads a changelog of any length, one partition after the other: committed records only. */
final class Changelog {
  private static final Duration POLL = Duration.ofMillis(200);

  /** At once from the broker: beside the ledgers themselves all that takes memory. */
  private static final int FETCH_BYTES = 2 << 20;

  private final KafkaSettings settings;
  private final String topic;

  Changelog(KafkaSettings settings, String topic) {
    this.settings = settings;
    this.topic = topic;
  }

  /** Takes one record. */
  interface Reader {
    /**
     * @param partition of the changelog, from 0
     * @param value null if the key is deleted
     */
    void accept(int partition, byte[] key, byte[] value) throws RefusedException;
  }

  /** Reads it from its beginning to where it ends now. */
  void read(ProgressListener stages, Reader reader) throws RefusedException {
    Map<String, Object> config = settings.consumer();
    config.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES);
    config.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, FETCH_BYTES);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      read(consumer, stages, reader);
    } catch (KafkaException e) {
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          "cannot read %s at %s: %s"
              .formatted(topic, settings.bootstrapServers(), ClientErrors.words(e, settings)));
    }
  }

  void read(Consumer<byte[], byte[]> consumer, ProgressListener stages, Reader reader)
      throws RefusedException {
    List<TopicPartition> partitions =
        new OutputReader(settings).partitions(consumer, List.of(topic));
    Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    long total = sum(ends) - sum(begins);
    long done = 0;
    try (ProgressListener.Stage stage = stages.begin("reading", total)) {
      for (TopicPartition partition : partitions) {
        consumer.assign(List.of(partition));
        consumer.seek(partition, begins.get(partition));
        long position = begins.get(partition);
        while (position < ends.get(partition)) {
          for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
            reader.accept(record.partition(), record.key(), record.value());
          }
          position = consumer.position(partition);
          stage.at(done + position - begins.get(partition));
        }
        done += ends.get(partition) - begins.get(partition);
      }
    }
  }

  private static long sum(Map<TopicPartition, Long> offsets) {
    return offsets.values().stream().mapToLong(Long::longValue).sum();
  }
}
