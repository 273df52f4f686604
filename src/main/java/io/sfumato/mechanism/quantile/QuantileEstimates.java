// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.quantile;

import io.sfumato.mechanism.factorised.RootEstimate;
import io.sfumato.mechanism.quantile.QuantileEstimate.Place;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * From noisy bins to quantiles. Post-processing of what is published and of public facts, the same
 * bytes on every machine.
 */
public final class QuantileEstimates {
  /** How often an interval holds the quantile, or more often. */
  public static final double CONFIDENCE = 0.95;

  /** The 97.5% quantile of the standard normal law. */
  static final double Z = 1.959963984540054;

  private final Bins bins;
  private final RootEstimate estimate;
  private final double sigma;

  /** Covariances of cumulative counts with the last one, where sigma is 1. */
  private final double[] withLast;

  private final double whole;

  /** Of what a mechanism draws. */
  public QuantileEstimates(QuantileMechanism mechanism) {
    this.bins = mechanism.bins();
    this.estimate = new RootEstimate(mechanism.rows().root());
    this.sigma = mechanism.rows().deviation();
    this.withLast =
        mechanism.sizeIsPublic() ? new double[bins.number()] : estimate.covariancesWithLast();
    this.whole = mechanism.sizeIsPublic() ? 0 : estimate.largest();
  }

  /**
   * How many records lie in a bin or below, for each: estimates that do not fall, from 0 to N where
   * that is public.
   */
  public double[] ranks(NoisyBins drawn) {
    return rising(estimate.sums(drawn.rows()), drawn.records());
  }

  private static double[] rising(double[] sums, OptionalLong records) {
    double[] ranks = Isotonic.regression(sums);
    double most = records.isPresent() ? records.getAsLong() : Double.POSITIVE_INFINITY;
    for (int v = 0; v < ranks.length; v++) {
      ranks[v] = Math.max(0, Math.min(most, ranks[v]));
    }
    if (records.isPresent()) {
      ranks[ranks.length - 1] = most;
    }
    return ranks;
  }

  /**
   * Estimates of some quantiles, in their order.
   *
   * @param quantiles each in (0, 1)
   */
  public QuantileEstimate[] of(NoisyBins drawn, double... quantiles) {
    double[] sums = estimate.sums(drawn.rows());
    double[] ranks = rising(sums, drawn.records());
    double total =
        drawn.records().isPresent() ? drawn.records().getAsLong() : sums[sums.length - 1];
    return Arrays.stream(quantiles)
        .mapToObj(q -> estimate(q, sums, total, ranks))
        .toArray(QuantileEstimate[]::new);
  }

  /**
   * With F the true cumulative counts, F_-1 = 0, the quantile's bin is the v with F_v - q N >= 0
   * and F_(v-1) - q N < 0. Each of the two is rejected in at most 2.5% of all cases where it is
   * true, so the bins for which neither is hold the quantile's in 95% or more, however few records
   * there are.
   */
  private QuantileEstimate estimate(double q, double[] sums, double total, double[] ranks) {
    QuantileEstimate.requireQuantile(q);
    int last = sums.length - 1;
    int first = last;
    int end = 0;
    boolean below = false;
    for (int v = 0; v <= last; v++) {
      double reach = Z * deviation(q, v);
      double beyond = sums[v] - q * total;
      boolean fits = !below && (v == last || beyond >= -reach);
      first = fits ? Math.min(first, v) : first;
      end = fits ? v : end;
      below = beyond > reach; // then the quantile lies in this bin or below
    }
    double part = q * ranks[last];
    int bin = part > 0 ? firstAtLeast(ranks, part) : last / 2;
    double before = bin == 0 ? 0 : ranks[bin - 1];
    double value = bins.within(bin, part > 0 ? (part - before) / (ranks[bin] - before) : 1);
    return new QuantileEstimate(
        q,
        value,
        bins.edge(Math.min(first, bin)),
        bins.edge(Math.max(end, bin) + 1),
        bin == 0 ? Place.FIRST : bin == last ? Place.LAST : Place.BETWEEN);
  }

  private static int firstAtLeast(double[] ranks, double part) {
    int low = 0;
    int high = ranks.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ranks[middle] >= part) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /**
   * Standard deviation, in records, of what tells on which side of a bin's upper edge the quantile
   * lies: the cumulative count less q times the number of records, which may be noisy as well.
   */
  double deviation(double q, int bin) {
    double own = estimate.deviation(bin);
    double variance = own * own + q * q * whole * whole - 2 * q * withLast[bin];
    return sigma * Math.sqrt(Math.max(0, variance));
  }

  /**
   * How wide intervals are, for plans: half of it, in records, the root mean square over all bins.
   *
   * @param q in (0, 1)
   */
  public double halfWidth(double q) {
    QuantileEstimate.requireQuantile(q);
    double squares = 0;
    for (int v = 0; v < bins.number(); v++) {
      squares += deviation(q, v) * deviation(q, v);
    }
    return Z * Math.sqrt(squares / bins.number());
  }
}
