// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.quantile;

import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.quantile.QuantileQuery;

/**
 * How far off cumulative counts are, whatever the data: for plans, and for people who choose a
 * budget.
 *
 * @param rankRms root mean square error over all bins, in records
 * @param rankWorst that of the last bin, the largest, in records
 * @param halfWidth half the width of the interval of the median, in records: ranks that are further
 *     off are left out; root mean square over all bins
 */
public record QuantileError(double rankRms, double rankWorst, double halfWidth) {
  /** Of what a mechanism draws of all records together. */
  public static QuantileError of(GridMeasurement<QuantileQuery> mechanism) {
    return new QuantileEstimates(mechanism).error();
  }
}
