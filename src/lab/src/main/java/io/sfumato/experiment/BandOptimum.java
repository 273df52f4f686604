// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.accounting.Bisection;
import io.sfumato.accounting.Epsilon;
import io.sfumato.mechanism.mollifier.LikelihoodRatioBand;
import io.sfumato.random.KeyedRandom;
import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.function.DoublePredicate;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;

/**
 * The density of a band that is nearest to the truth in KL divergence (equation 8): {@code Q =
 * clip(lambda P, band Q0)}. It knows the truth: what any contender of the same band can reach at
 * best.
 *
 * @param name in tables
 * @param base Q0: probabilities of the grid's cells
 * @param band of an epsilon
 */
record BandOptimum(String name, double[] base, Function<Epsilon, LikelihoodRatioBand> band)
    implements DensityEstimator {
  /** Halvings of the bracket of lambda: more than a double has digits. */
  private static final int HALVINGS = 100;

  @Override
  public Fitted fit(DensityTask task, double epsilon, KeyedRandom random) {
    return Fitted.of(nearest(task.truth(), base, band.apply(Epsilons.of(epsilon))));
  }

  /** {@code clip(lambda p, band base)}, lambda such that it adds up to 1. */
  static double[] nearest(double[] p, double[] base, LikelihoodRatioBand band) {
    double lambda =
        lambda(l -> Arrays.stream(clipped(p, base, band, l)).sum()).orElse(Double.MAX_VALUE);
    return DensityGrid.normalised(clipped(p, base, band, lambda));
  }

  /**
   * The lambda at which a clipped law adds up to 1; nothing where all that it may lift is too
   * little.
   *
   * @param mass of a lambda above 0, which grows with it
   */
  static OptionalDouble lambda(DoubleUnaryOperator mass) {
    DoublePredicate tooLittle = l -> mass.applyAsDouble(l) < 1;
    return Bisection.around(1, Double.MIN_NORMAL, Double.MAX_VALUE, tooLittle).stream()
        .mapToDouble(bracket -> bracket.halved(HALVINGS, tooLittle).low())
        .findFirst();
  }

  private static double[] clipped(
      double[] p, double[] base, LikelihoodRatioBand band, double lambda) {
    double[] q = new double[p.length];
    for (int i = 0; i < q.length; i++) {
      q[i] = Math.max(band.lower() * base[i], Math.min(band.upper() * base[i], lambda * p[i]));
    }
    return q;
  }
}
