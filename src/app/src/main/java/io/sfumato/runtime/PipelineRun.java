// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.release.Plan;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.HeldReleases;
import io.sfumato.topology.context.SourceTopics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.TopologyDescription;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One instance of a pipeline's program, from start to stop. */
public final class PipelineRun implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PipelineRun.class);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration FAILED_STOP_TIMEOUT = Duration.ofSeconds(5);

  private final Plan plan;
  private final StreamsMaker maker;
  private final Path stateFolder;
  private final RunEnd end = new RunEnd();
  private final ThreadFailures failures;

  /** The local state was rebuilt once in this process; a second time the disk is to blame. */
  private final AtomicBoolean rebuilt = new AtomicBoolean();

  private volatile boolean rebuilding;

  /**
   * Held for a moment only: threads that are being stopped must not wait for whoever stops them.
   */
  private final Object turn = new Object();

  private volatile boolean closing;
  private volatile Optional<KafkaStreams> streams = Optional.empty();
  private final HeldReleases holds;
  private final SourceTopics sources;
  private final TopicWatch watch;
  private final LocalStateAgeWatch copyWatch;
  private final HangingTransactionWatch hangingWatch;

  private PipelineRun(
      Plan plan, Instance instance, Deployment deployment, LocalCopies copies, StreamsMaker maker) {
    this.plan = plan;
    KafkaSettings settings = instance.settings();
    ChangelogEnds changelogs =
        new ChangelogEnds(plan.pipeline().applicationId(), new RecordRanges(settings));
    this.copyWatch = new LocalStateAgeWatch(copies, changelogs, this::streams, this::outOfDate);
    this.failures =
        new ThreadFailures(
            plan.pipeline(), settings, deployment.holds(), end::isStarting, () -> closing);
    this.maker = maker;
    this.holds = deployment.holds();
    this.sources = deployment.sources();
    this.stateFolder = instance.stateFolder();
    this.watch = TopicWatch.of(maker, this::endAtOnce);
    this.hangingWatch = new HangingTransactionWatch(settings, plan.pipeline());
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
    LocalCopies copies = new LocalCopies(clients.transactions(), wallClock::milliseconds);
    StreamsMaker maker = new StreamsMaker(plan, deployment, instance, clients, wallClock, copies);
    PipelineRun run = new PipelineRun(plan, instance, deployment, copies, maker);
    run.begin();
    return run;
  }

  private void begin() {
    try {
      maker.prepare();
    } catch (RefusedException e) {
      end.because(e);
      end.come();
      return;
    }
    launch();
  }

  /** Kafka Streams opens local state at once, and throws what it finds. */
  private void launch() {
    try {
      KafkaStreams next = maker.streams();
      next.setUncaughtExceptionHandler(this::fail);
      next.setStateListener((now, before) -> changed(next, now));
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

  /** As is done twice a minute. */
  void lookForHangingTransactions() {
    hangingWatch.look();
  }

  /** Waits until the instance works, or has ended. */
  public boolean awaitRunning(Duration timeout) throws InterruptedException {
    return end.awaitRunning(timeout);
  }

  /** Waits until the instance has ended by itself. */
  public boolean awaitEnd(Duration timeout) throws InterruptedException {
    return end.await(timeout);
  }

  /** Why the instance ended by itself, if it did. */
  public Optional<RefusedException> failure() {
    return end.reason();
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
    return sources.journalPartitions();
  }

  /** What it reads. */
  public SourceTopics sources() {
    return sources;
  }

  /** Number of settings of its own topics that endanger it now; each was said in the log. */
  public int unsafeSettings() {
    return watch.risks();
  }

  /** Partitions of its own topics that it waits in, or its readers, for a hanging transaction. */
  public Set<String> hangingIn() {
    return hangingWatch.hanging();
  }

  /** Number of releases that failed here and wait for an operator. */
  public int heldReleases() {
    return holds.size();
  }

  /** What it runs. */
  public TopologyDescription topology() {
    return maker.topology().describe();
  }

  /** What Kafka Streams is at. */
  public KafkaStreams.State state() {
    return streams.map(KafkaStreams::state).orElse(KafkaStreams.State.NOT_RUNNING);
  }

  @Override
  public synchronized void close() {
    closing = true;
    watch.stop();
    copyWatch.close();
    hangingWatch.close();
    streams.ifPresent(this::stop);
    watch.close();
  }

  /** Where nobody answers any more, nothing can be handed over, and nothing is to be waited for. */
  private void stop(KafkaStreams stopping) {
    boolean stopped = stop(stopping, FAILED_STOP_TIMEOUT);
    if (!stopped && end.reason().isEmpty()) {
      if (watch.isAnswered()) {
        stop(stopping, STOP_TIMEOUT.minus(FAILED_STOP_TIMEOUT));
      } else {
        LOG.warn("stopped: no Kafka broker reachable; no data lost, no double charge");
      }
    }
  }

  /** Leaving hands the partitions over at once; otherwise they wait for the session's time-out. */
  private static boolean stop(KafkaStreams streams, Duration patience) {
    return streams.close(
        CloseOptions.timeout(patience)
            .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
  }

  /** Kafka Streams says so late, perhaps after others have begun in its place. */
  private void changed(KafkaStreams of, KafkaStreams.State now) {
    if (streams.filter(current -> current == of).isEmpty()) {
      return;
    }
    if (now == KafkaStreams.State.RUNNING) {
      failures.works();
      end.works();
      watch.expectAll(); // Kafka Streams has created what was missing
    }
    if (!rebuilding && (now == KafkaStreams.State.ERROR || now == KafkaStreams.State.NOT_RUNNING)) {
      end.come();
    }
  }

  private StreamThreadExceptionResponse fail(Throwable thrown) {
    if (mayGoOn(thrown)) {
      return StreamThreadExceptionResponse.REPLACE_THREAD;
    }
    if (Failures.isOutOfDate(thrown)) {
      outOfDate();
    } else {
      rebuildOrEnd(thrown);
    }
    return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
  }

  /** A thread whose handler throws ends alone, and the instance would seem to run without it. */
  private boolean mayGoOn(Throwable thrown) {
    try {
      return failures.mayGoOn(thrown);
    } catch (RuntimeException e) {
      LOG.debug("while asking the cluster about a failure", e);
      return false;
    }
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
        "this process was stalled or disconnected for so long that it may have missed "
            + "deletions; wiping the local state in {} and restoring it from the changelogs",
        stateFolder);
    new Thread(this::rebuild, "rebuild").start();
  }

  /** Two threads may find the same damage: the second one is stopped with the first. */
  private void rebuildOrEnd(Throwable thrown) {
    boolean first;
    synchronized (turn) {
      if (rebuilding) {
        LOG.debug("while it restarts", thrown);
        return;
      }
      first = Failures.isLocalStateDamaged(thrown) && rebuilt.compareAndSet(false, true);
      rebuilding = first;
    }
    if (first) {
      LOG.error(
          "the local state in {} is damaged; wiping it and restoring it from the changelogs",
          stateFolder);
      new Thread(this::rebuild, "rebuild").start();
    } else {
      end(thrown);
    }
  }

  private void end(Throwable thrown) {
    RefusedException reason =
        changedTopics(thrown).orElseGet(() -> Failures.explain(thrown, stateFolder));
    if (Failures.isPlanned(thrown)) {
      LOG.info("stopping as planned: {}", reason.getMessage());
    } else {
      // Only the class: messages of foreign exceptions may quote records.
      LOG.error("the pipeline stops: {}", Failures.root(thrown).getClass().getName());
    }
    LOG.debug("details", thrown);
    end.because(reason);
    if (!isUnderWay()) {
      end.come();
    }
  }

  /** A thread may find topics gone before the watch looks again. */
  private Optional<RefusedException> changedTopics(Throwable thrown) {
    return Failures.isOffsetLost(thrown) || Failures.isTopicMissing(thrown)
        ? watch.suspect()
        : Optional.empty();
  }

  /** Whether a state change will follow. */
  private boolean isUnderWay() {
    return streams.isPresent() && state() != KafkaStreams.State.CREATED;
  }

  private void endAtOnce(RefusedException reason) {
    LOG.error("the pipeline stops: {}", reason.getMessage());
    end.because(reason);
    end.come(); // producers may wait for the topics for minutes: nobody waits for that
  }

  private synchronized void rebuild() {
    streams.ifPresent(s -> stop(s, STOP_TIMEOUT));
    if (closing) {
      return;
    }
    try {
      streams.ifPresent(KafkaStreams::cleanUp);
      streams = Optional.empty(); // whose end was no end: if none can begin now, that is one
      rebuilding = false;
      launch();
    } catch (IllegalStateException e) {
      endAtOnce(Failures.notStopped(STOP_TIMEOUT));
    } catch (StreamsException e) {
      end(e);
      end.come();
    }
  }
}
