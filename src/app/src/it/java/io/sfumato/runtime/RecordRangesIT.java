// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.runtime.LocalCopies.Place;
import io.sfumato.runtime.LocalCopies.Position;
import io.sfumato.runtime.RecordRanges.Range;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(SharedBroker.class)
@Tag("cluster")
class RecordRangesIT {
  private static final String LOG = "application-some-store-changelog";

  @TempDir Path folder;

  private static void send(KafkaProducer<byte[], byte[]> producer, int partition, int records) {
    for (int i = 0; i < records; i++) {
      producer.send(new ProducerRecord<>(LOG, partition, new byte[0], new byte[] {1}));
    }
    producer.flush();
  }

  /** 0 to 2 are committed, 3 is their mark; 4 and 5 are aborted, 6 is the mark of that. */
  @Test
  void shouldCountNeitherMarksNorWhatWasAborted(TestCluster cluster) throws Exception {
    cluster.createTopic(LOG, 3);
    KafkaSettings settings = TestCluster.settings(cluster.servers(), Map.of());
    Map<String, Object> config = settings.producer();
    config.put("transactional.id", "ranges");
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.initTransactions();
      producer.beginTransaction();
      for (int partition = 0; partition < 3; partition++) {
        send(producer, partition, 3);
      }
      producer.commitTransaction();
      producer.beginTransaction();
      for (int partition = 0; partition < 3; partition++) {
        send(producer, partition, 2);
      }
      producer.abortTransaction();
      producer.beginTransaction();
      send(producer, 2, 1);
      producer.commitTransaction();
    }
    TopicPartition aborted = new TopicPartition(LOG, 0);
    TopicPartition unread = new TopicPartition(LOG, 1);
    TopicPartition later = new TopicPartition(LOG, 2);
    RecordRanges ranges = new RecordRanges(settings);
    assertThat(
            ranges.withoutRecords(
                Map.of(
                    aborted, new Range(3, 7),
                    unread, new Range(2, 7),
                    later, new Range(3, 9))))
        .containsExactly(aborted);
    assertThat(ranges.withoutRecords(Map.of(later, new Range(3, 7)))).containsExactly(later);
    Place copy = new Place("some-store", 0);
    assertThat(
            new ChangelogEnds("application", ranges)
                .withoutRecords(
                    Map.of(
                        copy, new Position(3, 7), new Place("some-store", 2), new Position(3, 9))))
        .as("local copies of the same partitions")
        .containsExactly(copy);
  }
}
