// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.accounting.Period;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.pipeline.AccountSpec;
import io.sfumato.text.ControlCharEscaper;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the budgets of an account lose together of what one of them protects at once
 * (docs/theory/periods-and-accounts.md, Theorem P), and whether the account covers it.
 */
final class AccountLoss {
  private static final MathContext SHOWN = new MathContext(4, RoundingMode.CEILING);

  private AccountLoss() {}

  /** Why an account does not cover its budgets, as the end of a sentence about one of them. */
  record Excess(String reason) {}

  /**
   * Whether an account covers budgets.
   *
   * @param claims of one account and unit, those that are counted
   * @return why not; nothing if it does
   */
  static Optional<Excess> excess(List<AccountClaim> claims, AccountSpec account) {
    for (AccountClaim protectedOne : claims) {
      Optional<Excess> found = excess(protectedOne, claims, account);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private static Optional<Excess> excess(
      AccountClaim protectedOne, List<AccountClaim> claims, AccountSpec account) {
    BigDecimal epsilon = BigDecimal.ZERO;
    BigDecimal delta = BigDecimal.ZERO;
    List<String> parts = new ArrayList<>();
    for (AccountClaim claim : claims) {
      if (isLifetime(claim) != isLifetime(protectedOne)) {
        return Optional.of(new Excess(lifetime(claim, protectedOne)));
      }
      List<Steps> steps = steps(claim, protectedOne);
      if (steps.isEmpty()) {
        AccountClaim silent = claim.windows().isEmpty() ? claim : protectedOne;
        return Optional.of(new Excess(unknown(silent)));
      }
      long most = steps.stream().mapToLong(Steps::total).max().getAsLong();
      epsilon = epsilon.add(claim.epsilon().value().multiply(BigDecimal.valueOf(most)));
      delta =
          delta.add(
              steps.stream()
                  .map(found -> found.delta(claim.epsilon(), claim.delta()))
                  .max(BigDecimal::compareTo)
                  .get());
      parts.add(
          "%s %d x (%s, %s)"
              .formatted(
                  ControlCharEscaper.of(claim.budget()), most, claim.epsilon(), claim.delta()));
    }
    return epsilon.compareTo(account.epsilon().value()) > 0
            || delta.compareTo(account.delta().value()) > 0
        ? Optional.of(new Excess(sum(protectedOne, parts, epsilon, delta)))
        : Optional.empty();
  }

  private static boolean isLifetime(AccountClaim claim) {
    return claim.period().equals(Period.LIFETIME);
  }

  /** Nothing where it cannot be told. */
  private static List<Steps> steps(AccountClaim claim, AccountClaim protectedOne) {
    boolean anyWindows =
        isLifetime(claim) && !claim.unit().equals(PrivacyUnit.RECORD.word())
            // One record lies in one window of each.
            || claim.unit().equals(PrivacyUnit.RECORD.word())
                && claim.period().equals(Period.WINDOW)
                && protectedOne.period().equals(Period.WINDOW);
    if (claim == protectedOne || anyWindows) {
      return List.of(Steps.ONE);
    }
    Optional<AccountPeriods> mine = AccountPeriods.of(claim);
    Optional<AccountPeriods> others = AccountPeriods.of(protectedOne);
    return mine.isPresent() && others.isPresent() ? mine.get().stepsFor(others.get()) : List.of();
  }

  private static String lifetime(AccountClaim claim, AccountClaim other) {
    AccountClaim forEver = isLifetime(claim) ? claim : other;
    AccountClaim periodic = forEver == claim ? other : claim;
    return "budget '%s' has 'period: lifetime' and budget '%s' has 'period: %s': a lifetime contains any number of periods, so no account covers both. Write 'period: lifetime' in all files of the account, or in none"
        .formatted(
            ControlCharEscaper.of(forEver.budget()),
            ControlCharEscaper.of(periodic.budget()),
            ControlCharEscaper.of(periodic.period()));
  }

  private static String unknown(AccountClaim silent) {
    return "the claim of budget '%s' does not state its windows, so the number of its periods in a stretch of time is unknown. Name another account, whose loss adds to this one's"
        .formatted(ControlCharEscaper.of(silent.budget()));
  }

  private static String sum(
      AccountClaim protectedOne, List<String> parts, BigDecimal epsilon, BigDecimal delta) {
    return "one period of budget '%s' (period: %s) can lose epsilon %s, delta %s: together %s. A budget counts once for each of its periods that are touched; of users twice for one that is touched in part (docs/theory/periods-and-accounts.md, Theorem P). Lower budget.epsilon and budget.delta; or give all pipelines of the account the same window.size, window.origin and budget.period; or name another account, whose loss adds to this one's"
        .formatted(
            ControlCharEscaper.of(protectedOne.budget()),
            ControlCharEscaper.of(protectedOne.period()),
            shown(epsilon),
            shown(delta),
            String.join(", ", parts));
  }

  private static String shown(BigDecimal value) {
    if (value.compareTo(BigDecimal.ONE) > 0 && value.compareTo(BigDecimal.valueOf(1e12)) > 0) {
      return "of no bound";
    }
    BigDecimal rounded = value.round(SHOWN).stripTrailingZeros();
    return rounded.signum() == 0 ? "0" : rounded.toPlainString();
  }
}
