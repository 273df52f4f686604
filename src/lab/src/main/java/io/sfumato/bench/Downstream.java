// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads what is committed to a topic, as consumers downstream do. */
final class Downstream implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(10);

  private final KafkaConsumer<byte[], byte[]> consumer;

  Downstream(Arena arena, String topic) {
    Map<String, Object> config = new HashMap<>(arena.settings().consumer());
    config.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 10);
    consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    List<TopicPartition> partitions =
        consumer.partitionsFor(topic).stream()
            .map(info -> new TopicPartition(topic, info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  /** Hands on what has arrived. */
  void poll(Consumer<ConsumerRecord<byte[], byte[]>> sink) {
    consumer.poll(POLL).forEach(sink);
  }

  @Override
  public void close() {
    consumer.close();
  }
}
