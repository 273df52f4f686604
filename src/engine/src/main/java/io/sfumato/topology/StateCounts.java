// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.gate.StateEpoch;
import io.sfumato.topology.budget.ChargeReport;
import io.sfumato.topology.budget.LedgerTotals;
import io.sfumato.topology.context.PartitionCount;
import io.sfumato.topology.version.MetaStore;
import io.sfumato.topology.version.StateIdentity;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.common.utils.Bytes;

/**
 * How far the partitions of one keeper are by a changelog of its facts, taken in in the order of
 * each partition.
 */
public final class StateCounts {
  private final String keeper;
  private final Map<Integer, StateEpoch> epochs = new HashMap<>();
  private final Map<Integer, Long> positions = new HashMap<>();
  private final Map<Integer, Long> decided = new HashMap<>();
  private final Map<Integer, LedgerTotals.Totals> totals = new HashMap<>();

  /**
   * @param keeper name of the store of its facts
   */
  public StateCounts(String keeper) {
    this.keeper = keeper;
  }

  /** A record of the changelog. */
  public void apply(int partition, byte[] key, byte[] value) {
    Bytes row = Bytes.wrap(key);
    if (value == null) {
      return; // none of these rows is ever deleted
    }
    if (row.equals(MetaStore.POSITION)) {
      positions.put(partition, MetaStore.positionOf(value));
    } else if (row.equals(MetaStore.IDENTITY)) {
      epochs.put(partition, StateIdentity.decode(value).epoch());
    } else if (row.equals(LedgerTotals.KEY)) {
      totals.put(partition, LedgerTotals.Totals.decode(value));
    } else {
      ChargeReport.decided(row, value).ifPresent(time -> decided.put(partition, time));
    }
  }

  /**
   * Number of charges in a partition's ledgers as the keeper's facts have it; nothing as long as
   * imported ledgers are not counted.
   */
  public OptionalLong held(int partition) {
    LedgerTotals.Totals found = totals.get(partition);
    return found == null ? OptionalLong.empty() : OptionalLong.of(found.held());
  }

  /**
   * The count of a partition.
   *
   * @param held number of charges in its ledgers, for a state that does not count those ever made
   */
  public PartitionCount count(int partition, long held) {
    LedgerTotals.Totals found = totals.get(partition);
    return new PartitionCount(
        new PartitionCount.Place(keeper, partition),
        Optional.ofNullable(epochs.get(partition)),
        positions.getOrDefault(partition, -1L),
        found == null ? held : found.made(),
        decided.getOrDefault(partition, Long.MIN_VALUE));
  }
}
