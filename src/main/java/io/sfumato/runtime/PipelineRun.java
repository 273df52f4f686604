// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.Plan;
import io.sfumato.topology.PipelineTopology;
import io.sfumato.topology.setting.Deployment;
import io.sfumato.topology.setting.HeldReleases;
import io.sfumato.topology.setting.ReleaseFailedException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyDescription;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One instance of a pipeline's program, from start to stop. */
public final class PipelineRun implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PipelineRun.class);
  private static final int MOST_STARTS = 20;
  private static final Duration NEXT_START = Duration.ofMillis(200);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration FAILED_STOP_TIMEOUT = Duration.ofSeconds(5);

  private final Plan plan;
  private final Supplier<Topology> topology;
  private final Supplier<KafkaStreams> maker;
  private final HeldReleases holds;
  private final Path stateFolder;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final CountDownLatch running = new CountDownLatch(1);
  private final AtomicReference<RefusedException> failure = new AtomicReference<>();

  /** The local state was rebuilt once in this process; a second time the disk is to blame. */
  private final AtomicBoolean rebuilt = new AtomicBoolean();

  /** Threads that stood still and were replaced, since the instance last worked. */
  private final AtomicInteger rejoined = new AtomicInteger();

  /** Starts that found a topic missing. */
  private final AtomicInteger missing = new AtomicInteger();

  private volatile boolean rebuilding;

  /**
   * Held for a moment only: threads that are being stopped must not wait for whoever stops them.
   */
  private final Object turn = new Object();

  private volatile boolean closing;
  private volatile Optional<KafkaStreams> streams = Optional.empty();
  private final int partitions;
  private final OutputWatch watch;
  private final KafkaSettings settings;
  private final LocalCopies copies;
  private final CopyWatch copyWatch;

  private PipelineRun(
      Plan plan,
      Instance instance,
      Deployment deployment,
      LocalCopies copies,
      Supplier<Topology> topology,
      Supplier<KafkaStreams> maker) {
    this.plan = plan;
    this.settings = instance.settings();
    this.copies = copies;
    ChangelogEnds changelogs =
        new ChangelogEnds(plan.pipeline().applicationId(), new RecordRanges(settings));
    this.copyWatch = new CopyWatch(copies, changelogs, this::streams, this::outOfDate);
    this.topology = topology;
    this.maker = maker;
    this.holds = deployment.holds();
    this.partitions = deployment.sourcePartitions();
    this.stateFolder = instance.stateFolder();
    this.watch =
        new OutputWatch(instance.settings(), outputs(plan.pipeline()), this::outputsMissing);
  }

  private static Set<String> outputs(Pipeline pipeline) {
    Set<String> topics = new TreeSet<>();
    pipeline.releases().forEach(release -> topics.add(release.topic()));
    topics.add(pipeline.refusalsTopic());
    topics.add(pipeline.deadLettersTopic());
    return topics;
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
    return start(plan, deployment, instance, new FencingClients(), Time.SYSTEM);
  }

  static PipelineRun start(
      Plan plan, Deployment deployment, Instance instance, FencingClients clients, Time wallClock) {
    // Kafka Streams changes what it is given, so each start gets one of its own.
    LocalCopies copies = new LocalCopies(clients.transactions(), wallClock::milliseconds);
    Supplier<Topology> topology = () -> PipelineTopology.build(plan, deployment, copies);
    Supplier<KafkaStreams> maker =
        () ->
            new KafkaStreams(
                topology.get(),
                StreamsSettings.of(plan.pipeline().applicationId(), instance),
                clients,
                new SteadyTime(wallClock));
    PipelineRun run = new PipelineRun(plan, instance, deployment, copies, topology, maker);
    run.begin();
    return run;
  }

  /** How long changelogs keep deletions says how old local state may be. */
  private void begin() {
    try (Cluster cluster = new Cluster(settings)) {
      copies.deletionsAreKept(cluster.deletionsKept(plan.pipeline().applicationId()));
    } catch (RefusedException e) {
      failure.set(e);
      running.countDown();
      ended.countDown();
      return;
    }
    launch();
  }

  /** Kafka Streams opens local state at once, and throws what it finds. */
  private void launch() {
    try {
      KafkaStreams next = maker.get();
      next.setUncaughtExceptionHandler(this::fail);
      next.setStateListener((now, before) -> changed(now));
      streams = Optional.of(next);
      next.start();
    } catch (StreamsException e) {
      rebuildOrEnd(e);
    }
  }

  /** As is done once a minute. */
  void lookAtCopies() {
    copyWatch.beat();
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

  /** What runs now, for whoever watches it; another one after the local state was rebuilt. */
  public Optional<KafkaStreams> streams() {
    return streams;
  }

  /** What it does: a budget in use may go on with other parameters than its file plans today. */
  public Plan plan() {
    return plan;
  }

  /** Partitions that all instances of the pipeline share. */
  public int partitions() {
    return partitions;
  }

  /** What it runs. */
  public TopologyDescription topology() {
    return topology.get().describe();
  }

  public KafkaStreams.State state() {
    return streams.map(KafkaStreams::state).orElse(KafkaStreams.State.NOT_RUNNING);
  }

  @Override
  public synchronized void close() {
    closing = true;
    watch.stop();
    copyWatch.close();
    streams.ifPresent(this::stop);
    watch.close();
  }

  /** Where nobody answers any more, nothing can be handed over, and nothing is to be waited for. */
  private void stop(KafkaStreams stopping) {
    boolean stopped = stop(stopping, FAILED_STOP_TIMEOUT);
    if (!stopped && failure.get() == null) {
      if (watch.isAnswered()) {
        stop(stopping, STOP_TIMEOUT.minus(FAILED_STOP_TIMEOUT));
      } else {
        LOG.warn("no Kafka cluster answers: stopped without it; nothing is lost or charged twice");
      }
    }
  }

  /** Leaving hands the partitions over at once; otherwise they wait for the session's time-out. */
  private static boolean stop(KafkaStreams streams, Duration patience) {
    return streams.close(
        CloseOptions.timeout(patience)
            .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
  }

  private void changed(KafkaStreams.State now) {
    if (now == KafkaStreams.State.RUNNING) {
      rejoined.set(0);
      running.countDown();
    }
    if (!rebuilding && (now == KafkaStreams.State.ERROR || now == KafkaStreams.State.NOT_RUNNING)) {
      running.countDown();
      ended.countDown();
    }
  }

  private StreamThreadExceptionResponse fail(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof ReleaseFailedException failed) {
        // The same again would fail again: the next thread stops in front of it.
        holds.add(failed);
        LOG.error(failed.getMessage());
        return StreamThreadExceptionResponse.REPLACE_THREAD;
      }
    }
    if (isTooEarly(thrown)) {
      LOG.info("a topic is not known to every broker yet; trying again");
      Cluster.pause(NEXT_START);
      return StreamThreadExceptionResponse.REPLACE_THREAD;
    }
    if (isOutOfStep(thrown)) {
      LOG.warn(
          "a thread stood still, and others went on in its place ({}); it joins again",
          Failures.root(thrown).getClass().getSimpleName());
      return StreamThreadExceptionResponse.REPLACE_THREAD;
    }
    if (Failures.isOutOfDate(thrown)) {
      outOfDate();
    } else {
      rebuildOrEnd(thrown);
    }
    return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
  }

  /**
   * Whether a thread that stalled went on with what it had: a transaction that the cluster has
   * aborted, or a place in the journal that others have read and deleted. What the group has
   * committed must be in order; then a new thread goes on from there.
   */
  private boolean isOutOfStep(Throwable thrown) {
    boolean lost = Failures.isTransactionLost(thrown) || Failures.isOffsetLost(thrown);
    if (!lost || closing || rejoined.incrementAndGet() > MOST_STARTS) {
      return false;
    }
    try (Cluster cluster = new Cluster(settings)) {
      return cluster.offsets(plan.pipeline()).areReadable();
    } catch (RefusedException e) {
      return false;
    }
  }

  /** Whether the topics that were there a moment ago, at the start, are not known yet. */
  private boolean isTooEarly(Throwable thrown) {
    return running.getCount() > 0
        && Failures.isTopicMissing(thrown)
        && missing.incrementAndGet() <= MOST_STARTS;
  }

  /** Found by the watch, or by a task that begins to work: once until it has begun anew. */
  private void outOfDate() {
    synchronized (turn) {
      if (rebuilding || closing) {
        return;
      }
      rebuilding = true;
    }
    LOG.warn(
        "this process stood still, or was cut off from the cluster, for so long that deletions may be"
            + " gone which it has not read; the local state in {} is wiped and read again from the"
            + " changelogs",
        stateFolder);
    new Thread(this::rebuild, "rebuild").start();
  }

  /** Two threads may find the same damage: the second one is stopped with the first. */
  private void rebuildOrEnd(Throwable thrown) {
    boolean first;
    synchronized (turn) {
      if (rebuilding) {
        LOG.debug("while it begins anew", thrown);
        return;
      }
      first = Failures.isLocalStateDamaged(thrown) && rebuilt.compareAndSet(false, true);
      rebuilding = first;
    }
    if (first) {
      LOG.error(
          "the local state in {} is damaged; it is wiped and rebuilt from the changelogs",
          stateFolder);
      new Thread(this::rebuild, "rebuild").start();
    } else {
      end(thrown);
    }
  }

  private void end(Throwable thrown) {
    RefusedException reason = Failures.explain(thrown, stateFolder);
    if (Failures.isPlanned(thrown)) {
      LOG.info("the pipeline stops, as it was told to");
    } else {
      // Only the class: messages of foreign exceptions may quote records.
      LOG.error("the pipeline stops: {}", Failures.root(thrown).getClass().getName());
    }
    LOG.debug("details", thrown);
    failure.compareAndSet(null, reason);
    if (!isUnderWay()) {
      running.countDown();
      ended.countDown();
    }
  }

  /** Whether a state change will follow. */
  private boolean isUnderWay() {
    return streams.isPresent() && state() != KafkaStreams.State.CREATED;
  }

  private void outputsMissing(Set<String> topics) {
    failure.compareAndSet(
        null,
        new RefusedException(
            ExitCode.REFUSED_CLUSTER,
            "topics that outputs go to were deleted: "
                + topics
                + "; nothing was lost or charged twice: start again, which creates them anew and goes"
                + " on where it stopped"));
    // Its producer may wait for the topics for minutes: nobody waits for that.
    running.countDown();
    ended.countDown();
  }

  private synchronized void rebuild() {
    streams.ifPresent(s -> stop(s, STOP_TIMEOUT));
    if (closing) {
      return;
    }
    try {
      streams.ifPresent(KafkaStreams::cleanUp);
      rebuilding = false;
      launch();
    } catch (StreamsException | IllegalStateException e) {
      // It would not stop, or the folder cannot be wiped.
      rebuilding = false;
      end(e);
      running.countDown();
      ended.countDown();
    }
  }
}
