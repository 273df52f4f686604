// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.dirichlet;

import java.util.OptionalDouble;

/**
 * The paper's Theorem 2: for q ~ Dirichlet(b p + a), b = r N and {@code b >= d a / (e^(eta/2) -
 * 1)},
 *
 * <pre>{@code
 * P[KL(p || q) > eta] <= exp(-b eta^2 / (2 (2 + eta) (4 + 3 eta)))
 * }</pre>
 */
public final class TailPromise {
  private TailPromise() {}

  /**
   * The smallest eta, in nats, that the theorem promises with a probability.
   *
   * @param size N, above 0
   * @param categories d
   * @param confidence in (0, 1)
   * @return nothing if N is too small for any promise: b must exceed -6 ln(1 - confidence)
   */
  public static OptionalDouble of(
      DirichletParameters pair, double size, int categories, double confidence) {
    double b = pair.r() * size;
    double wanted = -StrictMath.log1p(-confidence);
    double high = 1;
    while (exponent(b, high) < wanted) {
      high *= 2;
      if (high > 1e6) {
        return OptionalDouble.empty();
      }
    }
    double low = 0;
    while (high - low > 1e-9 * high) {
      double middle = (low + high) / 2;
      if (exponent(b, middle) < wanted) {
        low = middle;
      } else {
        high = middle;
      }
    }
    double condition = 2 * StrictMath.log1p(categories * pair.a() / b);
    return OptionalDouble.of(Math.max(high, condition));
  }

  private static double exponent(double b, double eta) {
    return b * eta * eta / (2 * (2 + eta) * (4 + 3 * eta));
  }
}
