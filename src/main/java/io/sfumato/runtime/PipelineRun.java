package io.sfumato.runtime;

import io.sfumato.pipeline.Plan;
import io.sfumato.topology.Deployment;
import io.sfumato.topology.PipelineStopException;
import io.sfumato.topology.PipelineTopology;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaClientSupplier;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.processor.internals.DefaultKafkaClientSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One instance of a pipeline's program, from start to stop. */
public final class PipelineRun implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PipelineRun.class);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);

  private static final String OFFSETS_LOST =
      "the records at the committed offsets are gone: retention deleted them before they were read, or"
          + " the topic was made anew. Their datasets would be incomplete without anybody noticing. If"
          + " the loss is accepted, set the group's offsets to where the topic begins now"
          + " (kafka-consumer-groups --reset-offsets --to-earliest) and start again";

  private final KafkaStreams streams;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final CountDownLatch running = new CountDownLatch(1);
  private final AtomicReference<RefusedException> failure = new AtomicReference<>();

  private PipelineRun(KafkaStreams streams) {
    this.streams = streams;
  }

  /**
   * What an instance needs beyond its plan and deployment.
   *
   * @param settings of the Kafka clients
   * @param stateFolder for RocksDB; not the temporary folder
   * @param replication of changelogs
   * @param standbys number of warm copies of the state
   */
  public record Instance(KafkaSettings settings, Path stateFolder, int replication, int standbys) {}

  /** Starts an instance; returns at once. */
  public static PipelineRun start(Plan plan, Deployment deployment, Instance instance) {
    return start(plan, deployment, instance, new DefaultKafkaClientSupplier());
  }

  static PipelineRun start(
      Plan plan, Deployment deployment, Instance instance, KafkaClientSupplier clients) {
    KafkaStreams streams =
        new KafkaStreams(PipelineTopology.build(plan, deployment), config(plan, instance), clients);
    PipelineRun run = new PipelineRun(streams);
    streams.setUncaughtExceptionHandler(run::fail);
    streams.setStateListener((now, before) -> run.changed(now));
    streams.start();
    return run;
  }

  /** Waits until the instance works, or has ended. */
  public boolean awaitRunning(Duration timeout) throws InterruptedException {
    return running.await(timeout.toMillis(), TimeUnit.MILLISECONDS) && failure.get() == null;
  }

  /** Waits until the instance has ended by itself. */
  public boolean awaitEnd(Duration timeout) throws InterruptedException {
    return ended.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Why the instance ended by itself, if it did. */
  public Optional<RefusedException> failure() {
    return Optional.ofNullable(failure.get());
  }

  public KafkaStreams.State state() {
    return streams.state();
  }

  @Override
  public void close() {
    // Leaving hands the partitions over at once; otherwise they wait for the session's time-out.
    streams.close(
        CloseOptions.timeout(STOP_TIMEOUT)
            .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
  }

  private void changed(KafkaStreams.State now) {
    if (now == KafkaStreams.State.RUNNING) {
      running.countDown();
    }
    if (now == KafkaStreams.State.ERROR || now == KafkaStreams.State.NOT_RUNNING) {
      running.countDown();
      ended.countDown();
    }
  }

  private StreamThreadExceptionResponse fail(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof PipelineStopException) {
        failure.compareAndSet(null, new RefusedException(ExitCode.STOPPED, cause.getMessage()));
        return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
      }
      if (cause instanceof InvalidOffsetException) {
        failure.compareAndSet(null, new RefusedException(ExitCode.STOPPED, OFFSETS_LOST));
        return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
      }
    }
    Throwable root = thrown;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    // Only the class: messages of foreign exceptions may quote records.
    LOG.error("the pipeline failed with {}", root.getClass().getName());
    LOG.debug("details", thrown);
    failure.compareAndSet(
        null,
        new RefusedException(
            ExitCode.FAILED,
            "the pipeline failed with "
                + root.getClass().getName()
                + "; nothing was lost or charged twice, start it again (details at log level DEBUG)"));
    return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
  }

  private static Properties config(Plan plan, Instance instance) {
    Properties config = new Properties();
    // Defaults, which the user may change.
    config.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 100);
    config.put(StreamsConfig.POLL_MS_CONFIG, 10);
    config.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 1);
    config.put("session.timeout.ms", 10_000);
    config.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 64L << 20);
    config.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, BoundedRocksDb.class);
    config.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, instance.standbys());
    config.putAll(instance.settings().all());
    // Guarantees, which nobody may.
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, plan.pipeline().applicationId());
    config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    config.put(StreamsConfig.consumerPrefix("auto.offset.reset"), "none");
    config.put(StreamsConfig.STATE_DIR_CONFIG, instance.stateFolder().toString());
    config.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, instance.replication());
    config.put(
        StreamsConfig.topicPrefix("min.insync.replicas"), instance.replication() >= 3 ? "2" : "1");
    config.put(StreamsConfig.topicPrefix("unclean.leader.election.enable"), "false");
    config.put(
        StreamsConfig.PROCESSING_EXCEPTION_HANDLER_CLASS_CONFIG, ScrubbedProcessingHandler.class);
    config.put(
        StreamsConfig.PRODUCTION_EXCEPTION_HANDLER_CLASS_CONFIG, ScrubbedProductionHandler.class);
    return config;
  }
}
