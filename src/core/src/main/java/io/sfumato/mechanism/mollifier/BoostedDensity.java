// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.mollifier;

import io.sfumato.mechanism.mollifier.WeakLearner.Classifier;
import io.sfumato.random.ExactBernoulli;
import io.sfumato.random.KeyedRandom;
import java.util.List;

/**
 * {@code Q ~ Q0 exp(sum theta_t c_t)}: by the clip its logarithm lies within eps/2 of that of Q0,
 * whatever the classifiers are (Theorem 5 of the paper's long version). Sampled by rejection from
 * Q0, exactly: every x that Q0 can give is reachable under every dataset.
 */
public final class BoostedDensity {
  private final Reference reference;
  private final List<Classifier> classifiers;
  private final double[] thetas;
  private final double largest;

  /** More thetas than classifiers are not used. */
  BoostedDensity(Reference reference, List<Classifier> classifiers, double[] thetas) {
    this.reference = reference;
    this.classifiers = List.copyOf(classifiers);
    this.thetas = thetas.clone();
    double sum = 0;
    for (int t = 0; t < classifiers.size(); t++) {
      sum += thetas[t] * Boosting.CLIP;
    }
    this.largest = sum;
  }

  /** sum theta_t c_t(x), in [-eps/4, eps/4]: ln Q/Q0 but for a constant. */
  public double exponent(Point x) {
    double sum = 0;
    for (int t = 0; t < classifiers.size(); t++) {
      sum += thetas[t] * Boosting.clipped(classifiers.get(t), x);
    }
    return sum;
  }

  /** Q0, from which the sampler tries. */
  public Reference reference() {
    return reference;
  }

  /** One item; at most e^(eps/2) tries are expected, and there is no last one. */
  public Point draw(KeyedRandom random) {
    while (true) {
      Point x = reference.draw(random);
      double acceptance = StrictMath.exp(Math.min(0, exponent(x) - largest));
      if (acceptance >= 1 || ExactBernoulli.heads(random, ExactBernoulli.clamp(acceptance))) {
        return x;
      }
    }
  }
}
