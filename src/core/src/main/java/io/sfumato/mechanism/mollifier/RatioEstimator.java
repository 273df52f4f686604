// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.mollifier;

import java.util.List;

/**
 * Estimates how many times as dense as the reference a dataset's own density is. May be as bad as
 * it likes: privacy rests on the band that {@link PooledItems} clips it into.
 */
public interface RatioEstimator {
  /**
   * Scores in proportion to density over reference, one for each point of the public pool.
   * Deterministic: the same dataset has the same scores.
   *
   * @param dataset at least one point
   * @return of any size; what is negative or no number stands for a failure
   */
  double[] scores(List<Point> dataset);

  /** Canonical text: part of the charge's identity. */
  String text();
}
