package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.runtime.RecordRanges.Range;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordRangesIT {
  @TempDir Path folder;

  private static void send(KafkaProducer<byte[], byte[]> producer, int partition, int records) {
    for (int i = 0; i < records; i++) {
      producer.send(new ProducerRecord<>("log", partition, new byte[0], new byte[] {1}));
    }
    producer.flush();
  }

  /** Two partitions: 0 to 2 committed, 3 their mark; then 4 and 5 aborted, 6 the mark of that. */
  @Test
  void shouldCountNeitherMarksNorWhatWasAborted() throws Exception {
    try (TestCluster cluster = new TestCluster(folder.resolve("broker"))) {
      cluster.createTopic("log", 3);
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
      TopicPartition aborted = new TopicPartition("log", 0);
      TopicPartition unread = new TopicPartition("log", 1);
      TopicPartition later = new TopicPartition("log", 2);
      RecordRanges ranges = new RecordRanges(settings);
      assertThat(
              ranges.withoutRecords(
                  Map.of(
                      aborted, new Range(3, 7),
                      unread, new Range(2, 7),
                      later, new Range(3, 9))))
          .containsExactly(aborted);
      assertThat(ranges.withoutRecords(Map.of(later, new Range(3, 7)))).containsExactly(later);
    }
  }
}
