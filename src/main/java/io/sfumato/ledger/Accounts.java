// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.console.Visible;
import io.sfumato.pipeline.AccountSpec;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which claims hold, by log order: the first one fixes the account's totals and unit; one that
 * contradicts them or does not fit is void, now and for ever. A ledger that goes on under another
 * budget's name takes its place. What fits is decided by {@link AccountLoss}.
 */
final class Accounts {
  private Accounts() {}

  /**
   * The claims of one account that hold.
   *
   * @param log what counts, in log order; of a budget that claims more than once about the same
   *     periods the largest that fits
   * @param continued for a budget the one that its ledger goes on as
   */
  static List<Claim> holding(String account, List<Claim> log, Map<String, String> continued) {
    List<Claim> holding = new ArrayList<>();
    for (Claim claim : log) {
      boolean speaksOfIt =
          claim.account().name().equals(account)
              && (holding.isEmpty() || holding.get(0).agreesWith(claim));
      if (!speaksOfIt || contradictsPredecessor(claim, holding, continued)) {
        continue;
      }
      List<Claim> withIt = with(holding, claim);
      if (onlySaysWindows(claim, holding) || excess(withIt, continued).isEmpty()) {
        holding = withIt;
      }
    }
    return holding;
  }

  private static boolean contradictsPredecessor(
      Claim claim, List<Claim> holding, Map<String, String> continued) {
    return holding.stream()
        .anyMatch(
            old -> claim.budget().equals(continued.get(old.budget())) && !old.sameShare(claim));
  }

  /** Whether a claim that holds is made again, with the windows that it did not say: it stays. */
  private static boolean onlySaysWindows(Claim claim, List<Claim> holding) {
    return holding.stream()
        .anyMatch(
            old ->
                old.windows().isEmpty()
                    && old.isOfSameBudget(claim)
                    && old.isOfSamePeriods(claim)
                    && old.sameShare(claim));
  }

  private static List<Claim> with(List<Claim> holding, Claim claim) {
    List<Claim> withIt = new ArrayList<>(holding);
    Optional<Claim> same =
        holding.stream()
            .filter(old -> old.isOfSameBudget(claim) && old.isOfSamePeriods(claim))
            .findFirst();
    if (same.isPresent()) {
      withIt.set(holding.indexOf(same.get()), same.get().larger(claim));
    } else {
      withIt.add(claim);
    }
    return withIt;
  }

  private static Optional<AccountLoss.Excess> excess(
      List<Claim> claims, Map<String, String> continued) {
    AccountSpec account = claims.get(0).account();
    List<Claim> counted = new ArrayList<>(claims);
    for (Claim heir : claims) {
      // The loss of a ledger that goes on is counted where it began.
      Optional<Claim> old =
          counted.stream()
              .filter(claim -> heir.budget().equals(continued.get(claim.budget())))
              .filter(heir::isOfSamePeriods)
              .findFirst();
      if (old.isPresent()) {
        counted.set(counted.indexOf(old.get()), old.get().larger(heir));
        counted.remove(heir);
      }
    }
    return AccountLoss.excess(counted, account);
  }

  /**
   * Refuses a file that says something else than what its budget was granted.
   *
   * @param mine what the file says
   */
  static void requireSame(Claim mine, Claim granted) throws RefusedException {
    boolean same =
        granted.agreesWith(mine) && granted.isOfSamePeriods(mine) && granted.sameShare(mine);
    if (!same) {
      throw refused(
          "budget '%s' claimed epsilon %s, delta %s per %s of account '%s' (%s, %s) before; the file says %s, %s per %s of '%s' (%s, %s), or has windows of another size or origin. What was granted stays: put it back"
              .formatted(
                  mine.budget(),
                  granted.epsilon(),
                  granted.delta(),
                  Visible.of(granted.period()),
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
   * Refuses a budget whose claim does not hold.
   *
   * @param mine what the file says
   * @param log with the claim that was made for this budget
   */
  static void require(Claim mine, List<Claim> log, Map<String, String> continued)
      throws RefusedException {
    List<Claim> holding = holding(mine.account().name(), log, continued);
    if (holding.stream().anyMatch(held -> held.covers(mine))) {
      return;
    }
    Claim first = holding.isEmpty() ? mine : holding.get(0);
    if (!first.agreesWith(mine)) {
      throw refused(
          "field 'budget.account': account '%s' was fixed by its first budget '%s' at epsilon %s, delta %s, unit %s; the file of budget '%s' says %s, %s, unit %s, which does not fit. Please agree on the account in all files, or name another account"
              .formatted(
                  mine.account().name(),
                  Visible.of(first.budget()),
                  first.account().epsilon(),
                  first.account().delta(),
                  Visible.of(first.unit()),
                  mine.budget(),
                  mine.account().epsilon(),
                  mine.account().delta(),
                  mine.unit()));
    }
    if (contradictsPredecessor(mine, holding, continued)) {
      throw refused(
          "field 'budget': the ledger that budget '%s' goes on with had another share of account '%s'. Write that budget's epsilon and delta"
              .formatted(mine.budget(), mine.account().name()));
    }
    throw refused(
        "field 'budget.account': budget '%s' does not fit account '%s': account '%s' has epsilon %s, delta %s (unit %s), but %s"
            .formatted(
                mine.budget(),
                mine.account().name(),
                mine.account().name(),
                first.account().epsilon(),
                first.account().delta(),
                Visible.of(first.unit()),
                excess(with(holding, mine), continued)
                    .map(AccountLoss.Excess::reason)
                    .orElse("another budget's claim came first; start again")));
  }

  private static RefusedException refused(String message) {
    return new RefusedException(ExitCode.REFUSED_FILE, message);
  }
}
