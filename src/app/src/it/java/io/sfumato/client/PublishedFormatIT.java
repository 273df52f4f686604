// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.pipeline.OutputFormat;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Outputs that were aborted have a place in their topic, and nobody reads them. */
@ExtendWith(SharedBroker.class)
class PublishedFormatIT {
  /** More than a first and a second look go back. */
  private static final int ABORTED = 1500;

  private static final byte[] JSON = "{}".getBytes(StandardCharsets.UTF_8);
  private static final byte[] AVRO = {(byte) 0xC3, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0};

  private static final Map<String, String> STAMPED_BY_PRODUCERS =
      Map.of("message.timestamp.type", "CreateTime");

  private static ProducerRecord<byte[], byte[]> at(String topic, long timestamp, byte[] value) {
    return new ProducerRecord<>(topic, 0, timestamp, null, value);
  }

  @Test
  void shouldLookBehindWhatWasAborted(TestCluster cluster) throws Exception {
    KafkaSettings settings = TestCluster.settings(cluster.servers(), Map.of());
    List<String> topics = List.of("format-old", "format-new");
    try (Admin admin = cluster.client()) {
      TestCluster.create(
          admin,
          topics.stream()
              .map(name -> new NewTopic(name, 1, (short) 1).configs(STAMPED_BY_PRODUCERS))
              .toList());
    }
    assertThat(PublishedFormat.newest(settings, topics)).isEmpty();
    Map<String, Object> config = new HashMap<>(settings.all());
    config.put("transactional.id", "format-writer");
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(at("format-old", 1_000, AVRO));
      producer.send(at("format-new", 2_000, JSON));
      producer.commitTransaction();
      for (String topic : topics) {
        producer.beginTransaction();
        for (int i = 0; i < ABORTED; i++) {
          producer.send(at(topic, 3_000, AVRO));
        }
        producer.abortTransaction();
      }
    }
    assertThat(PublishedFormat.newest(settings, topics))
        .contains(new PublishedFormat("format-new", OutputFormat.JSON));
    assertThat(PublishedFormat.newest(settings, List.of("format-old")))
        .contains(new PublishedFormat("format-old", OutputFormat.AVRO));
  }
}
