package io.sfumato.accounting;

import java.util.Map;
import java.util.Objects;

/**
 * The part of a subject's budget that one output may spend, with ONE Rényi order fixed by the plan.
 * Choosing the order per outcome would not be a valid stopping rule, since charges may depend on
 * earlier outputs.
 *
 * @param name of the output that spends it
 * @param epsilon of the share
 * @param delta of the share
 * @param order Rényi order at which the share is counted
 * @param cap the order's Rényi budget in {@link RenyiUnits}, rounded down
 */
public record Share(String name, Epsilon epsilon, Delta delta, double order, long cap) {
  public Share {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(epsilon, "epsilon");
    Objects.requireNonNull(delta, "delta");
    RenyiOrders.placeOf(order);
    if (cap < 0) {
      throw new IllegalArgumentException("a cap is at least 0: " + cap);
    }
  }

  /** The share whose cap is what (epsilon, delta) leaves at the order. */
  public static Share of(String name, Epsilon epsilon, Delta delta, double order) {
    long cap = RenyiUnits.ofBudget(Conversion.renyiBudget(epsilon, delta, order));
    return new Share(name, epsilon, delta, order, cap);
  }

  /** What one charge costs in this share, rounded up. */
  public long cost(Charge charge) {
    return RenyiUnits.ofCharge(charge.curve().at(order));
  }

  /**
   * Whether the ledger leaves room for one more charge: one dot product of whole numbers.
   *
   * @param ledger how often each charge was made
   * @param costs cost of every charge of the ledger, by its id
   * @param next id of the charge to add
   */
  public boolean admits(Ledger ledger, Map<Integer, Long> costs, int next) {
    long spent = 0;
    for (Map.Entry<Integer, Long> entry : ledger.plus(next).counts().entrySet()) {
      long cost = cost(costs, entry.getKey());
      if (cost == RenyiUnits.UNAFFORDABLE) {
        return false;
      }
      long product;
      try {
        product = Math.multiplyExact(cost, entry.getValue());
        spent = Math.addExact(spent, product);
      } catch (ArithmeticException e) {
        return false; // beyond 2^63 units: more than any cap
      }
    }
    return spent <= cap;
  }

  private static long cost(Map<Integer, Long> costs, int id) {
    Long cost = costs.get(id);
    if (cost == null) {
      throw new IllegalStateException("the ledger holds charge " + id + ", whose cost is unknown");
    }
    return cost;
  }
}
