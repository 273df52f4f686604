// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.setting;

import java.time.Duration;

/**
 * Shares a thread between releases and records. Kafka Streams polls only when all records that it
 * holds are processed, and runs punctuations after every few of them: without rests, a window of a
 * million subjects would keep a thread from polling until it is released. Between two turns of
 * releases a thread therefore processes what it holds and polls. Says only when, never what:
 * outputs do not depend on it.
 */
public final class Pace {
  private static final ThreadLocal<Pace> OF_THREAD = ThreadLocal.withInitial(Pace::new);

  /** One turn of releases while records come in. */
  private static final long SHORT = Duration.ofMillis(20).toNanos();

  /** While none do: still short enough to look for new ones. */
  private static final long LONG = Duration.ofMillis(50).toNanos();

  /** Time that this thread has spent on releases. */
  private long releasing;

  private long records;
  private long polls;

  private Pace() {}

  /** The pace of this thread, which runs all processors of its tasks. */
  public static Pace ofThisThread() {
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

    private long pollsThen;
    private long releasingThen;
    private long otherThen;

    private Turns() {}

    /** Begins a turn, unless records wait that came before the last one. */
    @Override
    public boolean begin() {
      boolean idle = records == recordsThen;
      recordsThen = records;
      began = System.nanoTime();
      if (owing && !idle && polls == pollsThen && !isEven()) {
        return false;
      }
      length = idle ? LONG : SHORT;
      releasingThen = releasing;
      return true;
    }

    /** Whether all else had as much time as releases: where nobody tells of polls. */
    private boolean isEven() {
      return began - releasing - otherThen >= releasing - releasingThen;
    }

    /** Whether the turn may go on. */
    @Override
    public boolean mayContinue() {
      return System.nanoTime() - began < length;
    }

    /**
     * Ends a turn.
     *
     * @param left whether something is left to release
     */
    @Override
    public void end(boolean left) {
      long now = System.nanoTime();
      releasing += now - began;
      owing = left;
      recordsThen = records;
      pollsThen = polls;
      otherThen = now - releasing;
    }
  }
}
