// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.quantile;

import io.sfumato.estimate.Estimate;
import io.sfumato.estimate.matrix.RootEstimate;
import io.sfumato.estimate.quantile.QuantileEstimate.Place;
import io.sfumato.mechanism.BoundedCache;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.quantile.Bins;
import io.sfumato.mechanism.quantile.QuantileQuery;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.IntPredicate;

/**
 * From noisy bins to quantiles. Post-processing of what is published and of public facts, the same
 * bytes on every machine.
 */
public final class QuantileEstimates {
  /** How often an interval holds the quantile, or more often. */
  public static final double CONFIDENCE = 0.95;

  /** The 98% quantile of the standard normal law: a bin's own count rejects it in 2% wrongly. */
  static final double NEAR = 2.05374891064;

  private static final double MEDIAN = 0.5;

  /** The 97.5% quantile. */
  private static final double Z = 1.959963984540054;

  /** How often the quantile's bin is rejected wrongly by a count further away, on either side. */
  private static final double FAR_FAILURE = 0.01;

  /** Whose deviations are kept. */
  private static final int MOST_QUANTILES = 32;

  private final Bins bins;
  private final RootEstimate estimate;
  private final double sigma;

  /** Covariances of cumulative counts with the last one, where sigma is 1. */
  private final double[] withLast;

  private final double whole;

  /** Of every bin, by the quantile: each window asks for the same ones. */
  private final BoundedCache<Double, double[]> deviations = new BoundedCache<>(MOST_QUANTILES);

  /** In deviations, as {@link #NEAR}: for all counts that a search by halves looks at. */
  private final double far;

  /** Of what a mechanism draws of all records together. */
  public QuantileEstimates(GridMeasurement<QuantileQuery> mechanism) {
    this(mechanism, mechanism.sizeIsPublic());
  }

  private QuantileEstimates(GridMeasurement<QuantileQuery> mechanism, boolean sizeIsPublic) {
    this(
        mechanism.query().bins(),
        new RootEstimate(mechanism.query().root()),
        mechanism.deviation(),
        sizeIsPublic);
  }

  private QuantileEstimates(Bins bins, RootEstimate estimate, double sigma, boolean sizeIsPublic) {
    this.bins = bins;
    this.estimate = estimate;
    this.sigma = sigma;
    this.withLast = sizeIsPublic ? new double[bins.number()] : estimate.covariancesWithLast();
    this.whole = sizeIsPublic ? 0 : estimate.largest();
    this.far = far(Integer.SIZE - Integer.numberOfLeadingZeros(bins.number() - 1));
  }

  /**
   * Of one of several categories that are drawn side by side: how many records it has is private,
   * even where that of all categories together is not.
   */
  static QuantileEstimates ofOneOfSeveral(GridMeasurement<QuantileQuery> mechanism) {
    return new QuantileEstimates(mechanism, false);
  }

  /** Of the sums of so many vectors, whose variances add up. */
  QuantileEstimates ofSums(int vectors, boolean sizeIsPublic) {
    return new QuantileEstimates(bins, estimate, sigma * Math.sqrt(vectors), sizeIsPublic);
  }

  /**
   * P[Z > z] is below phi(z) / z, so the z at which n of that are the failure is enough; n halvings
   * find any bin. The iteration contracts by less than 1/z^2, and ends at the nearest doubles.
   */
  private static double far(int n) {
    double ln = StrictMath.log(n / (FAR_FAILURE * Math.sqrt(2 * Math.PI)));
    double z = Math.sqrt(2 * ln);
    for (int i = 0; i < 30; i++) {
      z = Math.sqrt(2 * (ln - StrictMath.log(z)));
    }
    return z * (1 + 0x1.0p-40);
  }

  /**
   * How many records lie in a bin or below, for each: estimates that do not fall, from 0 to N where
   * that is public.
   */
  public double[] ranks(NoisyVector drawn) {
    return rising(estimate.sums(drawn.values()), drawn.records());
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
  public QuantileEstimate[] of(NoisyVector drawn, double... quantiles) {
    return told(drawn, quantiles).quantiles().toArray(QuantileEstimate[]::new);
  }

  /**
   * All that is told of a window.
   *
   * @param count number of records, without bias, with its 95% interval
   * @param quantiles in the order in which they were asked for
   */
  public record Told(Estimate count, List<QuantileEstimate> quantiles) {}

  /**
   * The number of records, and some quantiles.
   *
   * @param quantiles each in (0, 1)
   */
  public Told told(NoisyVector drawn, double... quantiles) {
    return told(drawn.values(), drawn.records(), quantiles);
  }

  /**
   * The same of noisy rows.
   *
   * @param rows one a bin, in steps
   * @param records N where it is public
   */
  Told told(long[] rows, OptionalLong records, double... quantiles) {
    double[] sums = estimate.sums(rows);
    double[] ranks = rising(sums, records);
    double total = records.isPresent() ? records.getAsLong() : sums[sums.length - 1];
    return new Told(
        Estimate.around(total, Z * sigma * whole),
        Arrays.stream(quantiles).mapToObj(q -> estimate(q, sums, total, ranks)).toList());
  }

  private QuantileEstimate estimate(double q, double[] sums, double total, double[] ranks) {
    QuantileEstimate.requireQuantile(q);
    double[] deviation = deviations.of(q, this::deviations);
    int last = sums.length - 1;
    double part = q * ranks[last];
    int bin = part > 0 ? firstAtLeast(ranks, part) : last / 2;
    double before = bin == 0 ? 0 : ranks[bin - 1];
    double value = bins.within(bin, part > 0 ? (part - before) / (ranks[bin] - before) : 1);
    double[] beyond = new double[sums.length];
    for (int v = 0; v <= last; v++) {
      beyond[v] = excess(sums[v] - q * total, deviation[v]);
    }
    int[] ends = interval(beyond, bin);
    return new QuantileEstimate(
        q,
        value,
        bins.edge(ends[0]),
        bins.edge(ends[1] + 1),
        bin == 0 ? Place.FIRST : bin == last ? Place.LAST : Place.BETWEEN,
        ends[1] + 1 - ends[0] >= Estimate.OPEN * sums.length);
  }

  /** In deviations; without noise the sign alone tells. */
  private static double excess(double difference, double deviation) {
    return difference == 0 ? 0 : difference / deviation;
  }

  /**
   * The first and last bin that cannot be excluded. With F the true cumulative counts and F_-1 = 0,
   * the quantile's bin is the v with F_v >= q N and F_(v-1) < q N. Let t_u be the estimate of F_u -
   * q N in deviations. The first is rejected where t_v < -near, the second where t_(v-1) > near:
   * each in at most 2% of cases wrongly. Single bins at any distance would be left over, so two
   * searches by halves bound where it lies. One goes left where t_u > far, and right else; the
   * other right where t_u < -far, and left else. As long as they err at none of the counts that the
   * search for the true bin looks at, they never leave its way to the wrong side, and each of these
   * counts tempts one of the two alone: together they err in at most 1% of cases. So the quantile's
   * own bin is held in 95% or more, however few records there are.
   *
   * @param beyond t
   * @param bin of the estimate, which is held anyway
   */
  private int[] interval(double[] beyond, int bin) {
    int last = beyond.length - 1;
    int from = bisected(last, v -> beyond[v] >= -far);
    int to = bisected(last, v -> beyond[v] > far);
    int first = bin;
    int end = bin;
    for (int v = from; v <= to; v++) {
      if ((v == last || beyond[v] >= -NEAR) && (v == 0 || beyond[v - 1] <= NEAR)) {
        first = Math.min(first, v);
        end = Math.max(end, v);
      }
    }
    return new int[] {first, end};
  }

  private static int firstAtLeast(double[] ranks, double part) {
    return bisected(ranks.length - 1, v -> ranks[v] >= part);
  }

  /** Where halving from 0 to {@code last} ends that goes left wherever it is told to. */
  private static int bisected(int last, IntPredicate left) {
    int low = 0;
    int high = last;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (left.test(middle)) {
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

  private double[] deviations(double q) {
    double[] deviations = new double[bins.number()];
    Arrays.setAll(deviations, bin -> deviation(q, bin));
    return deviations;
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
    return NEAR * Math.sqrt(squares / bins.number());
  }

  /** How far off cumulative counts are. */
  QuantileError error() {
    return new QuantileError(
        sigma * estimate.rootMeanSquare(), sigma * estimate.largest(), halfWidth(MEDIAN));
  }
}
