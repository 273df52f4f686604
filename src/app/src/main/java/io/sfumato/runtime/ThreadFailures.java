// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.topology.context.HeldReleases;
import io.sfumato.topology.context.ReadAgainException;
import io.sfumato.topology.context.ReleaseFailedException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Failures of threads: in the place of some another thread goes on. */
final class ThreadFailures {
  private static final Logger LOG = LoggerFactory.getLogger(PipelineRun.class);
  private static final int MOST_STARTS = 20;
  private static final Duration NEXT_START = Duration.ofMillis(200);

  /** For a transaction that is about to move the group's offsets. */
  private static final Duration SETTLED = Duration.ofSeconds(20);

  private final Pipeline pipeline;
  private final KafkaSettings settings;
  private final HeldReleases holds;
  private final BooleanSupplier starting;
  private final BooleanSupplier closing;

  /** Threads that stood still and were replaced, since the instance last worked. */
  private final AtomicInteger rejoined = new AtomicInteger();

  /** Starts that found a topic missing. */
  private final AtomicInteger missing = new AtomicInteger();

  /**
   * @param holds is told of releases that failed
   * @param starting whether the instance has not worked yet
   * @param closing whether the instance is being stopped
   */
  ThreadFailures(
      Pipeline pipeline,
      KafkaSettings settings,
      HeldReleases holds,
      BooleanSupplier starting,
      BooleanSupplier closing) {
    this.pipeline = pipeline;
    this.settings = settings;
    this.holds = holds;
    this.starting = starting;
    this.closing = closing;
  }

  /** The instance works: whoever stands still from now on is counted anew. */
  void works() {
    rejoined.set(0);
  }

  /** Whether another thread goes on in the place of one that failed. */
  boolean mayGoOn(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof ReleaseFailedException failed) {
        // The same again would fail again: the next thread stops in front of it.
        holds.add(failed);
        LOG.error(failed.getMessage());
        return true;
      }
    }
    if (isTooEarly(thrown)) {
      LOG.info("not every broker knows a new topic yet; trying again");
      Cluster.pause(NEXT_START);
      return true;
    }
    if (isOutOfStep(thrown)) {
      LOG.warn(
          "stream thread was fenced after a stall ({}); restarting it",
          Failures.root(thrown).getClass().getSimpleName());
      return true;
    }
    Optional<ReadAgainException> again = Failures.readAgain(thrown);
    if (again.isPresent() && isStale(again.get())) {
      LOG.warn(
          "stream thread started {} at an offset behind the group's; restarting it",
          again.get().place());
      return true;
    }
    if (Failures.isTimeout(thrown)) {
      awaitAnswer();
      return !closing.getAsBoolean();
    }
    return false;
  }

  /** However long a cluster is gone, the pipeline goes on when it is back. */
  private void awaitAnswer() {
    LOG.warn("the Kafka cluster did not answer in time; the thread restarts when it answers");
    while (!closing.getAsBoolean()) {
      try (Cluster cluster = new Cluster(settings)) {
        cluster.id();
        return;
      } catch (RefusedException e) {
        LOG.debug("no answer yet", e);
        // At once, where its name does not resolve: as may happen while it is gone.
        Cluster.pause(NEXT_START);
      }
    }
  }

  /**
   * Whether a thread that stalled went on with what it had: a transaction that the cluster has
   * aborted, or a place in the journal that others have read and deleted. What the group has
   * committed must be in order; then a new thread goes on from there.
   */
  private boolean isOutOfStep(Throwable thrown) {
    boolean lost = Failures.isTransactionLost(thrown) || Failures.isOffsetLost(thrown);
    if (!lost || !mayRejoin()) {
      return false;
    }
    return asked(GroupOffsets::areReadable);
  }

  /** Something about the group's offsets that only the cluster knows. */
  @FunctionalInterface
  private interface Question {
    boolean ask(GroupOffsets offsets) throws RefusedException;
  }

  /**
   * The cluster's answer, however long it takes to come: brokers that are gone come back. False
   * where the cluster refuses to answer, and when the instance is stopped.
   */
  private boolean asked(Question question) {
    while (!closing.getAsBoolean()) {
      try (Cluster cluster = new Cluster(settings)) {
        return question.ask(cluster.offsets(pipeline));
      } catch (RefusedException e) {
        if (!e.isUnanswered()) {
          return false;
        }
        LOG.warn(
            "the Kafka cluster did not answer whether the group's offsets are in order; asking"
                + " again");
        Cluster.pause(NEXT_START);
      }
    }
    return false;
  }

  /**
   * Whether a consumer began at an offset that was committed long before, as Kafka's does after
   * rebalances in which its questions timed out: then the group itself has passed all that the
   * state has read, and a new consumer goes on there. Where somebody has reset it, it has not.
   */
  private boolean isStale(ReadAgainException again) {
    if (!mayRejoin()) {
      return false;
    }
    return asked(
        offsets -> {
          Long committed = offsets.settled(SETTLED).get(again.place());
          return committed != null && committed > again.before();
        });
  }

  /** Counts one more thread that is replaced, unless there were too many in a row. */
  private boolean mayRejoin() {
    return !closing.getAsBoolean() && rejoined.incrementAndGet() <= MOST_STARTS;
  }

  /** Whether the topics that were there a moment ago, at the start, are not known yet. */
  private boolean isTooEarly(Throwable thrown) {
    return starting.getAsBoolean()
        && Failures.isTopicMissing(thrown)
        && missing.incrementAndGet() <= MOST_STARTS;
  }
}
