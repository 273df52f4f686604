// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.doctor;

import io.sfumato.runtime.ClientErrors;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.topology.LedgerImage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** What a budget's meta store says of its versions and their keys: committed entries alone. */
final class StateSeen {
  private static final Duration POLL = Duration.ofMillis(200);

  private StateSeen() {}

  /**
   * Reads the whole store, which is small.
   *
   * @param topic of the store, which may be read
   * @throws RefusedException if it cannot be
   */
  static LedgerImage.Reader read(KafkaSettings settings, TopicDescription topic)
      throws RefusedException {
    List<TopicPartition> partitions =
        topic.partitions().stream()
            .map(info -> new TopicPartition(topic.name(), info.partition()))
            .toList();
    LedgerImage.Reader state = new LedgerImage.Reader();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            settings.consumer(), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
        consumer
            .poll(POLL)
            .forEach(record -> state.meta(record.partition(), record.key(), record.value()));
      }
    } catch (KafkaException e) {
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          "cannot read %s from %s: %s"
              .formatted(topic.name(), settings.bootstrapServers(), ClientErrors.words(e)));
    }
    return state;
  }
}
