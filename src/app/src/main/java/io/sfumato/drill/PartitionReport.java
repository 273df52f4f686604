// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.drill;

import java.util.List;

/**
 * What the drill found in one partition.
 *
 * @param partition from 0
 * @param isOfOneMoment whether all its changelogs were restored up to the same moment
 * @param stores each of them
 * @param ledgers the comparison of the ledgers with their total
 */
public record PartitionReport(
    int partition,
    boolean isOfOneMoment,
    List<StoreReport> stores,
    LedgerComparison.Outcome ledgers) {
  public PartitionReport {
    stores = List.copyOf(stores);
  }

  /** What it comes to. */
  public Verdict verdict() {
    boolean differs = stores.stream().anyMatch(store -> store.differences() > 0);
    if (differs
        || ledgers == LedgerComparison.Outcome.DIFFERENT
        || ledgers == LedgerComparison.Outcome.BEHIND) {
      return Verdict.DIFFERENT;
    }
    return ledgers == LedgerComparison.Outcome.UNSETTLED ? Verdict.UNSETTLED : Verdict.SAME;
  }
}
