// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.Period;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.pipeline.AccountSpec;
import io.sfumato.pipeline.BudgetSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.Plan;
import java.util.List;
import java.util.Optional;

/**
 * A budget's fixed share of an account.
 *
 * @param account that it is taken from, as the claimant understands it
 * @param budget that claims
 * @param unit what is protected
 * @param period how long the budget lasts
 * @param epsilon of the budget
 * @param delta of the budget
 * @param windows of the budget; empty where they are too long, or cannot be read
 * @param share identifies the share: of budgets that name one, each goes on with the ledger of the
 *     one before
 */
public record AccountClaim(
    AccountSpec account,
    String budget,
    String unit,
    String period,
    Epsilon epsilon,
    Delta delta,
    Optional<ClaimedWindows> windows,
    String share) {

  private static final List<String> NUMBERS =
      List.of("account_epsilon", "account_delta", "epsilon", "delta");

  /** As this program writes them: an exponent of billions would take all memory to add up. */
  private static final String NUMBER = "[0-9]{1,20}([.][0-9]{1,400})?(E-[0-9]{1,3})?";

  /**
   * That of a file; nothing where its budget has no account.
   *
   * @param share identifies the share
   */
  static Optional<AccountClaim> of(Plan plan, String share) {
    BudgetSpec budget = plan.pipeline().budget();
    return budget
        .account()
        .map(
            account ->
                new AccountClaim(
                    account,
                    budget.name(),
                    budget.unit().word(),
                    periodOf(plan.pipeline()),
                    budget.epsilon(),
                    budget.delta(),
                    ClaimedWindows.of(plan),
                    share));
  }

  /**
   * The period's word. Windows of a zone are not stated beside it, so that it names them where each
   * is a period: a ledger that is carried over to other windows is then no claim about the same.
   * Under `record` all windows cost alike.
   */
  private static String periodOf(Pipeline pipeline) {
    BudgetSpec budget = pipeline.budget();
    boolean ofWindows =
        budget.period() instanceof Period.Window && budget.unit() != PrivacyUnit.RECORD;
    return pipeline
        .window()
        .calendar()
        .filter(windows -> ofWindows)
        .map(
            windows ->
                "%s of %s%s%s from %s"
                    .formatted(
                        Period.WINDOW,
                        windows.unit().word(),
                        Period.IN,
                        windows.zone(),
                        windows.origin()))
        .orElseGet(budget.period()::word);
  }

  /** With the names of account and budget. */
  ObjectNode json() {
    ObjectNode node =
        JsonNodeFactory.instance
            .objectNode()
            .put("account", account.name())
            .put("budget", budget)
            .put("account_epsilon", account.epsilon().toString())
            .put("account_delta", account.delta().toString())
            .put("unit", unit)
            .put("period", period)
            .put("epsilon", epsilon.toString())
            .put("delta", delta.toString());
    windows.ifPresent(known -> node.set("windows", known.json()));
    if (!share.isEmpty()) {
      node.put("share", share);
    }
    return node;
  }

  /** Reads {@link #json}; nothing if it is none. */
  static Optional<AccountClaim> read(JsonNode value) {
    return read(value.path("account").asText(), value.path("budget").asText(), value);
  }

  /** The same where the names stand elsewhere. */
  static Optional<AccountClaim> read(String account, String budget, JsonNode value) {
    if (!NUMBERS.stream().allMatch(name -> value.path(name).asText().matches(NUMBER))) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new AccountClaim(
              new AccountSpec(
                  account,
                  Epsilon.of(value.path("account_epsilon").asText()),
                  Delta.of(value.path("account_delta").asText())),
              budget,
              value.path("unit").asText(),
              value.path("period").asText(),
              Epsilon.of(value.path("epsilon").asText()),
              Delta.of(value.path("delta").asText()),
              ClaimedWindows.read(value.path("windows")),
              value.path("share").asText()));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /**
   * What a share costs at most of which both are said.
   *
   * @param other about the same periods
   */
  AccountClaim larger(AccountClaim other) {
    return new AccountClaim(
        account,
        budget,
        unit,
        period,
        epsilon.compareTo(other.epsilon) >= 0 ? epsilon : other.epsilon,
        delta.compareTo(other.delta) >= 0 ? delta : other.delta,
        windows.flatMap(mine -> other.windows.map(mine::and)),
        share);
  }

  /** The same of a share that a name identifies. */
  AccountClaim of(String said) {
    return new AccountClaim(account, budget, unit, period, epsilon, delta, windows, said);
  }

  /** The same with what is said of windows. */
  AccountClaim with(Optional<ClaimedWindows> said) {
    return new AccountClaim(account, budget, unit, period, epsilon, delta, said, share);
  }

  boolean isOfSameBudget(AccountClaim other) {
    return budget.equals(other.budget);
  }

  /** Whether a ledger has both, one after the other. */
  boolean isOfSameShare(AccountClaim other) {
    return !share.isEmpty() && share.equals(other.share);
  }

  /** Whether both mean the same account: the same name, totals and unit. */
  boolean agreesWith(AccountClaim other) {
    return account.name().equals(other.account.name())
        && account.epsilon().compareTo(other.account.epsilon()) == 0
        && account.delta().compareTo(other.account.delta()) == 0
        && unit.equals(other.unit);
  }

  /** Whether both are about the same periods, as far as they say it. */
  boolean isOfSamePeriods(AccountClaim other) {
    return period.equals(other.period)
        && windows.isPresent() == other.windows.isPresent()
        && windows.map(mine -> mine.sameGrid(other.windows.get())).orElse(true);
  }

  /** Whether whoever holds this holds the other, which costs no more. */
  boolean covers(AccountClaim other) {
    return isOfSameBudget(other) && share.equals(other.share) && costsNoLessThan(other);
  }

  /** Whether this costs as much as the other, whoever holds it. */
  boolean costsNoLessThan(AccountClaim other) {
    return agreesWith(other)
        && isOfSamePeriods(other)
        && windows.map(mine -> mine.covers(other.windows.get())).orElse(true)
        && epsilon.compareTo(other.epsilon) >= 0
        && delta.compareTo(other.delta) >= 0;
  }

  boolean hasSameLosses(AccountClaim other) {
    return epsilon.compareTo(other.epsilon) == 0 && delta.compareTo(other.delta) == 0;
  }
}
