// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client.export;

import io.sfumato.runtime.KafkaSettings;
import io.sfumato.schema.ReleasedThrough;
import io.sfumato.serde.ForeignBytes;
import io.sfumato.serde.Outputs;
import io.sfumato.serde.SchemaSource;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.avro.generic.IndexedRecord;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Through which window end a pipeline has released everything. The newest marker of each partition
 * counts, and the newest marker of all says how many partitions there are.
 */
final class ReleasedWindows {
  private static final Duration POLL = Duration.ofMillis(200);

  private final String pipeline;
  private final Consumer<byte[], byte[]> consumer;
  private final List<TopicPartition> partitions;
  private final SchemaSource schemas;
  private final Map<Integer, Instant> through = new HashMap<>();
  private int needed;

  /**
   * @param consumer of committed records, of the pipeline's markers alone
   */
  ReleasedWindows(
      String pipeline,
      Consumer<byte[], byte[]> consumer,
      List<TopicPartition> partitions,
      SchemaSource schemas) {
    this.pipeline = pipeline;
    this.consumer = consumer;
    this.partitions = partitions;
    this.schemas = schemas;
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  /** The topic of a pipeline's markers. */
  static String topicOf(String pipeline) {
    return pipeline + "-released";
  }

  /** The configuration of a consumer that sees all that was written, for the ends of topics. */
  static Map<String, Object> uncommitted(KafkaSettings settings) {
    Map<String, Object> config = settings.consumer();
    config.put("isolation.level", "read_uncommitted");
    return config;
  }

  /**
   * Reads the markers that are committed now; the end through which all partitions are released.
   */
  Optional<Instant> read() {
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        if (record.value() != null) {
          ForeignBytes.ifReadable(() -> Outputs.decodeAny(record.value(), schemas))
              .ifPresent(this::add);
        }
      }
    }
    return needed > 0
            && IntStream.range(0, needed).allMatch(partition -> through.containsKey(partition))
        ? IntStream.range(0, needed).mapToObj(through::get).min(Instant::compareTo)
        : Optional.empty();
  }

  private void add(IndexedRecord record) {
    if (record instanceof ReleasedThrough marker && marker.getPipeline().equals(pipeline)) {
      through.put(marker.getPartition(), marker.getReleasedThrough());
      needed = marker.getPartitions();
    }
  }

  void close() {
    consumer.close();
  }
}
