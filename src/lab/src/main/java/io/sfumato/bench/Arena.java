// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import io.sfumato.client.EventPublisher;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.PipelineRun.Instance;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.StreamsSettings;
import io.sfumato.serde.TickHeader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;

/** Where alternatives meet: one cluster, one disk. */
final class Arena {
  /** One for each core of a small machine. */
  static final int PARTITIONS = 2;

  /** Of those bare topologies that use Kafka Streams' record cache. */
  private static final long RECORD_CACHE_BYTES = 64L << 20;

  private final KafkaSettings settings;
  private final Path folder;
  private final AtomicInteger ids = new AtomicInteger();

  Arena(KafkaSettings settings, Path folder) {
    this.settings = settings;
    this.folder = folder;
  }

  KafkaSettings settings() {
    return settings;
  }

  /** A name that nothing in the cluster has yet. */
  String newId(String prefix) {
    return prefix + "-" + ids.incrementAndGet();
  }

  /** Settings of a Kafka Streams application: the same for all. */
  Properties streams(String applicationId) {
    Properties streams =
        StreamsSettings.of(
            applicationId, new Instance(settings, folder.resolve("state"), replication(), 0));
    streams.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 1);
    return streams;
  }

  /** The same for a topology without start offsets of its own. */
  Properties bareStreams(String applicationId) {
    Properties streams = streams(applicationId);
    streams.put(StreamsConfig.consumerPrefix("auto.offset.reset"), "earliest");
    streams.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, RECORD_CACHE_BYTES);
    return streams;
  }

  private int replication() {
    try (Cluster cluster = new Cluster(settings)) {
      return cluster.topics().replication();
    } catch (RefusedException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  /** A topic with these events, written once. */
  String provide(Workload workload) throws RefusedException {
    String topic = workload.topic();
    try (Cluster cluster = new Cluster(settings)) {
      if (cluster.topics().isThere(topic)) {
        return topic;
      }
    }
    write(topic, workload);
    return topic;
  }

  void create(String topic) throws RefusedException {
    create(topic, PARTITIONS);
  }

  void create(String topic, int partitions) throws RefusedException {
    try (Cluster cluster = new Cluster(settings)) {
      cluster.topics().createIfMissing(topic, partitions);
    }
  }

  /**
   * Deletes the topics of applications.
   *
   * @param names with which topics begin, a dash behind
   */
  void forget(String... names) throws RefusedException, InterruptedException {
    try (Admin admin = Admin.create(settings.admin())) {
      Set<String> topics =
          admin.listTopics().names().get().stream()
              .filter(topic -> Stream.of(names).anyMatch(name -> topic.startsWith(name + "-")))
              .collect(Collectors.toSet());
      admin.deleteTopics(topics).all().get();
    } catch (ExecutionException e) {
      throw new RefusedException(
          ExitCode.FAILED, "topics of the benchmark cannot be deleted; see the log");
    }
  }

  /** A folder of this name that is not there yet. */
  Path folder(String name) {
    return folder.resolve(name);
  }

  /** Moves the clock of every partition of a topic, once for each time: its readers trust it. */
  void tick(String topic, long... times) throws RefusedException {
    try (EventPublisher publisher = new EventPublisher(settings)) {
      for (long time : times) {
        publisher.tick(topic, time, TickHeader.unsigned());
      }
    }
  }

  /** Writes events into a new topic. */
  void write(String topic, Workload workload) throws RefusedException {
    create(topic);
    append(topic, workload);
  }

  /** Writes events into a topic that is there. */
  void append(String topic, Workload workload) {
    try (KafkaProducer<byte[], byte[]> producer = producer()) {
      workload.generate(
          event -> producer.send(new ProducerRecord<>(topic, event.key(), event.value())));
    }
  }

  KafkaProducer<byte[], byte[]> producer() {
    Map<String, Object> config = new HashMap<>(settings.producer());
    config.put(ProducerConfig.BATCH_SIZE_CONFIG, 1 << 18);
    config.put(ProducerConfig.LINGER_MS_CONFIG, 5);
    return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
  }
}
