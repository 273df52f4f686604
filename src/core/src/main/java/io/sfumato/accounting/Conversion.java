// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

/**
 * From Rényi bounds to (epsilon, delta) and back, at one order L:
 *
 * <pre>  epsilon = eps(L) + ln((L-1)/L) - (ln delta + ln L) / (L-1)</pre>
 *
 * (Canonne, Kamath, Steinke 2020, Proposition 12). Never below 0.
 */
public final class Conversion {
  /** Covers the few roundings of the formula where its terms are below 2^10 in magnitude. */
  private static final double SLACK = 0x1.0p-40;

  /** Covers them, each of half an ulp of a term, where terms are larger. */
  private static final double SLACK_OF_TERMS = 0x1.0p-50;

  private Conversion() {}

  /**
   * The epsilon that holds at {@code delta}, rounded up; +infinity if the order gives none.
   *
   * @param renyi Rényi divergence of that order, in nats
   * @param order above 1
   * @param delta in (0, 1)
   * @throws IllegalArgumentException if the order or delta is out of range
   */
  public static double epsilon(double renyi, double order, double delta) {
    requireOrder(order);
    if (!(delta > 0 && delta < 1)) {
      throw new IllegalArgumentException("delta must be in (0, 1): " + delta);
    }
    return Math.max(0, renyi + penalty(order, delta) + slack(renyi, order, delta));
  }

  /**
   * The smallest {@link #epsilon} over all orders of the grid: for reporting, never to admit.
   *
   * @param delta in (0, 1)
   * @throws IllegalArgumentException if delta is out of range
   */
  public static double epsilon(RenyiCurve curve, double delta) {
    double order = bestOrder(curve, delta);
    return epsilon(curve.at(order), order, delta);
  }

  /**
   * The order of the grid whose {@link #epsilon} is the smallest.
   *
   * @param delta in (0, 1)
   * @throws IllegalArgumentException if delta is out of range
   */
  public static double bestOrder(RenyiCurve curve, double delta) {
    double best = RenyiOrders.at(0);
    for (int i = 1; i < RenyiOrders.size(); i++) {
      double order = RenyiOrders.at(i);
      if (epsilon(curve.at(order), order, delta) < epsilon(curve.at(best), best, delta)) {
        best = order;
      }
    }
    return best;
  }

  /**
   * The Rényi budget at one order that (epsilon, delta) leaves, rounded down; 0 or less means that
   * the order affords nothing.
   *
   * @param order above 1
   * @return nats
   * @throws IllegalArgumentException if the order is not above 1
   */
  public static double renyiBudget(Epsilon epsilon, Delta delta, double order) {
    requireOrder(order);
    double d = delta.roundedDown();
    return d == 0 ? 0 : budget(epsilon.roundedDown(), order, d);
  }

  private static double budget(double epsilon, double order, double delta) {
    return epsilon - penalty(order, delta) - slack(epsilon, order, delta);
  }

  private static double slack(double epsilon, double order, double delta) {
    double terms = epsilon + (StrictMath.log(order) - StrictMath.log(delta)) / (order - 1);
    return Math.max(SLACK, SLACK_OF_TERMS * terms);
  }

  /** StrictMath: every machine of a cluster must plan the same cap. */
  private static double penalty(double order, double delta) {
    return StrictMath.log((order - 1) / order)
        - (StrictMath.log(delta) + StrictMath.log(order)) / (order - 1);
  }

  private static void requireOrder(double order) {
    if (!(order > 1)) {
      throw new IllegalArgumentException("a Rényi order is above 1: " + order);
    }
  }
}
