// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.pipeline.AccountSpec;
import io.sfumato.pipeline.BudgetSpec;

/**
 * A budget's fixed share of an account.
 *
 * @param account that it is taken from, as the claimant understands it
 * @param budget that claims
 * @param unit what is protected
 * @param period how long the budget lasts
 * @param epsilon of the budget
 * @param delta of the budget
 */
public record Claim(
    AccountSpec account, String budget, String unit, String period, Epsilon epsilon, Delta delta) {

  static Claim of(BudgetSpec budget, AccountSpec account) {
    return new Claim(
        account,
        budget.name(),
        budget.unit().word(),
        budget.period().word(),
        budget.epsilon(),
        budget.delta());
  }

  boolean isOfSameBudget(Claim other) {
    return budget.equals(other.budget);
  }

  /** Whether both mean the same account: the same name, totals, unit and period. */
  boolean agreesWith(Claim other) {
    return account.name().equals(other.account.name())
        && account.epsilon().compareTo(other.account.epsilon()) == 0
        && account.delta().compareTo(other.account.delta()) == 0
        && unit.equals(other.unit)
        && period.equals(other.period);
  }

  boolean sameShare(Claim other) {
    return epsilon.compareTo(other.epsilon) == 0 && delta.compareTo(other.delta) == 0;
  }
}
