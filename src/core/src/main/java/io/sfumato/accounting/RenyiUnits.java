// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

/**
 * Whole multiples of 2^-40 nats, of Rényi divergence or of pure epsilon. Ledgers and budgets count
 * in these, so that no sum of doubles ever decides whether a release is allowed.
 */
public final class RenyiUnits {
  /** Units in one nat. */
  public static final double PER_NAT = 0x1.0p40;

  /** Stands for +infinity: larger than any budget. */
  public static final long UNAFFORDABLE = Long.MAX_VALUE;

  private RenyiUnits() {}

  /**
   * A charge, rounded up.
   *
   * @param nats at least 0
   * @throws IllegalArgumentException if it is below 0 or not a number
   */
  public static long ofCharge(double nats) {
    if (Double.isNaN(nats) || nats < 0) {
      throw new IllegalArgumentException("a charge is at least 0: " + nats);
    }
    double units = Math.ceil(nats * PER_NAT);
    return units >= 0x1.0p62 ? UNAFFORDABLE : (long) units;
  }

  /**
   * A budget, rounded down; nothing is left of one that is not above 0.
   *
   * @param nats of any sign
   * @throws IllegalArgumentException if it is not a number
   */
  public static long ofBudget(double nats) {
    if (Double.isNaN(nats)) {
      throw new IllegalArgumentException("a budget is a number");
    }
    return (long) Math.floor(Math.max(0, Math.min(nats * PER_NAT, 0x1.0p61)));
  }

  /**
   * Whole units as nats, for people.
   *
   * @param units at least 0
   */
  public static double toNats(long units) {
    return units / PER_NAT;
  }
}
