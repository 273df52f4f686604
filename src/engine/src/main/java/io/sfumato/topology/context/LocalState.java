// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.context;

import java.time.Duration;
import org.apache.kafka.common.TopicPartition;

/**
 * What the stores on this machine's disk must know of the instance that they belong to: which of
 * its transactions were committed, and how old a copy may be.
 *
 * <p>Compaction removes a deletion from a changelog once it is older than the topic's {@code
 * delete.retention.ms}. A copy that goes on from before it never hears of it, and what was deleted
 * is back. So a copy that was not up to date for half of that time is made anew; the other half is
 * left for reading what is missing, and for clocks that disagree.
 */
public interface LocalState {
  /** How long changelogs that this program creates keep deletions. */
  Duration DELETIONS_KEPT = Duration.ofDays(7);

  /** With less than this a pipeline does not start: a restart could outlast it. */
  Duration LEAST_DELETIONS_KEPT = Duration.ofHours(1);

  /**
   * Where a store on disk keeps the time at which it was last up to date: beside the offsets of
   * changelogs, as if it were one. Part of the state on disk.
   */
  TopicPartition UP_TO_DATE = new TopicPartition("sfumato-up-to-date", 0);

  /** A transaction of one stream thread. */
  interface Transaction {
    /** False as long as nobody knows, and for ever if it was aborted. */
    boolean isCommitted();
  }

  /** The transaction that whatever this thread writes now will be part of. */
  Transaction transaction();

  /** Wall-clock time, in milliseconds since 1970. */
  long now();

  /** Whether a copy that was up to date then must not be gone on with. */
  boolean isTooOld(long upToDate);

  /** A copy is in use: it is told how far it has come until it is closed. */
  void opened(LocalCopy copy);

  /** A copy is not in use any more. */
  void closed(LocalCopy copy);

  /**
   * Called before a task begins to work, whatever it did before: a process may have stood still for
   * days, with all its stores open.
   *
   * @throws OutOfDateException if a copy in use has become too old
   */
  void requireUpToDate();

  /** Where no disk outlives the process: tests, drawings, audits. */
  static LocalState none() {
    return new LocalState() {
      @Override
      public Transaction transaction() {
        return () -> true;
      }

      @Override
      public long now() {
        return 0;
      }

      @Override
      public boolean isTooOld(long upToDate) {
        return false;
      }

      @Override
      public void opened(LocalCopy copy) {}

      @Override
      public void closed(LocalCopy copy) {}

      @Override
      public void requireUpToDate() {}
    };
  }
}
