// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.features;

import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.features.FeatureQuery;
import java.util.Arrays;

/**
 * What a draw says of a window's features.
 *
 * @param records N where it is public, else N with noise: it may be below 0
 * @param sums of the records' features with noise, whole steps of 2^-16
 */
public record NoisySums(double records, double[] sums) {
  public NoisySums {
    sums = sums.clone();
  }

  /** Of a draw of a query. */
  public static NoisySums of(FeatureQuery query, NoisyVector drawn) {
    double[] sums =
        Arrays.stream(drawn.values())
            .limit(query.features())
            .mapToDouble(steps -> steps / (double) FeatureQuery.STEPS)
            .toArray();
    double records =
        query.recordSteps() == 0
            ? drawn.records().orElseThrow()
            : drawn.of(query.features()) / (double) query.recordSteps();
    return new NoisySums(records, sums);
  }

  @Override
  public double[] sums() {
    return sums.clone();
  }
}
