// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.contributions;

import io.sfumato.accounting.Ledger;
import io.sfumato.gate.LedgerRule;
import io.sfumato.topology.budget.ExpiredLedgers;
import io.sfumato.topology.budget.LedgerStore;

/**
 * What users have spent of one output's share.
 *
 * @param share its name
 * @param rule that admits charges
 * @param ledgers of all shares
 * @param periods which of them are over
 */
public record UserLedgers(
    String share, LedgerRule rule, LedgerStore ledgers, ExpiredLedgers periods) {
  /** How many of so many charges fit, one after the other. */
  public int admits(String user, long windowStart, int most) {
    Ledger ledger = ledgers.get(key(user, windowStart));
    int fit = 0;
    while (fit < most && rule.admits(ledger)) {
      ledger = rule.plus(ledger);
      fit++;
    }
    return fit;
  }

  /** How many charges there are, of whatever mechanism. */
  public long charges(String user, long windowStart) {
    return ledgers.get(key(user, windowStart)).size();
  }

  /**
   * Makes several charges.
   *
   * @throws IllegalStateException if one of them does not fit; nothing is charged then
   */
  public void charge(String user, long windowStart, int times) {
    LedgerStore.Key key = key(user, windowStart);
    Ledger ledger = ledgers.get(key);
    for (int i = 0; i < times; i++) {
      ledger = rule.plus(ledger);
    }
    ledgers.put(key, ledger);
  }

  private LedgerStore.Key key(String user, long windowStart) {
    return new LedgerStore.Key(periods.chargeable(windowStart), share, user);
  }
}
