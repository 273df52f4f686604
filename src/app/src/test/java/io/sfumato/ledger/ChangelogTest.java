// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class ChangelogTest {
  private static final TopicPartition ONLY = new TopicPartition("changelog", 0);

  /** A broker that has not heard of the topic when it is first asked. */
  private final MockConsumer<byte[], byte[]> consumer =
      new MockConsumer<>("earliest") {
        private int asked;

        @Override
        public synchronized List<PartitionInfo> partitionsFor(String topic) {
          return asked++ == 0 ? List.of() : List.of(new PartitionInfo(topic, 0, null, null, null));
        }
      };

  @Test
  void shouldWaitForATopicThatWasJustMade() throws RefusedException {
    consumer.updateBeginningOffsets(Map.of(ONLY, 0L));
    consumer.updateEndOffsets(Map.of(ONLY, 1L));
    byte[] key = "ann".getBytes(StandardCharsets.UTF_8);
    consumer.schedulePollTask(
        () -> consumer.addRecord(new ConsumerRecord<>("changelog", 0, 0, key, new byte[0])));
    KafkaSettings settings =
        KafkaSettings.gather(Map.of(), Optional.empty(), Map.of(), Optional.empty());
    List<byte[]> keys = new ArrayList<>();
    new Changelog(settings, "changelog")
        .read(consumer, ProgressListener.silent(), (p, k, value) -> keys.add(k));
    assertThat(keys).containsExactly(key);
  }
}
