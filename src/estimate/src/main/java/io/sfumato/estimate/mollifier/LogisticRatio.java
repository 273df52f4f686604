// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.mollifier;

import io.sfumato.mechanism.mollifier.Point;
import io.sfumato.mechanism.mollifier.RatioEstimator;
import io.sfumato.mechanism.mollifier.WeakLearner;
import io.sfumato.mechanism.mollifier.WeightedPoints;
import java.util.Arrays;
import java.util.List;

/**
 * The odds of a classifier that tells the dataset from the pool: for many numbers, where kernels
 * find no neighbours.
 *
 * @param learner whose scores are logarithms of density over reference
 * @param pool of the reference
 */
public record LogisticRatio(LogisticFourier learner, List<Point> pool) implements RatioEstimator {
  /** Prepares the learner for the pool's points. */
  public LogisticRatio {
    pool = List.copyOf(pool);
    learner.prepared(pool);
  }

  @Override
  public String text() {
    return learner.text();
  }

  @Override
  public double[] scores(List<Point> dataset) {
    WeakLearner.Classifier odds =
        learner.learn(WeightedPoints.of(dataset), WeightedPoints.of(pool));
    double[] logs = pool.stream().mapToDouble(odds::score).toArray();
    double most = Arrays.stream(logs).max().orElseThrow();
    return Arrays.stream(logs).map(log -> StrictMath.exp(log - most)).toArray();
  }
}
