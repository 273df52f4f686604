// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.moments;

import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.additive.VectorCalibrator;
import io.sfumato.mechanism.NumberBounds;
import io.sfumato.mechanism.additive.ErrorLaw;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.moments.BernsteinParts;
import io.sfumato.mechanism.moments.MomentQuery;
import io.sfumato.mechanism.moments.MomentSensitivity;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How far releases will be from the truth, by noise alone, at a public plan: N records, all in the
 * middle of their range. For plans, before any data is seen.
 *
 * @param count in records; 0 where their number is public
 * @param sum in the number's unit
 * @param mean in the number's unit
 * @param variance in its square; of degree 2 only
 */
public record MomentError(Bar count, Bar sum, Bar mean, Optional<Bar> variance) {
  /**
   * An error.
   *
   * @param deviation standard deviation of the noise
   * @param halfWidth half the width of the 95% interval
   */
  public record Bar(double deviation, double halfWidth) {
    private Bar times(double factor) {
      return new Bar(deviation * factor, halfWidth * factor);
    }
  }

  /**
   * At a public plan, for one group.
   *
   * @param groups that are released; the number of records of a single one is public where one
   *     record is replaced
   * @param records N of the group, above 0
   * @throws IllegalArgumentException if N is not above 0
   */
  public static MomentError of(
      GridMeasurement<MomentQuery> mechanism, int groups, double records, NumberBounds bounds) {
    return of(PartsError.of(mechanism), groups, records, bounds);
  }

  /**
   * The same of what parts tell of one window or several.
   *
   * @param error of the parts
   * @param groups as above
   * @param records N of the group in these windows, above 0
   * @throws IllegalArgumentException if N is not above 0
   */
  public static MomentError of(PartsError error, int groups, double records, NumberBounds bounds) {
    if (!(records > 0)) {
      throw new IllegalArgumentException("a plan has records, had " + records);
    }
    MomentSensitivity sensitivity = error.sensitivity();
    boolean sizeIsPublic = sensitivity.sizeIsPublic() && groups == 1;
    NoisyParts parts = parts(error, sizeIsPublic);
    double[] ones = new double[sensitivity.fields() * (sensitivity.degree() + 1)];
    Arrays.fill(ones, 1.0 / sensitivity.fields());
    double unit = Math.max(Math.abs(bounds.lo()), Math.abs(bounds.hi()));
    double[] ends = ends(sensitivity.degree());
    double[] values =
        Arrays.stream(ends).map(end -> (bounds.lo() + bounds.span() * end) / unit).toArray();
    double square = bounds.span() * bounds.span();
    return new MomentError(
        sizeIsPublic ? new Bar(0, 0) : bar(error.noise(), ones),
        bar(parts, values).times(unit),
        bar(parts, NoisyParts.less(ends, 0.5)).times(bounds.span() / records),
        sensitivity.degree() == 2
            ? Optional.of(bar(parts, new double[] {0.25, -0.25, 0.25}).times(square / records))
            : Optional.empty());
  }

  /**
   * Of a mean that lies elsewhere in its range: where the number of records has noise too, that
   * tells the more the further from the middle.
   *
   * @param groups as above
   * @param records N of the group, above 0
   * @param place of the mean, from 0 at the lower end to 1
   */
  public static Bar meanAt(
      PartsError error, int groups, double records, NumberBounds bounds, double place) {
    boolean sizeIsPublic = error.sensitivity().sizeIsPublic() && groups == 1;
    double[] ends = ends(error.sensitivity().degree());
    return bar(parts(error, sizeIsPublic), NoisyParts.less(ends, place))
        .times(bounds.span() / records);
  }

  /** Of a mean of one record, in the middle of its range, in spans of it. */
  static Bar ofOneRecord(PartsError error) {
    MomentSensitivity sensitivity = error.sensitivity();
    NoisyParts parts = parts(error, sensitivity.firstPart() > 0);
    return bar(parts, NoisyParts.less(ends(sensitivity.degree()), 0.5));
  }

  /**
   * What a share affords, by the width of the 95% interval that a mean in the middle of its range
   * is expected to have: the narrowest first. (It is in inverse proportion to the number of
   * records, so that this order is the same for all.)
   *
   * @param ways what may be drawn: the same neighbours, seen by other parts
   */
  public static List<Calibrated<GridMeasurement<MomentQuery>>> best(
      CalibrationTarget request, List<MomentSensitivity> ways) {
    return narrowestFirst(
        ways.stream()
            .flatMap(
                way ->
                    VectorCalibrator.either(request, new MomentQuery(way), way.moved()).stream()));
  }

  /** Plans by the width of a mean's interval, the narrowest first; of equal ones as they come. */
  public static List<Calibrated<GridMeasurement<MomentQuery>>> narrowestFirst(
      Stream<Calibrated<GridMeasurement<MomentQuery>>> plans) {
    return plans
        .sorted(
            Comparator.comparingDouble(
                plan -> ofOneRecord(PartsError.of(plan.mechanism())).halfWidth()))
        .toList();
  }

  private static double[] ends(int degree) {
    double[] ends = new double[degree + 1];
    Arrays.setAll(ends, k -> k / (double) degree);
    return ends;
  }

  private static NoisyParts parts(PartsError error, boolean sizeIsPublic) {
    MomentSensitivity sensitivity = error.sensitivity();
    return new NoisyParts(
        error.noise(),
        new double[sensitivity.degree() + 1],
        sizeIsPublic ? 0 : Double.NaN,
        sensitivity.firstPart(),
        sensitivity.resolution());
  }

  private static Bar bar(NoisyParts parts, double[] a) {
    return bar(parts.noise(), NoisyParts.less(a, parts.offset(a)));
  }

  private static Bar bar(ErrorLaw noise, double[] weights) {
    double squares = 0;
    for (double weight : weights) {
      squares += weight * weight;
    }
    return new Bar(
        noise.deviation() * Math.sqrt(squares) / BernsteinParts.STEPS,
        noise.halfWidth(MomentEstimates.CONFIDENCE, weights) / BernsteinParts.STEPS);
  }
}
