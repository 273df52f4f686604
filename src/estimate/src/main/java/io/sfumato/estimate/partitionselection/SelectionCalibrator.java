// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.partitionselection;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.PrivacyFilter;
import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.additive.CalibratedNoise;
import io.sfumato.estimate.additive.NoiseCalibration;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.mechanism.continual.Coefficients;
import io.sfumato.mechanism.continual.RowSensitivity;
import io.sfumato.mechanism.continual.SquareRootCoefficients;
import io.sfumato.mechanism.partitionselection.DiscoveryMechanism;
import io.sfumato.mechanism.partitionselection.NameBounds;
import io.sfumato.mechanism.partitionselection.Threshold;
import io.sfumato.mechanism.partitionselection.UnlistedCount;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The least threshold that a share affords, and the noise below it. A share's delta pays for both:
 * for names that one user alone has, and for noise that is not purely private.
 */
public final class SelectionCalibrator {
  /** Parts of a delta; one of them at least is the threshold's, and another one the noise's. */
  private static final int PARTS = 8;

  /** Covers the roundings of a chance. */
  private static final double DOWN = 1 - 1e-12;

  private SelectionCalibrator() {}

  /**
   * A plan.
   *
   * @param noise of a name's count, on the grid of rows
   * @param sensitivity that the noise hides, of one window
   * @param threshold of what is published
   * @param thresholdDelta the part of the delta that the threshold takes, of all of a user's
   *     windows
   */
  public record Found(
      CalibratedNoise<GridNoise> noise,
      GridSensitivity sensitivity,
      Threshold threshold,
      BigDecimal thresholdDelta) {
    /**
     * The mechanism, and its share: so many releases of this very one, since another plan of the
     * same share divides its delta otherwise.
     *
     * @param request that it was planned for
     */
    public Calibrated<DiscoveryMechanism> planned(CalibrationTarget request) {
      DiscoveryMechanism mechanism = new DiscoveryMechanism(noise.noise(), sensitivity, threshold);
      return Calibrated.of(
          request,
          new PrivacyFilter.FixedCountFilter(mechanism.charge().mechanism(), request.horizon()),
          mechanism);
    }
  }

  /**
   * With discrete Laplace noise; nothing if none is enough.
   *
   * @param request its horizon is how many of a user's windows count at most
   */
  public static Optional<Found> laplace(CalibrationTarget request, NameBounds bounds) {
    return laplace(request, bounds, UnlistedCount.UNTOLD);
  }

  /** The same where more is told than names. */
  public static Optional<Found> laplace(
      CalibrationTarget request, NameBounds bounds, UnlistedCount rest) {
    GridSensitivity window = window(request, bounds, rest);
    Optional<Found> pure =
        NoiseCalibration.pureLaplace(
                request.epsilon(), request.horizon(), window, Coefficients.DIGITS)
            .map(noise -> found(request, bounds, window, noise, request.delta().value()));
    return best(
        Stream.concat(
            pure.stream(),
            divided(
                request,
                bounds,
                window,
                of -> NoiseCalibration.laplace(of, window, Coefficients.DIGITS))));
  }

  /** The same with discrete Gaussian noise. */
  public static Optional<Found> gaussian(CalibrationTarget request, NameBounds bounds) {
    return gaussian(request, bounds, UnlistedCount.UNTOLD);
  }

  /** The same where more is told than names. */
  public static Optional<Found> gaussian(
      CalibrationTarget request, NameBounds bounds, UnlistedCount rest) {
    GridSensitivity window = window(request, bounds, rest);
    return best(
        divided(
            request,
            bounds,
            window,
            of -> NoiseCalibration.gaussian(of, window, Coefficients.DIGITS)));
  }

  /** The one with the lowest threshold, and of these the one with the least noise. */
  public static Optional<Found> best(Stream<Found> plans) {
    return plans.min(
        Comparator.<Found>comparingLong(plan -> plan.threshold().least())
            .thenComparingDouble(plan -> plan.noise().noise().deviation()));
  }

  private static Stream<Found> divided(
      CalibrationTarget request,
      NameBounds bounds,
      GridSensitivity window,
      Function<CalibrationTarget, Optional<CalibratedNoise<GridNoise>>> noise) {
    return IntStream.range(1, PARTS)
        .mapToObj(
            part ->
                request
                    .delta()
                    .value()
                    .multiply(BigDecimal.valueOf(part))
                    .divide(BigDecimal.valueOf(PARTS)))
        .flatMap(
            threshold ->
                noise
                    .apply(
                        new CalibrationTarget(
                            request.name(),
                            request.epsilon(),
                            new Delta(request.delta().value().subtract(threshold)),
                            request.horizon()))
                    .map(least -> found(request, bounds, window, least, threshold))
                    .stream());
  }

  /** How far a user moves all counts of one window, which pays for itself. */
  private static GridSensitivity window(
      CalibrationTarget request, NameBounds bounds, UnlistedCount rest) {
    return RowSensitivity.perWindow(
        rest.sensitivity(bounds), new SquareRootCoefficients(1), request.horizon());
  }

  private static Found found(
      CalibrationTarget request,
      NameBounds bounds,
      GridSensitivity window,
      CalibratedNoise<GridNoise> least,
      BigDecimal delta) {
    GridNoise noise = least.noise();
    return new Found(
        least, window, Threshold.of(noise, bounds, chance(delta, request.horizon())), delta);
  }

  /**
   * d with {@code 1 - (1 - d)^windows <= delta}: the chance with which names of one user alone may
   * pass in one window.
   *
   * @param delta at least 0 and below 1
   * @param windows at least 1
   */
  public static double chance(BigDecimal delta, long windows) {
    double all = new Delta(delta).roundedDown();
    return Math.min(
        Threshold.MOST_CHANCE, -StrictMath.expm1(StrictMath.log1p(-all) / windows) * DOWN);
  }
}
