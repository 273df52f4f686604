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
 */
public record Claim(
    AccountSpec account, String budget, String unit, String period, Epsilon epsilon, Delta delta) {

  private static final List<String> NUMBERS =
      List.of("account_epsilon", "account_delta", "epsilon", "delta");

  /** As this program writes them: an exponent of billions would take all memory to add up. */
  private static final String NUMBER = "[0-9]{1,20}([.][0-9]{1,400})?(E-[0-9]{1,3})?";

  static Claim of(BudgetSpec budget, AccountSpec account) {
    return new Claim(
        account,
        budget.name(),
        budget.unit().word(),
        budget.period().word(),
        budget.epsilon(),
        budget.delta());
  }

  /** With the names of account and budget. */
  ObjectNode json() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("account", account.name())
        .put("budget", budget)
        .put("account_epsilon", account.epsilon().toString())
        .put("account_delta", account.delta().toString())
        .put("unit", unit)
        .put("period", period)
        .put("epsilon", epsilon.toString())
        .put("delta", delta.toString());
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
              Delta.of(value.path("delta").asText())));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** What a budget may have been granted that made both claims. */
  Claim larger(Claim other) {
    return new Claim(
        account,
        budget,
        unit,
        period,
        epsilon.compareTo(other.epsilon) >= 0 ? epsilon : other.epsilon,
        delta.compareTo(other.delta) >= 0 ? delta : other.delta);
  }

  boolean isOfSameBudget(Claim other) {
    return budget.equals(other.budget);
  }

  /** Whether both mean the same account: the same name, totals, unit and period. */
  boolean agreesWith(Claim other) {
    return account.name().equals(other.account.name())
        && account.epsilon().compareTo(other.account.epsilon()) == 0
        && account.delta().compareTo(other.account.delta()) == 0
        && unit.equals(other.unit)
        && period.equals(other.period);
  }

  /** Whether whoever holds this holds the other. */
  boolean covers(Claim other) {
    return isOfSameBudget(other)
        && agreesWith(other)
        && epsilon.compareTo(other.epsilon) >= 0
        && delta.compareTo(other.delta) >= 0;
  }

  boolean sameShare(Claim other) {
    return epsilon.compareTo(other.epsilon) == 0 && delta.compareTo(other.delta) == 0;
  }
}
