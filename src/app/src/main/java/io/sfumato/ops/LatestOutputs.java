// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import io.sfumato.bytes.CorruptBytesException;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.rows.OutputHead;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.serde.ForeignBytes;
import io.sfumato.serde.Outputs;
import io.sfumato.serde.SchemaSource;
import io.sfumato.serde.SchemasUnavailableException;
import java.time.Duration;
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
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The last few outputs of each topic as any reader gets them: what is committed. However many there
 * are, it reads a hundred of each partition a second at most.
 */
final class LatestOutputs implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final int MOST_BEHIND = 50;

  private final KafkaSettings settings;
  private final SchemaSource schemas;
  private final Map<String, PlannedRelease> releases;
  private final List<String> listed;
  private final Map<String, Newest> latest = new HashMap<>();
  private final Map<String, WindowMean> means = new HashMap<>();
  private final Map<String, TimeSeries> series = new HashMap<>();
  private final ListParts parts = new ListParts();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread = new Thread(this::follow, "latest-outputs");

  /**
   * @param releases by topic
   * @param listed the file's list of subjects, if it has one
   */
  LatestOutputs(
      KafkaSettings settings,
      SchemaSource schemas,
      Map<String, PlannedRelease> releases,
      List<String> listed) {
    this.settings = settings;
    this.schemas = schemas;
    this.releases = releases;
    this.listed = List.copyOf(listed);
    thread.setDaemon(true);
    thread.start();
  }

  /** The newest first, as far as they are shown. */
  List<HeadedCard> of(String topic) {
    synchronized (latest) {
      return latest.containsKey(topic) ? latest.get(topic).shown() : List.of();
    }
  }

  /** Listed subjects of which nothing is shown, beside those of which something is. */
  int more(String topic) {
    synchronized (latest) {
      return latest.containsKey(topic) ? latest.get(topic).more() : 0;
    }
  }

  /** The newest window's releases of a topic together, as far as they were read. */
  Optional<WindowMean> mean(String topic) {
    synchronized (latest) {
      return Optional.ofNullable(means.get(topic));
    }
  }

  /** What was released of an output's subject in the windows up to it, the oldest first. */
  List<TimeSeries.Point> course(String topic, OutputHead output) {
    synchronized (latest) {
      return series.containsKey(topic) ? series.get(topic).of(output) : List.of();
    }
  }

  private void follow() {
    Map<String, Object> config = settings.consumer();
    // Others come to an end; this one mostly waits, and need not ask twenty times a second.
    config.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, (int) POLL.toMillis());
    do {
      try (KafkaConsumer<byte[], byte[]> consumer =
          new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
        List<TopicPartition> partitions =
            releases.keySet().stream()
                .flatMap(topic -> consumer.partitionsFor(topic).stream())
                .map(info -> new TopicPartition(info.topic(), info.partition()))
                .toList();
        consumer.assign(partitions);
        parts.begin();
        do {
          skip(consumer);
          consumer.poll(POLL).forEach(this::take);
        } while (!pause());
      } catch (KafkaException e) {
        // The probe tells that the cluster does not answer; this comes back with it.
      }
    } while (!pause());
  }

  /** Waits a little; whether this is the end. */
  private boolean pause() {
    try {
      return closing.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      return true;
    }
  }

  private void skip(KafkaConsumer<byte[], byte[]> consumer) {
    consumer
        .endOffsets(consumer.assignment())
        .forEach(
            (partition, end) -> {
              if (end - consumer.position(partition) > MOST_BEHIND) {
                consumer.seek(partition, end - MOST_BEHIND);
                parts.begin();
              }
            });
  }

  private void take(ConsumerRecord<byte[], byte[]> record) {
    IndexedRecord output;
    try {
      output = Outputs.decodeAny(record.value(), schemas);
    } catch (CorruptBytesException | SchemasUnavailableException e) {
      return; // another program's, or nobody can say
    }
    ForeignBytes.ifReadable(() -> parts.add(output))
        .flatMap(whole -> whole)
        .ifPresent(whole -> show(record.topic(), whole));
  }

  private void show(String topic, IndexedRecord output) {
    OutputCards.card(releases.get(topic), output)
        .map(card -> new HeadedCard(OutputHead.of(output), card))
        .ifPresent(headed -> keep(topic, headed));
  }

  private void keep(String topic, HeadedCard output) {
    synchronized (latest) {
      latest.computeIfAbsent(topic, t -> new Newest(listed)).add(output);
      if (output.card().isFollowed()) {
        series.computeIfAbsent(topic, t -> new TimeSeries()).add(output);
      } else {
        means.merge(topic, WindowMean.of(output.card()), WindowMean::and);
      }
    }
  }

  @Override
  public void close() {
    closing.countDown();
  }
}
