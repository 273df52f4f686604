// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.readers;

import io.sfumato.ops.ListParts;
import io.sfumato.pipeline.OutputSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.Releases;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.serde.ForeignBytes;
import io.sfumato.serde.Outputs;
import io.sfumato.serde.SchemaSource;
import io.sfumato.serde.SchemasUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.avro.generic.IndexedRecord;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads the output topics from their beginning, committed records only, and goes on. While the
 * cluster does not answer it waits, and continues where it was.
 */
final class ReleaseFollower implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** How often topics are looked for that are missing. */
  private static final Duration RETRY = Duration.ofSeconds(5);

  private final KafkaSettings settings;
  private final SchemaSource schemas;
  private final Pipeline pipeline;
  private final PublishedWindows windows;
  private final Map<String, ListParts> parts = new HashMap<>();
  private final Map<TopicPartition, Long> places = new HashMap<>();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread = new Thread(this::follow, "releases");
  private volatile Progress progress = new Progress(State.READING, List.of(), 0);

  /** How far the topics are read. */
  enum State {
    /** Not all that was there at the start. */
    READING,
    /** All that is committed. */
    CURRENT,
    /** The cluster does not answer. */
    UNREACHABLE,
    /** The schema registry does not answer. */
    NO_SCHEMAS
  }

  /**
   * How far the topics are read.
   *
   * @param missing topics that do not exist
   * @param foreign records that are no outputs of the pipeline, or cannot be decoded
   */
  record Progress(State state, List<String> missing, long foreign) {}

  ReleaseFollower(
      KafkaSettings settings, SchemaSource schemas, Pipeline pipeline, PublishedWindows windows) {
    this.settings = settings;
    this.schemas = schemas;
    this.pipeline = pipeline;
    this.windows = windows;
    thread.setDaemon(true);
    thread.start();
  }

  Progress progress() {
    return progress;
  }

  private void follow() {
    Map<String, Object> config = settings.consumer();
    config.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, (int) POLL.toMillis());
    do {
      try (KafkaConsumer<byte[], byte[]> consumer =
          new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
        read(consumer);
      } catch (KafkaException e) {
        progress = new Progress(State.UNREACHABLE, progress.missing(), progress.foreign());
      }
    } while (!pause());
  }

  /** Until it is closed, or a topic that was missing may be there. */
  private void read(KafkaConsumer<byte[], byte[]> consumer) {
    List<String> missing = new ArrayList<>();
    List<TopicPartition> partitions = new ArrayList<>();
    for (OutputSpec output : ReadersDocuments.shown(pipeline)) {
      List<PartitionInfo> found = consumer.partitionsFor(output.topic());
      if (found.isEmpty()) {
        missing.add(output.topic());
      }
      found.forEach(info -> partitions.add(new TopicPartition(info.topic(), info.partition())));
    }
    progress = new Progress(progress.state(), List.copyOf(missing), progress.foreign());
    if (partitions.isEmpty()) {
      progress = new Progress(State.CURRENT, progress.missing(), progress.foreign());
      return;
    }
    consumer.assign(partitions);
    for (TopicPartition partition : partitions) {
      if (places.containsKey(partition)) {
        consumer.seek(partition, places.get(partition));
      } else {
        consumer.seekToBeginning(List.of(partition));
      }
    }
    long began = System.nanoTime();
    do {
      consumer.poll(POLL).forEach(this::take);
      partitions.forEach(partition -> places.put(partition, consumer.position(partition)));
      if (partitions.stream().allMatch(partition -> isRead(consumer, partition))) {
        progress = new Progress(State.CURRENT, progress.missing(), progress.foreign());
        if (!missing.isEmpty() && System.nanoTime() - began > RETRY.toNanos()) {
          return;
        }
      }
    } while (closing.getCount() > 0);
  }

  /** Whether nothing committed was left when the broker answered last. */
  private static boolean isRead(KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition) {
    return consumer.currentLag(partition).orElse(1) == 0;
  }

  /** Waits a little; whether this is the end. */
  private boolean pause() {
    try {
      return closing.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      return true;
    }
  }

  private void take(ConsumerRecord<byte[], byte[]> record) {
    if (!decoded(record).map(output -> taken(record, output)).orElse(false)) {
      Progress before = progress;
      progress = new Progress(before.state(), before.missing(), before.foreign() + 1);
    }
  }

  /** However long the schema registry does not answer: what follows in the topic waits. */
  private Optional<IndexedRecord> decoded(ConsumerRecord<byte[], byte[]> record) {
    State before = progress.state();
    do {
      try {
        Optional<IndexedRecord> output =
            ForeignBytes.ifReadable(() -> Outputs.decodeAny(record.value(), schemas));
        if (progress.state() != before) {
          say(before);
        }
        return output;
      } catch (SchemasUnavailableException e) {
        say(State.NO_SCHEMAS);
      }
    } while (!pause());
    return Optional.empty();
  }

  private void say(State state) {
    progress = new Progress(state, progress.missing(), progress.foreign());
  }

  /** Whether it is of this pipeline, and of a kind that is known here. */
  private boolean taken(ConsumerRecord<byte[], byte[]> record, IndexedRecord output) {
    if (!pipeline.name().equals(output.get(output.getSchema().getField("pipeline").pos()))) {
      return false;
    }
    // The records of a list lie behind each other in their partition.
    String place = record.topic() + "/" + record.partition();
    return parts
        .computeIfAbsent(place, p -> new ListParts())
        .add(output)
        .map(
            whole ->
                Releases.viewOf(whole)
                    .map(view -> windows.add(view, whole, Instant.ofEpochMilli(record.timestamp())))
                    .orElse(false))
        .orElse(true);
  }

  @Override
  public void close() {
    closing.countDown();
  }
}
