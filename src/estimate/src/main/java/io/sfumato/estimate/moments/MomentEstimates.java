// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.moments;

import io.sfumato.estimate.Estimate;
import io.sfumato.mechanism.NumberBounds;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.moments.BernsteinParts;
import io.sfumato.mechanism.moments.MomentQuery;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;

/**
 * What noisy sums say of one number in one group, in the number's own unit. Intervals hold the
 * truth about the records as their bounds left them, in 95 of 100 releases or more; each by itself.
 *
 * @param count of records, without bias, so that it may be below 0; exact where it is public
 * @param sum of the numbers, without bias
 * @param mean of the numbers, in [lo, hi]: all of it where there may as well be no record
 * @param variance mean squared distance from the mean, in [0, (hi - lo)^2 / 4]; of degree 2 only.
 *     Its interval holds the truth in at least 95 of 100 releases
 * @param deviation its root
 */
public record MomentEstimates(
    Estimate count,
    Estimate sum,
    Estimate mean,
    Optional<Estimate> variance,
    Optional<Estimate> deviation) {
  /** How often an interval holds the truth. */
  public static final double CONFIDENCE = 0.95;

  /** Of a variance: how often its mean may be outside the range that is looked at ... */
  private static final double MEAN_MISSED = 0.004;

  /** ... and how often its own test may fail; together 5%. */
  private static final double VARIANCE_MISSED = 0.046;

  /** Steps of doubles by which intervals are rounded outward. */
  private static final double ULPS = 4;

  /** Of numbers between 0 and 1. */
  private static final double MOST_VARIANCE = 0.25;

  /** Means that are looked at for a variance, beside the likeliest. */
  private static final int MEANS = 9;

  /**
   * What was released, in a number's unit.
   *
   * @param released as {@link NoisyMoments#of} reads it
   * @param group from 0
   * @param field the number, from 0
   * @param bounds of that number
   */
  public static MomentEstimates of(
      GridMeasurement<MomentQuery> mechanism,
      NoisyMoments released,
      int group,
      int field,
      NumberBounds bounds) {
    return of(PartsError.of(mechanism), released, group, field, bounds);
  }

  /**
   * What was released of one window or several, in a number's unit.
   *
   * @param error of the parts
   * @param group from 0
   * @param field the number, from 0
   * @param bounds of that number
   */
  public static MomentEstimates of(
      PartsError error, NoisyMoments released, int group, int field, NumberBounds bounds) {
    NoisyParts parts = NoisyParts.of(error, released, group, field);
    Estimate count = count(error, released, group);
    double[] ends = new double[released.shape().parts()];
    Arrays.setAll(ends, k -> k / (ends.length - 1.0));
    Estimate mean = parts.quotient(CONFIDENCE, ends, 0, 1);
    Optional<Estimate> variance =
        released.shape().degree() == 2 ? Optional.of(variance(parts, ends)) : Optional.empty();
    double square = bounds.span() * bounds.span();
    return new MomentEstimates(
        count,
        sum(parts, count, bounds),
        mean(mean, bounds),
        variance.map(v -> mapped(v, x -> x * square, v.unknown())),
        variance.map(v -> mapped(v, x -> Math.sqrt(x) * bounds.span(), isRootUnknown(v))));
  }

  /** In another unit, by a function that rises. */
  private static Estimate mapped(Estimate of, DoubleUnaryOperator unit, boolean unknown) {
    return new Estimate(
        unit.applyAsDouble(of.value()),
        unit.applyAsDouble(of.low()),
        unit.applyAsDouble(of.high()),
        of.clamped(),
        unknown);
  }

  private static boolean isRootUnknown(Estimate variance) {
    return Math.sqrt(variance.high()) - Math.sqrt(variance.low())
        >= Estimate.OPEN * Math.sqrt(MOST_VARIANCE);
  }

  /** In the number's unit, outward by what doubles of its size round away. */
  private static Estimate mean(Estimate place, NumberBounds bounds) {
    double slack = ULPS * Math.ulp(unit(bounds));
    return new Estimate(
        bounds.at(place.value()),
        Math.max(bounds.lo(), bounds.at(place.low()) - slack),
        Math.min(bounds.hi(), bounds.at(place.high()) + slack),
        place.clamped(),
        place.unknown());
  }

  /** The larger end. */
  private static double unit(NumberBounds bounds) {
    return Math.max(Math.abs(bounds.lo()), Math.abs(bounds.hi()));
  }

  /** All numbers of a group tell how many records there are: their average has the least noise. */
  private static Estimate count(PartsError error, NoisyMoments released, int group) {
    if (released.records().isPresent() && released.shape().groups() == 1) {
      return Estimate.exact(released.records().getAsLong());
    }
    int fields = released.shape().fields();
    double[] weights = new double[fields * released.shape().parts()];
    Arrays.fill(weights, 1.0 / fields);
    double sum = 0;
    for (int field = 0; field < fields; field++) {
      sum += NoisyParts.of(error, released, group, field).total();
    }
    return Estimate.around(
        sum / fields / BernsteinParts.STEPS,
        error.noise().halfWidth(CONFIDENCE, weights) / BernsteinParts.STEPS);
  }

  private static Estimate sum(NoisyParts parts, Estimate count, NumberBounds bounds) {
    // In units of the larger end, so that no square overflows, or vanishes.
    double unit = unit(bounds);
    double[] a = new double[parts.sums().length];
    Arrays.setAll(a, k -> (bounds.lo() + bounds.span() * k / (a.length - 1)) / unit);
    double records = Math.max(0, count.high());
    double rounding =
        bounds.span() * records * parts.resolution() + ULPS * Math.ulp(unit) * (1 + records);
    double half = parts.halfWidth(CONFIDENCE, a) / BernsteinParts.STEPS * unit + rounding;
    return Estimate.around(parts.combined(a) / BernsteinParts.STEPS * unit, half);
  }

  /**
   * (t - c)^2 has the Bernstein coefficients c^2, c^2 - c, (1 - c)^2, so that for the true mean c
   * the variance is a quotient like any other. The mean is not known, but to lie in a range, but
   * for 0.4%: every variance is possible that is, but for 4.6%, at one of these means, and at most
   * c (1 - c): also at the mean nearest to the middle, which allows the largest. Since the quotient
   * hardly moves with c where c is near the mean, about 1% more is covered than is said, and more
   * where the variance is near 0.
   */
  private static Estimate variance(NoisyParts parts, double[] ends) {
    Estimate mean = parts.quotient(1 - MEAN_MISSED, ends, 0, 1);
    Estimate likeliest = variance(parts, mean.value());
    double low = likeliest.low();
    double high = likeliest.high();
    for (int i = 0; i <= MEANS; i++) {
      double c =
          i == MEANS
              ? Estimate.clamp(0.5, mean.low(), mean.high())
              : mean.low() + (mean.high() - mean.low()) * i / (MEANS - 1);
      Estimate possible = variance(parts, c);
      low = Math.min(low, possible.low());
      high = Math.max(high, possible.high());
    }
    return new Estimate(
        likeliest.value(),
        low,
        high,
        likeliest.clamped(),
        high - low >= Estimate.OPEN * MOST_VARIANCE);
  }

  private static Estimate variance(NoisyParts parts, double c) {
    double[] a = {c * c, c * c - c, (1 - c) * (1 - c)};
    return parts.quotient(1 - VARIANCE_MISSED, a, 0, c * (1 - c));
  }
}
