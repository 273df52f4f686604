// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import org.apache.commons.math3.special.Gamma;
import org.apache.commons.math3.util.FastMath;

/**
 * The complementary error function of commons-math3, to the bit: {@code Q(1/2, x^2)} by a series or
 * a continued fraction. Written out because most of an interval, and much of a plan, is this one
 * function, which the library's fraction of any coefficients takes more than twice as long for.
 * Published numbers rest on it, so that no other algorithm could take its place.
 */
final class Erfc {
  /** Beyond it nothing is left. */
  private static final double FAR = 40;

  private static final double A = 0.5;
  private static final double LN_GAMMA = Gamma.logGamma(A);

  /** Where series and fraction end. */
  private static final double ENOUGH = 1e-15;

  /** Nearer to 0 no denominator is taken. */
  private static final double SMALL = 1e-50;

  private static final int MOST_TERMS = 10_000;

  private Erfc() {}

  /**
   * The integral of {@code 2 e^(-t^2) / sqrt(pi)} from x on.
   *
   * @param x any number
   */
  static double of(double x) {
    if (Math.abs(x) > FAR) {
      return x > 0 ? 0 : 2;
    }
    double q = q(x * x);
    return x < 0 ? 2 - q : q;
  }

  /** Q(1/2, x). */
  private static double q(double x) {
    if (Double.isNaN(x)) {
      return x;
    }
    if (x == 0) {
      return 1;
    }
    return x < A + 1 ? 1 - factor(x) * series(x) : factor(x) * (1 / fraction(x));
  }

  private static double factor(double x) {
    return FastMath.exp(-x + A * FastMath.log(x) - LN_GAMMA);
  }

  private static double series(double x) {
    double term = 1 / A;
    double sum = term;
    for (int n = 1; Math.abs(term / sum) > ENOUGH && n <= MOST_TERMS; n++) {
      term *= x / (A + n);
      sum += term;
    }
    return sum;
  }

  /** By Lentz's method, modified (Thompson and Barnett 1986). */
  private static double fraction(double x) {
    double found = 1 - A + x;
    double c = found;
    double d = 0;
    for (int n = 1; n < MOST_TERMS; n++) {
      double a = 2.0 * n + 1 - A + x;
      double b = n * (A - n);
      d = a + b * d;
      c = a + b / c;
      d = 1 / (Math.abs(d) <= SMALL ? SMALL : d);
      c = Math.abs(c) <= SMALL ? SMALL : c;
      double factor = c * d;
      found *= factor;
      if (Math.abs(factor - 1) < ENOUGH) {
        return found;
      }
    }
    throw new IllegalStateException("no end of a fraction at " + x);
  }
}
