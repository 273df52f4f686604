// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.drill;

import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import io.sfumato.topology.LedgerImage;
import io.sfumato.topology.StateCounts;
import io.sfumato.topology.context.PartitionCount;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Compares the charges in a partition's restored ledgers with the number that the restored facts of
 * its keeper name: both are written in the transaction that charges, so they agree at any one
 * moment.
 */
public final class LedgerComparison {
  private final int partition;
  private final int partitions;
  private final StateCounts facts = new StateCounts(LedgerImage.META);
  private long charges;
  private boolean moved;

  /**
   * @param partitions of the ledgers' changelog
   */
  LedgerComparison(int partition, int partitions) {
    this.partition = partition;
    this.partitions = partitions;
  }

  /** What a comparison came to. */
  public enum Outcome {
    /** The restored ledgers hold as many charges as the rest of the state says. */
    EQUAL,
    /** They hold more or fewer. */
    DIFFERENT,
    /** They differ, and were written meanwhile: they may be of two moments. */
    UNSETTLED,
    /** The restored state is older than the registry's last count: charges are missing. */
    BEHIND,
    /** The state has not counted its charges yet. */
    NOT_COUNTED
  }

  /** Adds up all ledgers. */
  void ledgers(SortedRows rows) throws RefusedException {
    for (; rows.isValid(); rows.next()) {
      if (LedgerImage.partitionOf(rows.key(), partitions) != partition) {
        throw new RefusedException(
            ExitCode.STOPPED,
            "the ledgers of partition %d hold one of another partition: their changelog is not what the pipeline wrote. See docs/operate/backup.md"
                .formatted(partition));
      }
      charges = Math.addExact(charges, LedgerImage.chargesOf(rows.value()));
    }
  }

  /** Takes in the keeper's facts. */
  void facts(SortedRows rows) throws RefusedException {
    for (; rows.isValid(); rows.next()) {
      facts.apply(partition, rows.key(), rows.value());
    }
  }

  /** Either store was written after the cut, so that entries of the cut may be gone. */
  void moved() {
    moved = true;
  }

  /**
   * What it comes to.
   *
   * @param counted how far the partition was when its charges were last counted, before the cut
   */
  Outcome outcome(boolean isOfOneMoment, Optional<PartitionCount> counted) {
    if (counted.filter(facts.count(partition, charges)::isBehind).isPresent()) {
      return moved ? Outcome.UNSETTLED : Outcome.BEHIND;
    }
    OptionalLong expected = facts.held(partition);
    if (expected.isEmpty()) {
      return Outcome.NOT_COUNTED;
    }
    if (expected.getAsLong() == charges) {
      return Outcome.EQUAL;
    }
    return moved || !isOfOneMoment ? Outcome.UNSETTLED : Outcome.DIFFERENT;
  }
}
