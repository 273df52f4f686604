// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A consumer whose committed offsets are those of the moment.
 *
 * <p>When a request for committed offsets times out, Kafka's consumer keeps it, and gives its
 * answer to whoever asks the same again, however much later and whatever was committed meanwhile.
 * Kafka Streams seeks there when it begins a task anew. So each question is asked twice: the second
 * one is new.
 */
class FreshConsumer extends KafkaConsumer<byte[], byte[]> {
  FreshConsumer(Map<String, Object> config) {
    super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  @Override
  public Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> partitions) {
    super.committed(partitions);
    return super.committed(partitions);
  }

  @Override
  public Map<TopicPartition, OffsetAndMetadata> committed(
      Set<TopicPartition> partitions, Duration timeout) {
    super.committed(partitions, timeout);
    return super.committed(partitions, timeout);
  }
}
