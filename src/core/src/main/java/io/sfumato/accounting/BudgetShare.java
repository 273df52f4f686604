// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * The part of a subject's budget that one output may spend.
 *
 * @param name of the output that spends it
 * @param epsilon of the share
 * @param delta of the share
 * @param filter how charges are counted against it
 */
public record BudgetShare(String name, Epsilon epsilon, Delta delta, PrivacyFilter filter) {
  public BudgetShare {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(epsilon, "epsilon");
    Objects.requireNonNull(delta, "delta");
    Objects.requireNonNull(filter, "counting");
  }

  /** In full. Digests of plans hang on this text, so that it never changes. */
  public String canonical() {
    return "Share[name=%s, epsilon=%s, delta=%s, counting=%s]"
        .formatted(name, epsilon, delta, filter.canonical());
  }

  /**
   * What one charge costs in this share.
   *
   * @return in the whole units of the filter; {@link RenyiUnits#UNAFFORDABLE} if it may never enter
   */
  public long cost(PrivacyCost charge) {
    return filter.cost(charge);
  }

  /**
   * How many releases with this charge fit into the empty share.
   *
   * @return at least 0
   */
  public long affords(PrivacyCost charge) {
    return filter.cap() / Math.max(1, cost(charge));
  }

  /** The order at which the share counts; else the best one to report all its charges at. */
  public double reportedOrder(PrivacyCost charge) {
    if (delta.value().signum() == 0 || filter instanceof PrivacyFilter.PureDpFilter) {
      return RenyiOrders.at(RenyiOrders.size() - 1); // nearest to the pure loss
    }
    return filter instanceof PrivacyFilter.RenyiFilter at
        ? at.order()
        : Conversion.bestOrder(
            RenyiCurve.zero().plus(affords(charge), charge.curve()), delta.roundedDown());
  }

  /**
   * Whether the ledger leaves room for one more charge: one dot product of whole numbers.
   *
   * @param ledger how often each charge was made
   * @param costs cost of every charge of the ledger, by its id
   * @param next id of the charge to add
   * @throws IllegalStateException if the ledger holds a charge without a cost
   */
  public boolean admits(Ledger ledger, Map<Integer, Long> costs, int next) {
    OptionalLong spent = units(ledger.plus(next), costs);
    return spent.isPresent() && spent.getAsLong() <= filter.cap();
  }

  /**
   * The part that a ledger has spent, 0 to 1; 1 as soon as it leaves no room for one more charge.
   * For people: what is admitted never depends on it.
   *
   * @param next id of the charge that would come next
   * @throws IllegalStateException if the ledger holds a charge without a cost
   */
  public double spent(Ledger ledger, Map<Integer, Long> costs, int next) {
    OptionalLong spent = units(ledger, costs);
    return spent.isPresent() && admits(ledger, costs, next)
        ? (double) spent.getAsLong() / filter.cap()
        : 1;
  }

  /** What a ledger has cost; nothing if that is more than any cap. */
  private static OptionalLong units(Ledger ledger, Map<Integer, Long> costs) {
    long spent = 0;
    for (Map.Entry<Integer, Long> entry : ledger.counts().entrySet()) {
      long cost = cost(costs, entry.getKey());
      if (cost == RenyiUnits.UNAFFORDABLE) {
        return OptionalLong.empty();
      }
      try {
        spent = Math.addExact(spent, Math.multiplyExact(cost, entry.getValue()));
      } catch (ArithmeticException e) {
        return OptionalLong.empty(); // beyond 2^63 units
      }
    }
    return OptionalLong.of(spent);
  }

  private static long cost(Map<Integer, Long> costs, int id) {
    Long cost = costs.get(id);
    if (cost == null) {
      throw new IllegalStateException("the ledger holds charge " + id + ", whose cost is unknown");
    }
    return cost;
  }
}
