// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import io.sfumato.accounting.Conversion;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.PrivacyFilter;
import io.sfumato.accounting.RenyiOrders;
import io.sfumato.accounting.RenyiUnits;
import io.sfumato.pipeline.BudgetSpec;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * What the draws of all versions lose together in one period, or span, beside what there is
 * (docs/theory/versions.md, Theorem Q). All that one ledger pays for loses at most the larger cap
 * of its terms, in the former terms' currency. All ledgers together lose at most the budget.
 *
 * <p>Nothing here asks what the program granted: caps follow from both files alone.
 */
final class LossAcrossVersions {
  private final List<String> losses = new ArrayList<>();
  private double largest;
  private String at = "";

  private LossAcrossVersions() {}

  /**
   * What was found.
   *
   * @param losses that are too large, in words
   * @param ratio largest loss over what there is; 0 if nothing was lost
   * @param at where it is, in words
   */
  record Finding(List<String> losses, double ratio, String at) {
    static final Finding NONE = new Finding(List.of(), 0, "");
  }

  /**
   * Both directions: neighbours have no order.
   *
   * @param drawn of all versions, in their order; one of each output
   */
  static Finding of(BudgetSpec budget, List<DrawnPairs<?>> drawn) {
    LossAcrossVersions loss = new LossAcrossVersions();
    loss.budget(budget, drawn);
    loss.budget(budget, drawn.stream().<DrawnPairs<?>>map(draws -> draws.swapped()).toList());
    return new Finding(loss.losses, loss.largest, loss.at);
  }

  /** A guarantee that what one ledger pays for has given, as it really is. */
  private record Lost(double epsilon, Delta delta) {}

  private void budget(BudgetSpec budget, List<DrawnPairs<?>> drawn) {
    TreeMap<String, List<DrawnPairs<?>>> ledgers = new TreeMap<>();
    drawn.forEach(
        draws -> ledgers.computeIfAbsent(draws.ledger(), name -> new ArrayList<>()).add(draws));
    double epsilon = 0;
    BigDecimal delta = BigDecimal.ZERO;
    for (List<DrawnPairs<?>> ledger : ledgers.values()) {
      Optional<Lost> lost = ledger(ledger);
      if (lost.isPresent()) {
        epsilon += lost.get().epsilon();
        delta = delta.add(lost.get().delta().value());
      }
    }
    judge(
        epsilon / budget.epsilon().value().doubleValue(),
        "all draws of a period lose epsilon %.6g, the budget is %s"
            .formatted(epsilon, budget.epsilon()));
    if (delta.compareTo(budget.delta().value()) > 0) {
      losses.add(
          "shares of one period that lose something have delta %s together, the budget has %s"
              .formatted(delta, budget.delta()));
    }
  }

  /** Nothing if a law has no closed form. */
  private Optional<Lost> ledger(List<DrawnPairs<?>> drawn) {
    DrawnPairs<?> first = drawn.get(0);
    PrivacyFilter currency = first.release().share().filter();
    double most = 0;
    for (DrawnPairs<?> draws : drawn) {
      OptionalDouble all = allOf(draws, currency);
      if (all.isEmpty()) {
        losses.add(
            "ledger %s: a period has draws of both versions, and no currency counts both"
                .formatted(draws.ledger()));
        return Optional.empty();
      }
      most = Math.max(most, all.getAsDouble());
    }
    double counted = 0;
    double lost = 0;
    for (double order : orders(first)) {
      OptionalDouble sum = sum(drawn, order);
      if (sum.isEmpty()) {
        return Optional.empty();
      }
      counted = Math.max(counted, sum.getAsDouble() / unit(first, order));
      lost = sum.getAsDouble();
    }
    judge(
        counted / most,
        "ledger %s: all versions together lose %.6g units of %s, the larger share affords %.6g"
            .formatted(first.ledger(), counted, currency.words(), most));
    return Optional.of(lost(drawn, lost));
  }

  private static OptionalDouble sum(List<DrawnPairs<?>> drawn, double order) {
    double sum = 0;
    for (DrawnPairs<?> draws : drawn) {
      OptionalDouble lost = draws.loss(order);
      if (lost.isEmpty()) {
        return lost;
      }
      sum += lost.getAsDouble();
    }
    return OptionalDouble.of(sum);
  }

  /** The most that a share may spend, in units of a currency; nothing if these cannot be told. */
  private static OptionalDouble allOf(DrawnPairs<?> draws, PrivacyFilter currency) {
    PrivacyFilter own = draws.release().share().filter();
    if (own.withCap(0).equals(currency.withCap(0))) {
      return OptionalDouble.of(own.cap());
    }
    long one = currency.cost(draws.release().charge());
    long cost = own.cost(draws.release().charge());
    return one == RenyiUnits.UNAFFORDABLE || cost == RenyiUnits.UNAFFORDABLE || cost == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of((double) one * own.cap() / cost);
  }

  /** Where a currency is compared: pure epsilons at the order that is nearest to them. */
  private static List<Double> orders(DrawnPairs<?> first) {
    return first.release().share().filter() instanceof PrivacyFilter.PureDpFilter
        ? List.of(RenyiOrders.at(RenyiOrders.size() - 1))
        : first.orders();
  }

  /** A unit of the currency, in nats of an order. */
  private static double unit(DrawnPairs<?> first, double order) {
    return first.release().share().filter() instanceof PrivacyFilter.FixedCountFilter
        ? first.release().charge().curve().at(order)
        : 1 / RenyiUnits.PER_NAT;
  }

  /** Epsilon at the currency's order. Of counted releases of one mechanism that of their share. */
  private static Lost lost(List<DrawnPairs<?>> drawn, double nats) {
    Delta delta =
        drawn.stream()
            .map(draws -> draws.release().share().delta())
            .max(Comparator.naturalOrder())
            .orElseThrow();
    PrivacyFilter currency = drawn.get(0).release().share().filter();
    if (currency instanceof PrivacyFilter.RenyiFilter at) {
      return new Lost(Conversion.epsilon(nats, at.order(), delta.roundedDown()), delta);
    }
    if (currency instanceof PrivacyFilter.PureDpFilter) {
      return new Lost(nats, delta);
    }
    double share =
        drawn.stream()
            .mapToDouble(draws -> draws.release().share().epsilon().value().doubleValue())
            .max()
            .orElseThrow();
    return new Lost(share, delta);
  }

  private void judge(double ratio, String what) {
    if (ratio > largest) {
      largest = ratio;
      at = what;
    }
    if (ratio > 1 + ExactLoss.ROUNDING) {
      losses.add(what);
    }
  }
}
