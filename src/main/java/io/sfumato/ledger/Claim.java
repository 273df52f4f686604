// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.pipeline.AccountSpec;
import io.sfumato.pipeline.BudgetSpec;
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
 * @param windows of the budget; empty in claims of programs that did not write them down
 */
public record Claim(
    AccountSpec account,
    String budget,
    String unit,
    String period,
    Epsilon epsilon,
    Delta delta,
    Optional<ClaimedWindows> windows) {

  private static final List<String> NUMBERS =
      List.of("account_epsilon", "account_delta", "epsilon", "delta");

  /** As this program writes them: an exponent of billions would take all memory to add up. */
  private static final String NUMBER = "[0-9]{1,20}([.][0-9]{1,400})?(E-[0-9]{1,3})?";

  /** That of a file; nothing where its budget has no account. */
  static Optional<Claim> of(Plan plan) {
    BudgetSpec budget = plan.pipeline().budget();
    return budget.account().map(account -> of(budget, account, ClaimedWindows.of(plan)));
  }

  private static Claim of(
      BudgetSpec budget, AccountSpec account, Optional<ClaimedWindows> windows) {
    return new Claim(
        account,
        budget.name(),
        budget.unit().word(),
        budget.period().word(),
        budget.epsilon(),
        budget.delta(),
        windows);
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
    return node;
  }

  /** Reads {@link #json}; nothing if it is none. */
  static Optional<Claim> read(JsonNode value) {
    return read(value.path("account").asText(), value.path("budget").asText(), value);
  }

  /** The same where the names stand elsewhere. */
  static Optional<Claim> read(String account, String budget, JsonNode value) {
    if (!NUMBERS.stream().allMatch(name -> value.path(name).asText().matches(NUMBER))) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new Claim(
              new AccountSpec(
                  account,
                  Epsilon.of(value.path("account_epsilon").asText()),
                  Delta.of(value.path("account_delta").asText())),
              budget,
              value.path("unit").asText(),
              value.path("period").asText(),
              Epsilon.of(value.path("epsilon").asText()),
              Delta.of(value.path("delta").asText()),
              ClaimedWindows.read(value.path("windows"))));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /**
   * What a budget may have been granted that made both claims.
   *
   * @param other about the same periods
   */
  Claim larger(Claim other) {
    return new Claim(
        account,
        budget,
        unit,
        period,
        epsilon.compareTo(other.epsilon) >= 0 ? epsilon : other.epsilon,
        delta.compareTo(other.delta) >= 0 ? delta : other.delta,
        windows.isPresent() && other.windows.isPresent()
            ? windows.map(mine -> mine.and(other.windows.get()))
            : windows.or(other::windows));
  }

  /** The same with what the other one says of windows. */
  Claim with(Optional<ClaimedWindows> said) {
    return new Claim(account, budget, unit, period, epsilon, delta, said);
  }

  boolean isOfSameBudget(Claim other) {
    return budget.equals(other.budget);
  }

  /** Whether both mean the same account: the same name, totals and unit. */
  boolean agreesWith(Claim other) {
    return account.name().equals(other.account.name())
        && account.epsilon().compareTo(other.account.epsilon()) == 0
        && account.delta().compareTo(other.account.delta()) == 0
        && unit.equals(other.unit);
  }

  /** Whether both may be about the same periods: one that does not say it may be about any. */
  boolean isOfSamePeriods(Claim other) {
    return period.equals(other.period)
        && (windows.isEmpty()
            || other.windows.isEmpty()
            || windows.get().sameGrid(other.windows.get()));
  }

  /** Whether whoever holds this holds the other. */
  boolean covers(Claim other) {
    return isOfSameBudget(other)
        && agreesWith(other)
        && period.equals(other.period)
        && (other.windows.isEmpty()
            || windows.map(mine -> mine.covers(other.windows.get())).orElse(false))
        && epsilon.compareTo(other.epsilon) >= 0
        && delta.compareTo(other.delta) >= 0;
  }

  boolean sameShare(Claim other) {
    return epsilon.compareTo(other.epsilon) == 0 && delta.compareTo(other.delta) == 0;
  }
}
