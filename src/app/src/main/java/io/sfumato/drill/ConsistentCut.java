// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.drill;

import io.sfumato.runtime.RefusedException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.TopicPartition;

/**
 * Where the changelogs of one partition ended at one moment. One transaction writes several of
 * them, and brokers mark its end in one changelog after the other. So the ends that one question
 * after the other finds may contain half a transaction: the charge, say, and not the total.
 *
 * <p>A cut is of one moment if two looks in a row find the same ends, and every changelog without
 * an open transaction. Each end only grows, so between the two looks no changelog changed, and in
 * none of them was a transaction open: each transaction is marked in all changelogs that it wrote,
 * or has written nothing yet. The pipeline puts off its writes until it commits, so that its
 * changelogs are at rest most of the time, however busy it is.
 *
 * <p>A restoration by Kafka Streams begins at such a moment too: before, the transaction of the
 * instance that worked on the partition is ended.
 *
 * @param ends the offset after the last committed entry, by changelog
 * @param isOfOneMoment whether no transaction can be there by half
 */
record ConsistentCut(Map<TopicPartition, Long> ends, boolean isOfOneMoment) {
  ConsistentCut {
    ends = Map.copyOf(ends);
  }

  /** Asks brokers for the ends of changelogs. */
  interface Ends {
    /** The offset after the last entry that is not part of an open transaction. */
    Map<TopicPartition, Long> committed(Collection<TopicPartition> changelogs)
        throws RefusedException;

    /** The offset after the last entry. */
    Map<TopicPartition, Long> all(Collection<TopicPartition> changelogs) throws RefusedException;
  }

  /**
   * Looks until two looks agree.
   *
   * @param again is asked after each look that does not agree with the one before
   * @return the last committed ends if that never happened
   */
  static ConsistentCut find(Ends ends, Collection<TopicPartition> changelogs, BooleanSupplier again)
      throws RefusedException {
    Look before = look(ends, changelogs);
    while (true) {
      Look now = look(ends, changelogs);
      if (now.isSettled() && now.equals(before)) {
        return new ConsistentCut(now.committed(), true);
      }
      if (!again.getAsBoolean()) {
        return new ConsistentCut(now.committed(), false);
      }
      before = now;
    }
  }

  /** What one look found, committed ends first. */
  private record Look(Map<TopicPartition, Long> committed, Map<TopicPartition, Long> all) {
    boolean isSettled() {
      return committed.equals(all);
    }
  }

  private static Look look(Ends ends, Collection<TopicPartition> changelogs)
      throws RefusedException {
    Map<TopicPartition, Long> committed = new HashMap<>(ends.committed(changelogs));
    return new Look(committed, new HashMap<>(ends.all(changelogs)));
  }
}
