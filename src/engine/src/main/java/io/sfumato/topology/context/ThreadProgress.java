// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.context;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Shares a thread between releases and records. Kafka Streams polls only when all records that it
 * holds are processed, and runs punctuations after every few of them: without rests, a window of a
 * million subjects would keep a thread from polling until it is released. Between two turns of
 * releases a thread therefore processes what it holds and polls. Says only when, never what:
 * outputs do not depend on it.
 */
public final class ThreadProgress {
  private static final ThreadLocal<ThreadProgress> OF_THREAD =
      ThreadLocal.withInitial(() -> new ThreadProgress(System::nanoTime));

  /** One turn of releases while records come in. */
  private static final long SHORT = Duration.ofMillis(20).toNanos();

  /** While none do: still short enough to look for new ones. */
  private static final long LONG = Duration.ofMillis(50).toNanos();

  /**
   * All turns between two commits of a thread: its partitions share one transaction, which must end
   * long before the cluster aborts it ({@code transaction.timeout.ms}, 10 s).
   */
  private static final long BETWEEN_COMMITS = Duration.ofMillis(500).toNanos();

  private static final long NEVER = Long.MAX_VALUE;

  /** Time that this thread has spent on releases. */
  private long releasing;

  /** The same, at the last commit. */
  private long committed;

  /** Commits of this thread that had releases, or should have had. */
  private long commits;

  /** Partitions that have waited longest for time before a commit, as they go first. */
  private Waiting first = new Waiting();

  /** The same, of those that have no time before the next commit. */
  private Waiting next = new Waiting();

  /** Those that wait since the earliest commit. */
  private static final class Waiting {
    private long since = NEVER;
    private int partitions;

    private void add(long refused) {
      if (refused < since) {
        since = refused;
        partitions = 0;
      }
      partitions += refused == since ? 1 : 0;
    }
  }

  private long records;
  private long polls;

  private final LongSupplier nanos;

  ThreadProgress(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** The pace of this thread, which runs all processors of its tasks. */
  public static ThreadProgress ofThisThread() {
    return OF_THREAD.get();
  }

  /** This thread's consumer has brought records, so that none are left of those before. */
  public static void polled() {
    ofThisThread().polls++;
  }

  /** A record was processed. */
  public void processed() {
    records++;
  }

  /** This thread commits what its partitions have released. */
  public static void committing() {
    ofThisThread().commit();
  }

  void commit() {
    if (releasing > committed || next.partitions > 0) {
      committed = releasing;
      commits++;
      first = next;
      next = new Waiting();
    }
  }

  /** The turns of one partition's releases. */
  public Turns turns() {
    return new Turns();
  }

  /** When one partition may release. */
  public final class Turns implements Slices {
    private long began;
    private long length = LONG;

    /** Records when it was asked last. */
    private long recordsThen;

    /** Whether the last turn left something to release; what follows is as it was then. */
    private boolean owing;

    /** Commits before the first one and the last one for which there was no time for it. */
    private long waitingSince = NEVER;

    private long refused = NEVER;

    private long pollsThen;
    private long releasingThen;
    private long otherThen;

    private Turns() {}

    /** Begins a turn, unless records wait that came before the last one. */
    @Override
    public boolean begin() {
      boolean idle = records == recordsThen;
      recordsThen = records;
      began = nanos.getAsLong();
      if (owing && !idle && polls == pollsThen && !isEven()) {
        return false;
      }
      if (!fitsBeforeCommit()) {
        return false;
      }
      length = idle ? LONG : SHORT;
      releasingThen = releasing;
      return true;
    }

    @Override
    public boolean awaitsCommit() {
      return refused == commits;
    }

    /** Whether there is time before the next commit; those go first that have waited longest. */
    private boolean fitsBeforeCommit() {
      boolean longest = waitingSince == first.since;
      if (releasing - committed >= BETWEEN_COMMITS || (!longest && first.partitions > 0)) {
        refuse();
        return false;
      }
      if (first.partitions > 0) {
        first.partitions--;
      }
      waitingSince = NEVER;
      return true;
    }

    private void refuse() {
      if (refused != commits) {
        refused = commits;
        waitingSince = Math.min(waitingSince, commits);
        next.add(waitingSince);
      }
    }

    /** Whether all else had as much time as releases: where nobody tells of polls. */
    private boolean isEven() {
      return began - releasing - otherThen >= releasing - releasingThen;
    }

    /** Whether the turn may go on. */
    @Override
    public boolean mayContinue() {
      return nanos.getAsLong() - began < length;
    }

    /**
     * Ends a turn.
     *
     * @param left whether something is left to release
     */
    @Override
    public void end(boolean left) {
      long now = nanos.getAsLong();
      releasing += now - began;
      owing = left;
      recordsThen = records;
      pollsThen = polls;
      otherThen = now - releasing;
    }
  }
}
