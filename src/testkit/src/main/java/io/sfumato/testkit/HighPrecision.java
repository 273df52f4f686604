// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.testkit;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The functions of privacy profiles in decimal numbers of many digits, for tests to compare with.
 */
public final class HighPrecision {
  /** With more digits than were asked for so far. */
  private static final AtomicReference<BigDecimal> PI = new AtomicReference<>(BigDecimal.ZERO);

  private final MathContext digits;

  public HighPrecision(int digits) {
    this.digits = new MathContext(digits, RoundingMode.HALF_EVEN);
  }

  public MathContext digits() {
    return digits;
  }

  /** e^x by Taylor's series at x / 2^k. */
  public BigDecimal exp(BigDecimal x) {
    int halvings = 0;
    BigDecimal small = x;
    while (small.abs().compareTo(new BigDecimal("0.01")) > 0) {
      small = small.divide(BigDecimal.valueOf(2), more());
      halvings++;
    }
    BigDecimal term = BigDecimal.ONE;
    BigDecimal sum = BigDecimal.ONE;
    for (int n = 1;
        term.signum() != 0 && term.precision() - term.scale() > -more().getPrecision();
        n++) {
      term = term.multiply(small, more()).divide(BigDecimal.valueOf(n), more());
      sum = sum.add(term, more());
    }
    for (int i = 0; i < halvings; i++) {
      sum = sum.multiply(sum, more());
    }
    return sum.round(digits);
  }

  /** ln x by Newton's method from the double's logarithm; x is a normal double's magnitude. */
  public BigDecimal ln(BigDecimal x) {
    BigDecimal y = new BigDecimal(StrictMath.log(x.doubleValue()));
    for (int i = 0; i < 8; i++) {
      y = y.add(x.divide(exp(y), more()).subtract(BigDecimal.ONE), more());
    }
    return y.round(digits);
  }

  /** Phi(x) = 1/2 + phi(x) sum x^(2n+1) / (2n+1)!!, with digits for what cancels. */
  public BigDecimal phi(BigDecimal x) {
    int lost = (int) (x.doubleValue() * x.doubleValue() / 2 / Math.log(10));
    HighPrecision wide = new HighPrecision(digits.getPrecision() + lost + 20);
    MathContext context = wide.digits;
    BigDecimal square = x.multiply(x, context);
    BigDecimal term = x;
    BigDecimal sum = x;
    for (int n = 1;
        term.signum() != 0 && term.precision() - term.scale() > -context.getPrecision();
        n++) {
      term = term.multiply(square, context).divide(BigDecimal.valueOf(2L * n + 1), context);
      sum = sum.add(term, context);
    }
    BigDecimal density =
        wide.exp(square.divide(BigDecimal.valueOf(-2), context))
            .divide(wide.pi().multiply(BigDecimal.valueOf(2)).sqrt(context), context);
    return new BigDecimal("0.5").add(density.multiply(sum, context), context).round(digits);
  }

  /** The analytic Gaussian (Balle, Wang 2018, Theorem 8). */
  public BigDecimal gaussian(BigDecimal mu, BigDecimal epsilon) {
    BigDecimal half = mu.divide(BigDecimal.valueOf(2), digits);
    BigDecimal ratio = epsilon.divide(mu, digits);
    return phi(half.subtract(ratio, digits))
        .subtract(
            exp(epsilon).multiply(phi(half.negate().subtract(ratio, digits)), digits), digits);
  }

  /**
   * k answers of randomised response: the loss is (k - 2 j) bound for j lies (Kairouz, Oh,
   * Viswanath 2015, Theorem 3.3).
   */
  public BigDecimal randomisedResponse(BigDecimal bound, int count, BigDecimal epsilon) {
    BigDecimal odds = exp(bound);
    BigDecimal truth = odds.divide(odds.add(BigDecimal.ONE), digits);
    BigDecimal lie = BigDecimal.ONE.divide(odds.add(BigDecimal.ONE), digits);
    BigDecimal choose = BigDecimal.ONE;
    BigDecimal delta = BigDecimal.ZERO;
    for (int j = 0; j <= count; j++) {
      BigDecimal loss = bound.multiply(BigDecimal.valueOf(count - 2L * j));
      if (loss.compareTo(epsilon) > 0) {
        BigDecimal mass =
            choose.multiply(truth.pow(count - j, digits)).multiply(lie.pow(j, digits), digits);
        delta =
            delta.add(
                mass.multiply(BigDecimal.ONE.subtract(exp(epsilon.subtract(loss))), digits),
                digits);
      }
      choose =
          choose.multiply(BigDecimal.valueOf(count - j)).divide(BigDecimal.valueOf(j + 1L), digits);
    }
    return delta;
  }

  private BigDecimal pi() {
    if (PI.get().precision() < digits.getPrecision() + 20) {
      PI.set(machin());
    }
    return PI.get().round(digits);
  }

  /** pi by Machin's formula, of which the last few digits are wrong. */
  private BigDecimal machin() {
    return arctanOfInverse(5)
        .multiply(BigDecimal.valueOf(16))
        .subtract(arctanOfInverse(239).multiply(BigDecimal.valueOf(4)));
  }

  private BigDecimal arctanOfInverse(int x) {
    BigDecimal power = BigDecimal.ONE.divide(BigDecimal.valueOf(x), more());
    BigDecimal sum = power;
    BigDecimal square = BigDecimal.valueOf((long) x * x);
    for (int n = 1; power.precision() - power.scale() > -more().getPrecision(); n++) {
      power = power.divide(square, more());
      BigDecimal term = power.divide(BigDecimal.valueOf(2L * n + 1), more());
      sum = n % 2 == 1 ? sum.subtract(term, more()) : sum.add(term, more());
    }
    return sum;
  }

  private MathContext more() {
    return new MathContext(digits.getPrecision() + 30, RoundingMode.HALF_EVEN);
  }
}
