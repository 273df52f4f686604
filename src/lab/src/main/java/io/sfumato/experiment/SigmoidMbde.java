// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.mechanism.mollifier.Point;
import io.sfumato.mechanism.mollifier.Reference;
import io.sfumato.mechanism.mollifier.WeakLearner;
import io.sfumato.mechanism.mollifier.WeakLearner.Classifier;
import io.sfumato.mechanism.mollifier.WeightedPoints;
import io.sfumato.random.KeyedRandom;
import java.util.ArrayList;
import java.util.List;

/**
 * MBDE as the published figures of the random mixtures have it (the code of Park, Asoodeh, Lee
 * 2024): scores are the network's probabilities, in (0, 1), and {@code theta_t = (eps / (eps +
 * 4))^t}. So the exponent lies in [0, eps/4], and |ln Q/Q0| below eps/4: half of the band that
 * epsilon allows.
 *
 * @param name in tables
 * @param reference Q0, on a line
 * @param network that learns
 * @param pool quantiles of the reference
 */
record SigmoidMbde(String name, Reference reference, WeakLearner network, List<Point> pool)
    implements DensityEstimator {
  /** With the papers' network. */
  static SigmoidMbde of(String name, Reference reference, WeakLearner network) {
    return new SigmoidMbde(name, reference, network, Mbde.quantiles(reference));
  }

  @Override
  public Fitted fit(DensityTask task, double epsilon, KeyedRandom random) {
    WeightedPoints p = WeightedPoints.of(Mbde.quantiles(task.dataset()));
    double[] thetas = thetas(epsilon);
    double[] exponents = new double[pool.size()];
    List<Classifier> classifiers = new ArrayList<>();
    for (double theta : thetas) {
      double[] weights = new double[exponents.length];
      for (int i = 0; i < weights.length; i++) {
        weights[i] = Math.exp(exponents[i]);
      }
      Classifier logit =
          network.learn(p, new WeightedPoints(pool, DensityGrid.normalised(weights)));
      classifiers.add(x -> 1 / (1 + Math.exp(-logit.score(x))));
      for (int i = 0; i < exponents.length; i++) {
        exponents[i] += theta * classifiers.get(classifiers.size() - 1).score(pool.get(i));
      }
    }
    return Fitted.of(
        task.grid()
            .probabilities(
                x -> {
                  double log = reference.logDensity(x);
                  for (int t = 0; t < thetas.length; t++) {
                    log += thetas[t] * classifiers.get(t).score(x);
                  }
                  return log;
                }));
  }

  /** Their sum is below eps / 4. */
  static double[] thetas(double epsilon) {
    double[] thetas = new double[Mbde.ROUNDS];
    for (int t = 0; t < thetas.length; t++) {
      thetas[t] = Math.pow(epsilon / (epsilon + 4), t + 1);
    }
    return thetas;
  }
}
