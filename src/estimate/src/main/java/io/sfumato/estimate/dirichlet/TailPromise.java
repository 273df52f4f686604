// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.dirichlet;

import io.sfumato.accounting.Bisection;
import io.sfumato.mechanism.dirichlet.DirichletParameters;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoublePredicate;

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
    DoublePredicate tooSmall = eta -> exponent(b, eta) < wanted;
    Optional<Bisection> eta = Bisection.doubling(1, 1e6, tooSmall);
    if (eta.isEmpty()) {
      return OptionalDouble.empty();
    }
    double condition = 2 * StrictMath.log1p(categories * pair.a() / b);
    return OptionalDouble.of(Math.max(eta.get().narrowed(1e-9, tooSmall).high(), condition));
  }

  private static double exponent(double b, double eta) {
    return b * eta * eta / (2 * (2 + eta) * (4 + 3 * eta));
  }
}
