// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What was committed while a question for it was under way. */
@ExtendWith(SharedBroker.class)
class FreshConsumerIT {
  private static final TopicPartition PLACE = new TopicPartition("fresh-consumer", 0);
  private static final Set<TopicPartition> PLACES = Set.of(PLACE);

  @Test
  void shouldTellWhatIsCommittedNow(TestCluster cluster) throws Exception {
    cluster.createTopic(PLACE.topic(), 1);
    assertThat(afterATimeout(cluster, "fresh", FreshConsumer::new)).isEqualTo(2);
    assertThat(
            afterATimeout(
                cluster,
                "stale",
                config ->
                    new KafkaConsumer<>(
                        config, new ByteArrayDeserializer(), new ByteArrayDeserializer())))
        .as("Kafka's own consumer; once it tells 2, FreshConsumer has nothing to do")
        .isEqualTo(1);
  }

  /** 1 was committed when the question timed out, and 2 is when it is asked again. */
  private static long afterATimeout(
      TestCluster cluster,
      String group,
      Function<Map<String, Object>, KafkaConsumer<byte[], byte[]>> made)
      throws RefusedException {
    Map<String, Object> config = TestCluster.settings(cluster.servers(), Map.of()).consumer();
    config.put("group.id", group);
    try (KafkaConsumer<byte[], byte[]> consumer = made.apply(config)) {
      consumer.assign(PLACES);
      consumer.seek(PLACE, 0);
      consumer.commitSync(Map.of(PLACE, new OffsetAndMetadata(1)));
      await().until(() -> timesOut(consumer));
      // One connection has both: the question's answer comes first, and tells 1.
      consumer.commitSync(Map.of(PLACE, new OffsetAndMetadata(2)));
      return consumer.committed(PLACES).get(PLACE).offset();
    }
  }

  private static boolean timesOut(KafkaConsumer<byte[], byte[]> consumer) {
    try {
      consumer.committed(PLACES, Duration.ZERO);
      return false;
    } catch (TimeoutException e) {
      return true;
    }
  }
}
