// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate;

import io.sfumato.accounting.BudgetShare;
import io.sfumato.accounting.PrivacyCost;
import io.sfumato.accounting.PrivacyFilter;
import io.sfumato.mechanism.Mechanism;

/**
 * A share with its counting fixed, and the mechanism that spends it.
 *
 * @param <M> the mechanism
 * @param share with its order and cap, or its number of draws
 * @param mechanism with its parameters
 */
public record Calibrated<M extends Mechanism<?, ?>>(BudgetShare share, M mechanism) {
  /** What a request asked for. */
  public static <M extends Mechanism<?, ?>> Calibrated<M> of(
      CalibrationTarget request, PrivacyFilter filter, M mechanism) {
    return new Calibrated<>(
        new BudgetShare(request.name(), request.epsilon(), request.delta(), filter), mechanism);
  }

  /**
   * The same share, which affords no more draws than these.
   *
   * @param draws at least 1
   */
  public Calibrated<M> noMoreThan(long draws) {
    PrivacyFilter filter = share.filter();
    return new Calibrated<>(
        new BudgetShare(
            share.name(),
            share.epsilon(),
            share.delta(),
            filter.withCap(filter.cost(charge()) * draws)),
        mechanism);
  }

  /** What one draw costs. */
  public PrivacyCost charge() {
    return mechanism.charge();
  }

  /** How many draws the share affords. */
  public long releases() {
    return share.affords(charge());
  }

  /** The order at which the share counts; else the best one to report all its draws at. */
  public double reportedOrder() {
    return share.reportedOrder(charge());
  }
}
