// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

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

  /** The claims of one account that hold. */
  static List<Claim> holding(String account, List<Claim> log, Map<String, String> continued) {
    List<Claim> holding = new ArrayList<>();
    BigDecimal epsilon = BigDecimal.ZERO;
    BigDecimal delta = BigDecimal.ZERO;
    for (Claim claim : log) {
      if (!claim.account().name().equals(account)
          || !holding.isEmpty() && !holding.get(0).agreesWith(claim)) {
        continue;
      }
      Optional<Claim> before =
          holding.stream()
              .filter(old -> claim.budget().equals(continued.get(old.budget())))
              .findFirst();
      if (before.isPresent()) {
        // Its loss was counted where it began.
        if (before.get().sameShare(claim)) {
          holding.add(claim);
        }
        continue;
      }
      BigDecimal withIt = epsilon.add(claim.epsilon().value());
      BigDecimal deltaWithIt = delta.add(claim.delta().value());
      if (withIt.compareTo(claim.account().epsilon().value()) <= 0
          && deltaWithIt.compareTo(claim.account().delta().value()) <= 0) {
        holding.add(claim);
        epsilon = withIt;
        delta = deltaWithIt;
      }
    }
    return holding;
  }

  /**
   * Refuses a budget whose claim does not hold.
   *
   * @param mine what the file says
   * @param log with the claim that was made for this budget
   */
  static void require(Claim mine, List<Claim> log, Map<String, String> continued)
      throws RefusedException {
    Claim logged = log.stream().filter(mine::isOfSameBudget).findFirst().orElse(mine);
    if (!logged.agreesWith(mine) || !logged.sameShare(mine)) {
      throw refused(
          "budget '%s' claimed epsilon %s, delta %s of account '%s' (%s, %s) before; the file says %s, %s of '%s' (%s, %s). What was granted stays: put it back"
              .formatted(
                  mine.budget(),
                  logged.epsilon(),
                  logged.delta(),
                  logged.account().name(),
                  logged.account().epsilon(),
                  logged.account().delta(),
                  mine.epsilon(),
                  mine.delta(),
                  mine.account().name(),
                  mine.account().epsilon(),
                  mine.account().delta()));
    }
    List<Claim> holding = holding(mine.account().name(), log, continued);
    if (!holding.contains(logged)) {
      Claim first = holding.isEmpty() ? mine : holding.get(0);
      String taken =
          String.join(
              ", ",
              holding.stream()
                  .map(c -> "%s (%s, %s)".formatted(c.budget(), c.epsilon(), c.delta()))
                  .toList());
      throw refused(
          "account '%s' has epsilon %s, delta %s (unit %s, period %s), of which %s; budget '%s' (%s, %s, unit %s, period %s) does not fit. Lower budget.epsilon and budget.delta, or agree on the account in all files"
              .formatted(
                  mine.account().name(),
                  first.account().epsilon(),
                  first.account().delta(),
                  first.unit(),
                  first.period(),
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
