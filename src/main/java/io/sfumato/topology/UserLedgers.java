// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.release.Plan;
import java.util.List;

/**
 * What users of a population pipeline have spent. A window costs a user one charge of every output,
 * for all subjects together: the losses of C records add up to no more than if all were in one
 * subject, since no curve, divided by the number of records, falls with it. Running counts' charges
 * contain what windows lose together (docs/privacy.md, Theorem E).
 */
final class UserLedgers {
  private final List<LedgerCharging> outputs;

  private UserLedgers(List<LedgerCharging> outputs) {
    this.outputs = List.copyOf(outputs);
  }

  static UserLedgers of(Plan plan, Terms terms, LedgerStore store, PastPeriods periods) {
    // Who has spent how much tells who was there: nobody is told.
    BudgetCensus census = new BudgetCensus(store, periods::live);
    return new UserLedgers(
        plan.releases().stream()
            .map(
                release ->
                    new LedgerCharging(
                        release, terms, store, periods, census, PipelineMeters.none()))
            .toList());
  }

  /**
   * Charges one window of a user for every output, or for none.
   *
   * @return whether it was charged
   */
  boolean charge(String user, long windowStart) {
    if (!outputs.stream().allMatch(output -> output.admits(user, windowStart))) {
      return false;
    }
    outputs.forEach(output -> output.charge(user, windowStart));
    return true;
  }
}
