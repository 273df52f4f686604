// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.users;

import io.sfumato.release.Plan;
import io.sfumato.topology.charge.BudgetCensus;
import io.sfumato.topology.charge.LedgerCharger;
import io.sfumato.topology.charge.LedgerStore;
import io.sfumato.topology.charge.PastPeriods;
import io.sfumato.topology.lineage.BudgetTerms;
import io.sfumato.topology.setting.PipelineMeters;
import java.util.List;

/**
 * What users of a population pipeline have spent. A window costs a user one charge of every output,
 * for all subjects together: the losses of C records add up to no more than if all were in one
 * subject, since no curve, divided by the number of records, falls with it. Running counts' charges
 * contain what windows lose together (docs/privacy.md, Theorem E).
 */
public final class UserCharger {
  private final List<LedgerCharger> outputs;

  private UserCharger(List<LedgerCharger> outputs) {
    this.outputs = List.copyOf(outputs);
  }

  /** That of a plan, under the terms that its budget was granted. */
  public static UserCharger of(
      Plan plan, BudgetTerms terms, LedgerStore store, PastPeriods periods) {
    // Who has spent how much tells who was there: nobody is told.
    BudgetCensus census = new BudgetCensus(store, periods::live);
    return new UserCharger(
        plan.releases().stream()
            .map(
                release ->
                    new LedgerCharger(
                        release, terms, store, periods, census, PipelineMeters.none()))
            .toList());
  }

  /**
   * Charges one window of a user for every output, or for none.
   *
   * @return whether it was charged
   */
  public boolean charge(String user, long windowStart) {
    if (!outputs.stream().allMatch(output -> output.admits(user, windowStart))) {
      return false;
    }
    outputs.forEach(output -> output.charge(user, windowStart));
    return true;
  }
}
