// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The whole numbers by which a share decides, fixed by the plan before any outcome. Never "the best
 * order of what was spent so far": charges may depend on earlier outputs, and then that is no valid
 * stopping rule.
 */
public sealed interface PrivacyFilter {
  /** What one charge costs, rounded up; {@link RenyiUnits#UNAFFORDABLE} if it may never enter. */
  long cost(PrivacyCost charge);

  /** What all charges together may cost. */
  long cap();

  /**
   * The same with less to spend.
   *
   * @param lower the cap, in the filter's whole units
   */
  PrivacyFilter withCap(long lower);

  /** For people and guarantees: by what releases are admitted. */
  String words();

  /** The same in full. Granted shares are kept with this text, so that it never changes. */
  String canonical();

  /**
   * The filter of a text that {@link #canonical} gave, whatever follows it.
   *
   * @return nothing if the text begins with none
   */
  static Optional<PrivacyFilter> parse(String text) {
    Matcher order = Pattern.compile("AtOrder\\[order=([0-9.]+), cap=(\\d+)].*").matcher(text);
    if (order.matches()) {
      return Optional.of(
          new RenyiFilter(Double.parseDouble(order.group(1)), Long.parseLong(order.group(2))));
    }
    Matcher sum = Pattern.compile("PureSum\\[cap=(\\d+)].*").matcher(text);
    if (sum.matches()) {
      return Optional.of(new PureDpFilter(Long.parseLong(sum.group(1))));
    }
    Matcher count = Pattern.compile("AtMost\\[mechanism=(.*), cap=(\\d+)].*").matcher(text);
    return count.matches()
        ? Optional.of(new FixedCountFilter(count.group(1), Long.parseLong(count.group(2))))
        : Optional.empty();
  }

  /**
   * At one Rényi order, in {@link RenyiUnits}. Any charges, adaptively chosen (Feldman, Zrnic
   * 2021).
   *
   * @param order of the grid
   * @param cap the order's Rényi budget, rounded down
   */
  record RenyiFilter(double order, long cap) implements PrivacyFilter {
    public RenyiFilter {
      RenyiOrders.placeOf(order);
      requireCap(cap);
    }

    /**
     * The cap that (epsilon, delta) leaves at the order.
     *
     * @param order of the grid, above 1
     * @throws IllegalArgumentException if the order is not on the grid
     */
    public static RenyiFilter of(Epsilon epsilon, Delta delta, double order) {
      return new RenyiFilter(
          order, RenyiUnits.ofBudget(Conversion.renyiBudget(epsilon, delta, order)));
    }

    @Override
    public String canonical() {
      return "AtOrder[order=" + order + ", cap=" + cap + "]";
    }

    @Override
    public RenyiFilter withCap(long lower) {
      return new RenyiFilter(order, lower);
    }

    @Override
    public String words() {
      return "Renyi order " + (order == Math.rint(order) ? Long.toString((long) order) : order);
    }

    @Override
    public long cost(PrivacyCost charge) {
      return RenyiUnits.ofCharge(charge.curve().at(order));
    }
  }

  /**
   * Pure epsilons add up, in {@link RenyiUnits}; delta is left unused. Any charges that have one,
   * adaptively chosen; every other charge is unaffordable.
   *
   * @param cap epsilon, rounded down
   */
  record PureDpFilter(long cap) implements PrivacyFilter {
    public PureDpFilter {
      requireCap(cap);
    }

    /** All of epsilon. */
    public static PureDpFilter of(Epsilon epsilon) {
      return new PureDpFilter(RenyiUnits.ofBudget(epsilon.roundedDown()));
    }

    @Override
    public String canonical() {
      return "PureSum[cap=" + cap + "]";
    }

    @Override
    public PureDpFilter withCap(long lower) {
      return new PureDpFilter(lower);
    }

    @Override
    public String words() {
      return "pure epsilon";
    }

    @Override
    public long cost(PrivacyCost charge) {
      return charge.pure().isPresent()
          ? RenyiUnits.ofCharge(charge.pure().getAsDouble())
          : RenyiUnits.UNAFFORDABLE;
    }
  }

  /**
   * At most a number of releases of ONE charge, on a fixed schedule: the number comes from the
   * composed privacy-loss distribution. Every other charge is unaffordable.
   *
   * @param mechanism of the one charge
   * @param cap number of releases
   */
  record FixedCountFilter(String mechanism, long cap) implements PrivacyFilter {
    public FixedCountFilter {
      requireCap(cap);
    }

    @Override
    public String canonical() {
      return "AtMost[mechanism=" + mechanism + ", cap=" + cap + "]";
    }

    @Override
    public FixedCountFilter withCap(long lower) {
      return new FixedCountFilter(mechanism, lower);
    }

    @Override
    public String words() {
      return "at most "
          + cap
          + (cap == 1 ? " release" : " releases")
          + ", privacy loss distribution";
    }

    @Override
    public long cost(PrivacyCost charge) {
      return charge.mechanism().equals(mechanism) ? 1 : RenyiUnits.UNAFFORDABLE;
    }
  }

  private static void requireCap(long cap) {
    if (cap < 0) {
      throw new IllegalArgumentException("a cap is at least 0: " + cap);
    }
  }
}
