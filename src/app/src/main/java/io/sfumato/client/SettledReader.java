// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.HeldOpen;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads all that stands in a topic now, committed records only, or nothing: after a transaction
 * that is open, whoever began it, a cluster shows no record. Who took what he sees for all there is
 * would miss what others wrote, and were told is written.
 */
public final class SettledReader {
  private static final Duration POLL = Duration.ofMillis(200);

  private final KafkaSettings settings;
  private final Duration patience;

  /**
   * @param patience for transactions to end
   */
  public SettledReader(KafkaSettings settings, Duration patience) {
    this.settings = settings;
    this.patience = patience;
  }

  /**
   * Reads every record of a topic that keeps them for ever.
   *
   * @throws RefusedException also if the first ones were deleted
   */
  public void readWhole(
      String topic, java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> reader)
      throws RefusedException {
    read(topic, true, reader);
  }

  /** Compaction never moves the beginning of a partition. */
  private void requireWhole(String topic, Consumer<byte[], byte[]> everything)
      throws RefusedException {
    List<TopicPartition> partitions =
        new OutputReader(settings).partitions(everything, List.of(topic));
    if (everything.beginningOffsets(partitions).values().stream().anyMatch(first -> first > 0)) {
      throw new RefusedException(
          ExitCode.STOPPED,
          "the first records of topic '%s' were deleted, by kafka-delete-records or a retention limit, and their contents are unknown. Restore the topic from a copy that starts at offset 0; docs/operate/backup.md ('Registries') has other ways out"
              .formatted(topic));
    }
  }

  /**
   * Reads every record.
   *
   * @throws RefusedException if a transaction stays open in front of some, or the cluster does not
   *     answer; the reader may have been given those before it
   */
  public void read(String topic, java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> reader)
      throws RefusedException {
    read(topic, false, reader);
  }

  private void read(
      String topic,
      boolean whole,
      java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> reader)
      throws RefusedException {
    try (Consumer<byte[], byte[]> everything = consumer("read_uncommitted");
        Consumer<byte[], byte[]> committed = consumer("read_committed")) {
      if (whole) {
        requireWhole(topic, everything);
      }
      read(topic, everything, committed, System::nanoTime, reader);
    } catch (KafkaException e) {
      throw new OutputReader(settings).unreadable(e);
    }
  }

  /**
   * Reads every record.
   *
   * @param everything knows where the topic ends, whatever is open
   * @param committed reads it
   * @param clock nanoseconds
   */
  void read(
      String topic,
      Consumer<byte[], byte[]> everything,
      Consumer<byte[], byte[]> committed,
      LongSupplier clock,
      java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> reader)
      throws RefusedException {
    List<TopicPartition> partitions =
        new OutputReader(settings).partitions(committed, List.of(topic));
    Map<TopicPartition, Long> ends = everything.endOffsets(partitions);
    committed.assign(partitions);
    committed.seekToBeginning(partitions);
    long read = position(committed, partitions);
    long since = clock.getAsLong();
    while (partitions.stream().anyMatch(p -> committed.position(p) < ends.get(p))) {
      for (ConsumerRecord<byte[], byte[]> record : committed.poll(POLL)) {
        reader.accept(record);
      }
      long now = position(committed, partitions);
      if (now > read) {
        read = now;
        since = clock.getAsLong();
      } else if (clock.getAsLong() - since > patience.toNanos()) {
        throw open(topic);
      }
    }
  }

  private static long position(Consumer<byte[], byte[]> consumer, List<TopicPartition> partitions) {
    return partitions.stream().mapToLong(consumer::position).sum();
  }

  private RefusedException open(String topic) {
    HeldOpen held = new HeldOpen(topic, 0, settings.bootstrapServers());
    return new RefusedException(
        ExitCode.FAILED, "%s; nothing was changed. %s".formatted(held.words(), held.fix()));
  }

  private KafkaConsumer<byte[], byte[]> consumer(String isolation) {
    Map<String, Object> config = settings.consumer();
    config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation);
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }
}
