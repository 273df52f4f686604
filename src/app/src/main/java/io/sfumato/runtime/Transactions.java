// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.topology.context.LocalState.Transaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows which transactions were committed: those whose commit the producer acknowledged. Kafka
 * Streams has one producer a stream thread, and writes, begins, commits and aborts on that thread.
 */
final class Transactions {
  private static final Logger LOG = LoggerFactory.getLogger(Transactions.class);

  private final ThreadLocal<Outcome> current = ThreadLocal.withInitial(Outcome::new);

  /** Threads that have a transaction, or wait for their producer's first, and since when. */
  private final Map<Thread, Long> open = new ConcurrentHashMap<>();

  /** When the cluster last completed a transaction. */
  private volatile long lastDone = System.nanoTime();

  /** When one was last seen that was open for too long, if none was completed since. */
  private OptionalLong stuck = OptionalLong.empty();

  private static final class Outcome implements Transaction {
    private final List<Runnable> afterCommit = new ArrayList<>();
    private boolean begun;
    private long began;
    private volatile boolean committed;

    @Override
    public boolean isCommitted() {
      return committed;
    }

    private void begin() {
      begun = true;
      began = System.nanoTime();
    }

    private void warnIfBegun() {
      if (begun) {
        LOG.warn(
            "a Kafka transaction was aborted after {} ms: nothing in it was published or "
                + "charged, and its releases are drawn again with the same bytes. If this "
                + "repeats, compare the duration with transaction.timeout.ms",
            Duration.ofNanos(System.nanoTime() - began).toMillis());
      }
    }
  }

  /** The one that this thread's next write will be part of, begun or not. */
  Transaction current() {
    return current.get();
  }

  /** Prepares this thread's producer for transactions, which the cluster must allow. */
  void prepare(Runnable preparation) {
    giveUp();
    open.put(Thread.currentThread(), System.nanoTime());
    preparation.run();
    done();
  }

  /** This thread's producer begins a transaction. */
  void begin() {
    current.get().begin();
    open.put(Thread.currentThread(), System.nanoTime());
  }

  private void done() {
    open.remove(Thread.currentThread());
    lastDone = System.nanoTime();
  }

  /**
   * Whether the cluster has stopped completing transactions: one was open, or waited for, longer
   * than it may be, and none was completed since that was seen.
   */
  synchronized boolean areStuck(Duration longest) {
    long now = System.nanoTime();
    open.keySet().removeIf(thread -> !thread.isAlive());
    if (open.values().stream().anyMatch(since -> now - since > longest.toNanos())) {
      stuck = OptionalLong.of(now);
    } else if (stuck.isPresent() && lastDone - stuck.getAsLong() > 0) {
      stuck = OptionalLong.empty();
    }
    return stuck.isPresent();
  }

  /** Does something once this thread's transaction is committed, and never if it is aborted. */
  void afterCommit(Runnable task) {
    current.get().afterCommit.add(task);
  }

  /** The same, but at once if this thread has written nothing since its last transaction. */
  void onceCommitted(Runnable task) {
    if (current.get().begun) {
      afterCommit(task);
    } else {
      task.run();
    }
  }

  /** Commits this thread's transaction; whatever it writes from here on is of the next one. */
  void commit(Runnable commit) {
    Outcome outcome = current.get();
    current.remove();
    try {
      commit.run();
    } catch (RuntimeException e) {
      outcome.warnIfBegun();
      throw e;
    }
    done();
    outcome.committed = true;
    outcome.afterCommit.forEach(Runnable::run);
  }

  /** This thread's transaction is given up. */
  void giveUp() {
    current.get().warnIfBegun();
    current.remove();
    open.remove(Thread.currentThread());
  }
}
