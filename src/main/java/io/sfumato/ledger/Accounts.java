// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.console.Visible;
import io.sfumato.pipeline.AccountSpec;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which claims hold, by log order: the first one fixes the account's totals, unit and period; one
 * that contradicts them or does not fit is void, now and for ever. A ledger that goes on under
 * another budget's name takes its place.
 */
final class Accounts {
  private Accounts() {}

  /**
   * The claims of one account that hold.
   *
   * @param log what counts, in log order; of a budget that claims more than once the largest that
   *     fits
   * @param continued for a budget the one that its ledger goes on as
   */
  static List<Claim> holding(String account, List<Claim> log, Map<String, String> continued) {
    List<Claim> holding = new ArrayList<>();
    for (Claim claim : log) {
      boolean speaksOfIt =
          claim.account().name().equals(account)
              && (holding.isEmpty() || holding.get(0).agreesWith(claim));
      if (!speaksOfIt) {
        continue;
      }
      Optional<Claim> before =
          holding.stream()
              .filter(old -> claim.budget().equals(continued.get(old.budget())))
              .findFirst();
      if (before.isPresent() && !before.get().sameShare(claim)) {
        continue;
      }
      List<Claim> withIt = with(holding, claim);
      if (fits(withIt, claim.account(), continued)) {
        holding = withIt;
      }
    }
    return holding;
  }

  private static List<Claim> with(List<Claim> holding, Claim claim) {
    List<Claim> withIt = new ArrayList<>(holding);
    Optional<Claim> same = holding.stream().filter(claim::isOfSameBudget).findFirst();
    if (same.isPresent()) {
      withIt.set(holding.indexOf(same.get()), same.get().larger(claim));
    } else {
      withIt.add(claim);
    }
    return withIt;
  }

  private static boolean fits(
      List<Claim> claims, AccountSpec account, Map<String, String> continued) {
    BigDecimal epsilon = BigDecimal.ZERO;
    BigDecimal delta = BigDecimal.ZERO;
    for (Claim claim : claims) {
      // The loss of a ledger that goes on was counted where it began.
      boolean counted =
          claims.stream().noneMatch(old -> claim.budget().equals(continued.get(old.budget())));
      if (counted) {
        epsilon = epsilon.add(claim.epsilon().value());
        delta = delta.add(claim.delta().value());
      }
    }
    return epsilon.compareTo(account.epsilon().value()) <= 0
        && delta.compareTo(account.delta().value()) <= 0;
  }

  /**
   * Refuses a file that says something else than what its budget was granted.
   *
   * @param mine what the file says
   */
  static void requireSame(Claim mine, Claim granted) throws RefusedException {
    if (!granted.agreesWith(mine) || !granted.sameShare(mine)) {
      throw refused(
          "budget '%s' claimed epsilon %s, delta %s of account '%s' (%s, %s) before; the file says %s, %s of '%s' (%s, %s). What was granted stays: put it back"
              .formatted(
                  mine.budget(),
                  granted.epsilon(),
                  granted.delta(),
                  granted.account().name(),
                  granted.account().epsilon(),
                  granted.account().delta(),
                  mine.epsilon(),
                  mine.delta(),
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
    if (holding.stream().noneMatch(held -> held.covers(mine))) {
      Claim first = holding.isEmpty() ? mine : holding.get(0);
      String taken =
          String.join(
              ", ",
              holding.stream()
                  .map(c -> "%s (%s, %s)".formatted(Visible.of(c.budget()), c.epsilon(), c.delta()))
                  .toList());
      throw refused(
          "account '%s' has epsilon %s, delta %s (unit %s, period %s), of which %s; budget '%s' (%s, %s, unit %s, period %s) does not fit. Lower budget.epsilon and budget.delta, or agree on the account in all files"
              .formatted(
                  mine.account().name(),
                  first.account().epsilon(),
                  first.account().delta(),
                  Visible.of(first.unit()),
                  Visible.of(first.period()),
                  "taken: " + taken,
                  mine.budget(),
                  mine.epsilon(),
                  mine.delta(),
                  mine.unit(),
                  mine.period()));
    }
  }

  private static RefusedException refused(String message) {
    return new RefusedException(ExitCode.REFUSED_FILE, message);
  }
}
