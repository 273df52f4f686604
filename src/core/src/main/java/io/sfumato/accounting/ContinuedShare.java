// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a share promises while charges under its former terms and under its present ones are added
 * up: another noise, another bound on a user's records, another epsilon (docs/theory/versions.md,
 * Theorem Q).
 *
 * <p>Each charge spends a fraction of the terms that it was made under: its cost over their cap.
 * Fractions of one period, or of one span, add up to at most 1. In one currency the loss of terms v
 * is at most its fraction f_v times B_v, where B_v is what all of that share would lose:
 *
 * <pre>  sum_v f_v B_v  is at most  max_v B_v, if sum_v f_v is at most 1</pre>
 *
 * <p>A currency is the pure epsilon, one Rényi order, or the number of releases of one mechanism.
 * The former terms determine it, because of charges that were made only their costs are kept.
 *
 * @param epsilon that holds for charges of all terms together
 * @param delta that holds for them
 */
public record ContinuedShare(Epsilon epsilon, Delta delta) {
  /** Digits behind the point of an epsilon that no file states. */
  private static final int DIGITS = 6;

  /**
   * Terms under which charges were made.
   *
   * @param epsilon of the share
   * @param delta of the share, all of it spent by charges
   * @param filter that admitted them
   */
  public record Terms(Epsilon epsilon, Delta delta, PrivacyFilter filter) {}

  /**
   * What holds for all charges together.
   *
   * @param former terms whose charges still count, at least one
   * @param share as it goes on
   * @param charge that it is spent on
   * @return nothing if they have no currency in common: then each of them counts in full
   */
  public static Optional<ContinuedShare> of(
      List<Terms> former, BudgetShare share, PrivacyCost charge) {
    PrivacyFilter currency = former.get(0).filter();
    if (!former.stream().allMatch(terms -> isSameCurrency(terms.filter(), currency))) {
      return Optional.empty();
    }
    OptionalLong spent = all(currency, share, charge);
    if (spent.isEmpty()) {
      return Optional.empty();
    }
    Epsilon epsilon = share.epsilon();
    Delta delta = share.delta();
    long most = spent.getAsLong();
    for (Terms terms : former) {
      epsilon = terms.epsilon().compareTo(epsilon) > 0 ? terms.epsilon() : epsilon;
      delta = terms.delta().compareTo(delta) > 0 ? terms.delta() : delta;
      most = Math.max(most, terms.filter().cap());
    }
    return covering(currency, epsilon, delta, most);
  }

  /**
   * What a charge under former terms costs under those that follow: the same fraction of the cap.
   *
   * @param cost of the charge, in units of the former filter
   * @param former filter that admitted it
   * @param next filter of the share as it goes on
   * @return rounded up; {@link RenyiUnits#UNAFFORDABLE} where that is more than any cap
   */
  public static long cost(long cost, PrivacyFilter former, PrivacyFilter next) {
    if (cost == RenyiUnits.UNAFFORDABLE || former.cap() == 0) {
      return RenyiUnits.UNAFFORDABLE;
    }
    return quotient(cost, next.cap(), former.cap()).orElse(RenyiUnits.UNAFFORDABLE);
  }

  private static boolean isSameCurrency(PrivacyFilter one, PrivacyFilter other) {
    return one.withCap(0).equals(other.withCap(0));
  }

  /** B: what all that the share admits costs in a currency; nothing if that is not known. */
  private static OptionalLong all(PrivacyFilter currency, BudgetShare share, PrivacyCost charge) {
    if (isSameCurrency(currency, share.filter())) {
      return OptionalLong.of(share.filter().cap());
    }
    long one = currency.cost(charge);
    long own = share.cost(charge);
    if (one == RenyiUnits.UNAFFORDABLE || own == RenyiUnits.UNAFFORDABLE || own == 0) {
      return OptionalLong.empty();
    }
    return quotient(one, share.filter().cap(), own)
        .map(OptionalLong::of)
        .orElseGet(OptionalLong::empty);
  }

  /** ceil(a b / c), where it is below 2^62. */
  private static Optional<Long> quotient(long a, long b, long c) {
    BigInteger divisor = BigInteger.valueOf(c);
    BigInteger up =
        BigInteger.valueOf(a)
            .multiply(BigInteger.valueOf(b))
            .add(divisor.subtract(BigInteger.ONE))
            .divide(divisor);
    return up.bitLength() <= 62 ? Optional.of(up.longValueExact()) : Optional.empty();
  }

  /** The larger epsilon and delta of all, where they are enough; else a larger epsilon. */
  private static Optional<ContinuedShare> covering(
      PrivacyFilter currency, Epsilon epsilon, Delta delta, long most) {
    if (currency instanceof PrivacyFilter.FixedCountFilter) {
      // No more releases than the share with the larger cap admits, of which its own promise holds.
      return Optional.of(new ContinuedShare(epsilon, delta));
    }
    if (capOf(currency, epsilon, delta) >= most) {
      return Optional.of(new ContinuedShare(epsilon, delta));
    }
    if (delta.roundedDown() == 0 && currency instanceof PrivacyFilter.RenyiFilter) {
      return Optional.empty();
    }
    double enough =
        currency instanceof PrivacyFilter.RenyiFilter at
            ? Conversion.epsilon(RenyiUnits.toNats(most), at.order(), delta.roundedDown())
            : RenyiUnits.toNats(most);
    if (Double.isInfinite(enough)) {
      return Optional.empty();
    }
    BigDecimal step = BigDecimal.ONE.movePointLeft(DIGITS);
    BigDecimal stated = new BigDecimal(enough).setScale(DIGITS, RoundingMode.CEILING);
    // Both directions of the conversion are rounded, so that one step more may be needed.
    for (int more = 0; more < 3; more++, stated = stated.add(step)) {
      if (stated.signum() > 0 && stated.compareTo(new BigDecimal("1000000")) <= 0) {
        Epsilon larger = new Epsilon(stated);
        if (capOf(currency, larger, delta) >= most) {
          return Optional.of(new ContinuedShare(larger, delta));
        }
      }
    }
    return Optional.empty();
  }

  private static long capOf(PrivacyFilter currency, Epsilon epsilon, Delta delta) {
    return currency instanceof PrivacyFilter.RenyiFilter at
        ? PrivacyFilter.RenyiFilter.of(epsilon, delta, at.order()).cap()
        : PrivacyFilter.PureDpFilter.of(epsilon).cap();
  }
}
