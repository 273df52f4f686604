// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.runtime.PipelineRun.Instance;
import java.time.Duration;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.streams.StreamsConfig;

/** What Kafka Streams is told: defaults that a user may change, and guarantees that nobody may. */
public final class StreamsSettings {
  /** Stream threads of an instance that may have as many processors, unless told otherwise. */
  private static final int THREADS = 2;

  /**
   * How long a pipeline waits for a cluster that is gone: for ever, as far as Kafka Streams can add
   * it to a time.
   */
  private static final Duration CLUSTER_GONE = Duration.ofDays(3_650);

  private StreamsSettings() {}

  /**
   * The settings of one application.
   *
   * @param applicationId its name on the cluster
   */
  public static Properties of(String applicationId, Instance instance) {
    Properties config = new Properties();
    // Defaults, which the user may change.
    config.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 100);
    config.put(StreamsConfig.POLL_MS_CONFIG, 10);
    config.put(
        StreamsConfig.NUM_STREAM_THREADS_CONFIG,
        Math.min(THREADS, Runtime.getRuntime().availableProcessors()));
    Timeouts timeouts = Timeouts.of(instance.settings().all());
    config.put(Timeouts.SESSION, timeouts.session());
    config.put(Timeouts.TRANSACTION, timeouts.transaction());
    config.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, BoundedRocksDb.class);
    config.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, instance.standbys());
    config.put(StreamsConfig.TASK_TIMEOUT_MS_CONFIG, CLUSTER_GONE.toMillis());
    config.put(
        StreamsConfig.mainConsumerPrefix(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG),
        PollSignal.class.getName());
    config.putAll(instance.settings().all());
    // Guarantees, which nobody may.
    // No output depends on how topics interleave: waiting for idle ones would only cost time.
    config.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, StreamsConfig.MAX_TASK_IDLE_MS_DISABLED);
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, applicationId);
    config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    config.put(StreamsConfig.consumerPrefix("auto.offset.reset"), "none");
    config.put(StreamsConfig.STATE_DIR_CONFIG, instance.stateFolder().toString());
    config.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, instance.replication());
    config.put(
        StreamsConfig.topicPrefix("min.insync.replicas"), instance.replication() >= 3 ? "2" : "1");
    config.put(StreamsConfig.topicPrefix("unclean.leader.election.enable"), "false");
    // Changelogs carry the stamps of what was read.
    TimestampBounds.SETTINGS.forEach(
        (name, value) -> config.put(StreamsConfig.topicPrefix(name), value));
    config.put(
        StreamsConfig.PROCESSING_EXCEPTION_HANDLER_CLASS_CONFIG, ScrubbedProcessingHandler.class);
    config.put(
        StreamsConfig.PRODUCTION_EXCEPTION_HANDLER_CLASS_CONFIG, ScrubbedProductionHandler.class);
    return config;
  }
}
