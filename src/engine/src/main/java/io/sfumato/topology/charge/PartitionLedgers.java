// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.charge;

import io.sfumato.accounting.Period;
import io.sfumato.topology.lineage.LedgerFloor;
import io.sfumato.topology.lineage.MetaStore;
import io.sfumato.topology.store.StagedStore;

/**
 * The ledgers of one journal partition.
 *
 * @param store all of them
 * @param totals how many charges they hold
 * @param past deletes those of budget periods that are over
 */
public record PartitionLedgers(LedgerStore store, LedgerTotals totals, PastPeriods past) {
  /**
   * Those of a store.
   *
   * @param meta store of the partition's facts, where charges are counted
   * @param facts the same store
   * @param floor no window that starts before it is ever released: of an imported ledger
   */
  public static PartitionLedgers of(
      StagedStore ledgers, StagedStore meta, MetaStore facts, Period period, LedgerFloor floor) {
    LedgerStore store = new LedgerStore(ledgers);
    LedgerTotals totals = new LedgerTotals(meta);
    store.addListener(totals);
    return new PartitionLedgers(store, totals, new PastPeriods(period, store, facts, floor));
  }
}
