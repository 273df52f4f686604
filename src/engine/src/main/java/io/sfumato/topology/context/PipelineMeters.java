// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.context;

import io.sfumato.serde.RejectionCode;
import java.util.OptionalLong;

/**
 * What the topology tells the operator while it runs. Called once an attempt, also by attempts that
 * are later aborted: for watching, not for accounting. Never receives a subject or a value.
 */
public interface PipelineMeters {
  /** A record was accepted into the journal. */
  default void accepted() {}

  /** A record was passed over: the file's filter does not select it, or it is a tombstone. */
  default void unselected() {}

  /** A keeper has taken accepted records into their datasets. */
  default void observed(int records) {}

  /** A record was refused or dropped. */
  default void rejected(RejectionCode code) {}

  /** A refused record was a tick whose time is {@link RejectionCode#TIME_OUT_OF_RANGE}. */
  default void tickOutOfRange() {}

  /**
   * A tick of this budget was taken, whether or not it moved a clock.
   *
   * @param source its number by {@link SourceTopics}
   * @param time that it told, milliseconds since 1970
   */
  default void tickTaken(int source, long time) {}

  /** A tick was passed over that is for another budget's clock. */
  default void tickOfOtherBudget() {}

  /** A keeper partition has released every subject of the windows that end by {@code end}. */
  default void closed(int partition, long end) {}

  /** The same of a partition that comes to this instance: that was done before it came. */
  default void resumed(int partition, long end) {
    closed(partition, end);
  }

  /**
   * A keeper partition has released all windows before {@code from}: it releases no more of them,
   * and the next version of the file can start.
   *
   * @param version that is waited for
   */
  default void handedOver(int partition, int version, long from) {}

  /**
   * A partition of users has closed the window at which another version was to take over, so that
   * nobody hands over.
   *
   * @param version that was announced too late
   */
  default void announcedTooLate(int partition, int version, long from) {}

  /** Another version is announced: a keeper partition that waited for one may go on. */
  default void announced(int partition) {}

  /**
   * A keeper partition has deleted open data of {@code subjects} subjects, as told; after a commit.
   */
  default void forgot(int partition, int subjects) {}

  /** The number of the source that holds the next boundary back, or -1 if none does. */
  default void heldBackBy(int partition, int source) {}

  /** An output of a keeper partition was drawn and charged. */
  default void released(int partition, String output) {}

  /** A share was charged for one draw, or for one query. */
  default void charged(String share, String mechanism) {}

  /** What the subjects of a keeper partition have spent of a share; after a commit. */
  default void spent(int partition, String share, SpentShares spent) {}

  /** A query was accepted that will have {@code candidates} candidates. */
  default void queryAccepted(String output, int candidates) {}

  /**
   * How far event time has come in a keeper partition.
   *
   * @param foremost window end that the foremost source partition has passed
   * @param all window end that all have passed, if they have
   */
  default void passed(int partition, long foremost, OptionalLong all) {}

  /** A keeper partition is no longer this instance's: nothing is known of it. */
  default void left(int partition) {}

  /** A release was refused and the refusal published. */
  default void refused(String output, String code) {}

  /** A release of an exhausted subject was passed over in silence. */
  default void silent(String output) {}

  /** A weak learner failed so often while a subject's density was fitted; it may be 0. */
  default void learnerFailed(String output, int times) {}

  /** Records of a subject that is not enrolled in their window were dropped when it closed. */
  default void notEnrolled(long records) {}

  /** Meters that nobody reads. */
  static PipelineMeters none() {
    return new PipelineMeters() {};
  }
}
