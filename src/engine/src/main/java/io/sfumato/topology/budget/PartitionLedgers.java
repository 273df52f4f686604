// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.budget;

import io.sfumato.accounting.Period;
import io.sfumato.topology.store.StagedWrites;
import io.sfumato.topology.version.LedgerFloor;
import io.sfumato.topology.version.MetaStore;

/**
 * The ledgers of one journal partition.
 *
 * @param store all of them
 * @param totals how many charges they hold
 * @param past deletes those of budget periods that are over
 */
public record PartitionLedgers(LedgerStore store, LedgerTotals totals, ExpiredLedgers past) {
  /**
   * Those of a store.
   *
   * @param meta store of the partition's facts, where charges are counted
   * @param facts the same store
   * @param floor no window that starts before it is ever released: of an imported ledger
   */
  public static PartitionLedgers of(
      StagedWrites ledgers, StagedWrites meta, MetaStore facts, Period period, LedgerFloor floor) {
    LedgerStore store = new LedgerStore(ledgers);
    LedgerTotals totals = new LedgerTotals(meta);
    store.addListener(totals);
    return new PartitionLedgers(store, totals, new ExpiredLedgers(period, store, facts, floor));
  }
}
