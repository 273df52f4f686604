// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.noise.TickKey;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.SchemaRegistries;
import io.sfumato.serde.EventReader;
import io.sfumato.serde.RejectedRecordException;
import io.sfumato.topology.Names;
import io.sfumato.topology.Ticks;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * How far the records that count have come, as far as the last records and ticks of the topic's
 * partitions tell. One that intake refuses, above all because it claims to lie far ahead, moves
 * nothing.
 */
public final class NewestEvent {
  /** Of a partition: what is older is not looked at. */
  private static final long LAST = 10_000;

  private final Pipeline pipeline;
  private final WindowSpec window;
  private final EventReader reader;
  private final Ticks ticks;

  /** Of each partition, as far as it is known, as intake has it. */
  private final Map<Integer, Long> clocks = new HashMap<>();

  private OptionalLong newest = OptionalLong.empty();
  private OptionalLong furthest = OptionalLong.empty();

  NewestEvent(Pipeline pipeline, Optional<TickKey> key, EventReader reader) {
    this.pipeline = pipeline;
    this.window = pipeline.window();
    this.reader = reader;
    this.ticks = new Ticks(window, key);
  }

  /**
   * What was found.
   *
   * @param newest latest event time of a record that counts, milliseconds since 1970
   * @param furthest latest event time of a record that lies too far ahead to count
   */
  public record Found(OptionalLong newest, OptionalLong furthest) {}

  /**
   * Reads the last records.
   *
   * @param key that ticks are signed with, where it is at hand
   * @throws RefusedException if the topic cannot be read
   */
  public static Found of(Pipeline pipeline, Optional<TickKey> key, KafkaSettings settings)
      throws RefusedException {
    NewestEvent found =
        new NewestEvent(
            pipeline, key, EventReader.of(pipeline, SchemaRegistries.of(pipeline, settings)));
    OutputReader outputs = new OutputReader(settings);
    try (Consumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            settings.consumer(), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          outputs.partitions(consumer, List.of(pipeline.input().topic()));
      Map<TopicPartition, Long> from = consumer.beginningOffsets(partitions);
      Map<TopicPartition, Long> ends = new HashMap<>(consumer.endOffsets(partitions));
      from.replaceAll(
          (partition, first) -> {
            long last = ends.get(partition) - LAST;
            if (last <= first && first == 0) {
              found.begins(partition.partition());
            }
            return Math.max(first, last);
          });
      found.read(consumer, from, ends);
    } catch (KafkaException e) {
      throw outputs.unreadable(e);
    }
    return found.found();
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

  /** All of a partition is looked at: its clock stands where the file says. */
  void begins(int partition) {
    window.begin().ifPresent(begin -> clocks.put(partition, begin));
  }

  /** Looks at one record or tick; what intake would refuse tells nothing. */
  void see(ConsumerRecord<byte[], byte[]> record) {
    Header tick = record.headers().lastHeader(Names.TICK_HEADER);
    try {
      if (tick != null) {
        ticks
            .time(tick.value(), record.partition(), record.timestamp())
            .ifPresent(time -> clocks.merge(record.partition(), time, Math::max));
      } else {
        take(
            record.partition(),
            reader.read(record.key(), record.value(), record.timestamp()).time());
      }
    } catch (RejectedRecordException e) {
      // Intake says why.
    }
  }

  private void take(int partition, long time) {
    if (window.isBeforeBegin(window.startOf(time))) {
      return;
    }
    Optional<Long> clock = Optional.ofNullable(clocks.get(partition));
    if (clock.isPresent() && isTooFar(clock.get(), time)) {
      furthest = OptionalLong.of(Math.max(time, furthest.orElse(time)));
      return;
    }
    newest = OptionalLong.of(Math.max(time, newest.orElse(time)));
    if (clock.isEmpty() || window.clock() == WindowSpec.Clock.RECORDS) {
      // Under ticks the first one looked at stands for those before it.
      clocks.merge(partition, time, Math::max);
    }
  }

  private boolean isTooFar(long clock, long time) {
    return switch (window.clock()) {
      case TICKS -> time > clock + window.ahead().toMillis();
      case RECORDS ->
          pipeline.subjects().isFixed()
              && (window.startOf(time) - window.startOf(clock)) / window.size().toMillis()
                  > window.maxJump();
    };
  }

  Found found() {
    return new Found(newest, furthest);
  }
}
