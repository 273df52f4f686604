// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.mollifier;

import io.sfumato.mechanism.mollifier.Point;
import io.sfumato.mechanism.mollifier.RatioEstimator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * An estimator that knows the scores of datasets it has seen: for comparisons on PUBLIC datasets,
 * whose scores serve every band. Not for those of subjects, which it would keep.
 */
public final class KnownScores implements RatioEstimator {
  private final RatioEstimator estimator;
  private final Map<List<Point>, double[]> known = new IdentityHashMap<>();

  /** Of any estimator. */
  public KnownScores(RatioEstimator estimator) {
    this.estimator = estimator;
  }

  @Override
  public double[] scores(List<Point> dataset) {
    return known.computeIfAbsent(dataset, estimator::scores).clone();
  }

  @Override
  public String text() {
    return estimator.text();
  }
}
