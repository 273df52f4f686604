// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import io.sfumato.text.ControlCharEscaper;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether an account covers a budget beside those that claimed before: the first of them fixes the
 * account's totals and unit, and all of them count. What they cost is worked out by {@link
 * AccountLoss}.
 */
final class Accounts {
  private Accounts() {}

  /**
   * Refuses a file that says something else than what its budget was granted.
   *
   * @param mine what the file says
   */
  static void requireSame(AccountClaim mine, AccountClaim granted) throws RefusedException {
    boolean same =
        granted.agreesWith(mine) && granted.isOfSamePeriods(mine) && granted.hasSameLosses(mine);
    if (!same) {
      throw refused(
          "budget '%s' claimed epsilon %s, delta %s per %s of account '%s' (%s, %s) before; the file says %s, %s per %s of '%s' (%s, %s), or has windows of another size or origin. A grant cannot change: restore the former values"
              .formatted(
                  mine.budget(),
                  granted.epsilon(),
                  granted.delta(),
                  ControlCharEscaper.of(granted.period()),
                  granted.account().name(),
                  granted.account().epsilon(),
                  granted.account().delta(),
                  mine.epsilon(),
                  mine.delta(),
                  mine.period(),
                  mine.account().name(),
                  mine.account().epsilon(),
                  mine.account().delta()));
    }
  }

  /**
   * Refuses a budget that does not fit.
   *
   * @param mine what the file says
   * @param others claims that stand before it in the log, in its order
   */
  static void require(AccountClaim mine, List<AccountClaim> others) throws RefusedException {
    Optional<AccountClaim> differs =
        others.stream().filter(claim -> !claim.agreesWith(mine)).findFirst();
    if (differs.isPresent()) {
      throw disagreement(mine, differs.get());
    }
    List<AccountClaim> all = new ArrayList<>();
    others.forEach(claim -> count(claim, all));
    count(mine, all);
    Optional<AccountLoss.Excess> excess = AccountLoss.excess(all, mine.account());
    if (excess.isPresent()) {
      throw refused(
          "field 'budget.account': budget '%s' does not fit account '%s': account '%s' has epsilon %s, delta %s (unit %s), but %s"
              .formatted(
                  mine.budget(),
                  mine.account().name(),
                  mine.account().name(),
                  mine.account().epsilon(),
                  mine.account().delta(),
                  mine.unit(),
                  excess.get().reason()));
    }
  }

  /** Adds a claim, unless it is of a share that is counted already: the larger of both is, then. */
  private static void count(AccountClaim claim, List<AccountClaim> counted) {
    for (int i = 0; i < counted.size(); i++) {
      AccountClaim before = counted.get(i);
      if (before.isOfSameShare(claim) && before.isOfSamePeriods(claim)) {
        counted.set(i, claim.larger(before));
        return;
      }
    }
    counted.add(claim);
  }

  private static RefusedException disagreement(AccountClaim mine, AccountClaim before) {
    return refused(
        "field 'budget.account': budget '%s' claimed a share of account '%s' at epsilon %s, delta %s, unit %s before; the file of budget '%s' says %s, %s, unit %s, which does not fit. Write the same totals in all files of the account, or name another account"
            .formatted(
                ControlCharEscaper.of(before.budget()),
                mine.account().name(),
                before.account().epsilon(),
                before.account().delta(),
                ControlCharEscaper.of(before.unit()),
                mine.budget(),
                mine.account().epsilon(),
                mine.account().delta(),
                mine.unit()));
  }

  private static RefusedException refused(String message) {
    return new RefusedException(ExitCode.REFUSED_FILE, message);
  }
}
