// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.Period;
import io.sfumato.accounting.PrivacyUnit;
import java.util.Optional;

/**
 * What all outputs about one subject may spend together in one period.
 *
 * @param name of the budget: its ledger outlives pipeline files
 * @param unit what is protected
 * @param epsilon with delta, the guarantee per subject and period
 * @param delta with epsilon
 * @param period how long one ledger lasts
 * @param account of which this budget takes a fixed share, where several pipelines read the same
 *     subjects
 */
public record BudgetSpec(
    String name,
    PrivacyUnit unit,
    Epsilon epsilon,
    Delta delta,
    Period period,
    Optional<AccountSpec> account) {

  /** The period, if it is every span of a length. */
  public Optional<Period.Span> anySpan() {
    return period instanceof Period.Span span ? Optional.of(span) : Optional.empty();
  }
}
