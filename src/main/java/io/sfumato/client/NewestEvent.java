// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.SchemaRegistries;
import io.sfumato.serde.EventReader;
import io.sfumato.serde.RejectedRecordException;
import io.sfumato.topology.Names;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** How far the records' topic has come, as far as the last records of its partitions tell. */
public final class NewestEvent {
  /** Of a partition: what is older is not looked at. */
  private static final long LAST = 10_000;

  private final Pipeline pipeline;
  private final EventReader reader;
  private OptionalLong newest = OptionalLong.empty();

  NewestEvent(Pipeline pipeline, EventReader reader) {
    this.pipeline = pipeline;
    this.reader = reader;
  }

  /**
   * The latest event time.
   *
   * @return milliseconds since 1970; nothing if there is no usable record
   * @throws RefusedException if the topic cannot be read
   */
  public static OptionalLong of(Pipeline pipeline, KafkaSettings settings) throws RefusedException {
    NewestEvent found =
        new NewestEvent(
            pipeline, EventReader.of(pipeline, SchemaRegistries.of(pipeline, settings)));
    OutputReader outputs = new OutputReader(settings);
    try (Consumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            settings.consumer(), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          outputs.partitions(consumer, List.of(pipeline.input().topic()));
      Map<TopicPartition, Long> from = consumer.beginningOffsets(partitions);
      Map<TopicPartition, Long> ends = new HashMap<>(consumer.endOffsets(partitions));
      from.replaceAll((partition, first) -> Math.max(first, ends.get(partition) - LAST));
      found.read(consumer, from, ends);
    } catch (KafkaException e) {
      throw outputs.unreadable(e);
    }
    return found.newest;
  }

  private void read(
      Consumer<byte[], byte[]> consumer,
      Map<TopicPartition, Long> from,
      Map<TopicPartition, Long> ends) {
    consumer.assign(from.keySet());
    from.forEach(consumer::seek);
    while (from.keySet().stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
      consumer.poll(OutputReader.POLL).forEach(this::see);
    }
  }

  /** Looks at one record; ticks and what intake would refuse tell nothing. */
  void see(ConsumerRecord<byte[], byte[]> record) {
    if (record.headers().lastHeader(Names.TICK_HEADER) != null) {
      return;
    }
    try {
      long time = reader.read(record.key(), record.value(), record.timestamp()).time();
      boolean counts = !pipeline.window().isBeforeBegin(pipeline.window().startOf(time));
      if (counts) {
        newest = OptionalLong.of(Math.max(time, newest.orElse(time)));
      }
    } catch (RejectedRecordException e) {
      // Intake says why.
    }
  }

  OptionalLong newest() {
    return newest;
  }
}
