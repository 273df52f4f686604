// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.moments;

import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.continual.RowErrorBars;
import io.sfumato.estimate.continual.RunningCalibrator;
import io.sfumato.mechanism.additive.ErrorLaw;
import io.sfumato.mechanism.additive.GridGaussian;
import io.sfumato.mechanism.additive.GridLaplace;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.additive.IidLaplaceSum;
import io.sfumato.mechanism.continual.Coefficients;
import io.sfumato.mechanism.continual.RowCharge;
import io.sfumato.mechanism.continual.RunningMechanism;
import io.sfumato.mechanism.moments.BernsteinParts;
import io.sfumato.mechanism.moments.MomentSensitivity;
import java.util.Optional;

/**
 * Parts that are summed over windows: Theorem I of docs/theory/moments-and-quantiles.md and Theorem
 * K of docs/theory/running-sums.md. Each window draws a row of every part: with Gaussian noise on
 * the grid 2^-40, since parts and coefficients both lie on 2^-20; or with Laplace noise on the
 * window's own parts, on 2^-20.
 */
public final class RunningMoments {
  /** The 97.5% quantile of a normal law, rounded down. */
  private static final double NORMAL = 1.95;

  private final RunningMechanism rows;
  private final MomentSensitivity window;
  private final RowErrorBars bars;

  /**
   * @param rows what is drawn of each window
   * @param window how far one window's own parts are moved
   * @throws IllegalArgumentException if the rows' numbers are not in steps of 2^-20, or Gaussian
   *     rows leave out the first part
   */
  public RunningMoments(RunningMechanism rows, MomentSensitivity window) {
    if (rows.digits() != GridNoise.DIGITS) {
      throw new IllegalArgumentException("rows are of parts, in steps of 2^-20");
    }
    if (rows.noise() instanceof GridGaussian && window.firstPart() > 0) {
      throw new IllegalArgumentException("rows with Gaussian noise are of all parts");
    }
    this.rows = rows;
    this.window = window;
    this.bars = new RowErrorBars(rows);
  }

  /**
   * The least noise that a share affords; nothing if even sigma 2^16 records is too little.
   *
   * @param request its horizon is how many windows of a user, or a subject, count at most
   * @param window how far neighbours move one window's own parts
   */
  public static Optional<Calibrated<RunningMechanism>> gaussian(
      CalibrationTarget request, MomentSensitivity window, Coefficients coefficients) {
    return gaussian(request, new RowCharge.OfWindow(window.moved()), coefficients);
  }

  /**
   * The same, of whatever one charge pays for.
   *
   * @param request its horizon is how many charges the share covers
   * @param charge of one window's parts, or of one record's
   */
  public static Optional<Calibrated<RunningMechanism>> gaussian(
      CalibrationTarget request, RowCharge charge, Coefficients coefficients) {
    return RunningCalibrator.gaussian(request, charge, coefficients, GridNoise.DIGITS);
  }

  /**
   * The least Laplace noise on every window's own parts that a share affords; nothing if even a
   * scale of 2^20 records is too little.
   *
   * @param request its horizon is how many charges the share covers
   * @param charge of one window's parts, or of one record's
   */
  public static Optional<Calibrated<RunningMechanism>> laplace(
      CalibrationTarget request, RowCharge charge) {
    return RunningCalibrator.ownLaplace(request, charge, GridNoise.DIGITS);
  }

  /**
   * The same for a share without a delta, whose pure losses add up.
   *
   * @param output that spends the share
   * @param charges of a user, or a subject, that must fit, at least 1
   * @param charge of one window's parts, or of one record's
   */
  public static Optional<Calibrated<RunningMechanism>> pureLaplace(
      String output, Epsilon epsilon, long charges, RowCharge charge) {
    return RunningCalibrator.ownPureLaplace(output, epsilon, charges, charge, GridNoise.DIGITS);
  }

  /**
   * How far parts of the last windows may be off: what is told of each is the truth with
   * independent noise of one law, so that all that one draw says can be said of it.
   *
   * @param windows n that there are so far, at least 1
   * @param last how many are summed up, at least 1; all if there are fewer
   */
  public PartsError error(long windows, long last) {
    long summed = Math.min(windows, last);
    ErrorLaw noise =
        rows.noise() instanceof GridLaplace own
            ? new IidLaplaceSum(own, summed)
            : ofRows(windows, summed);
    return new PartsError(noise, window);
  }

  /** What windows are rounded by, to a step of 2^-20 each, is contained in the deviation. */
  private GridGaussian ofRows(long windows, long summed) {
    double sigma =
        Math.scalb(rows.noise().deviation(), -Coefficients.DIGITS) * bars.weight(windows, summed);
    // Weights w of parts move by at most |w|_1 steps a window, of |w|_1 <= sqrt(parts) |w|_2.
    double rounding = summed * Math.sqrt(window.fields() * (window.degree() + 1.0)) / NORMAL;
    double steps = Math.max(GridGaussian.LEAST, Math.ceil(sigma + rounding));
    return new GridGaussian(GridNoise.DIGITS, (long) steps);
  }

  /**
   * Root mean square error, over the first windows, of what a mean in the middle of its range is
   * made of, where 1 is a span of the range.
   *
   * @param windows at least 1
   */
  public double rootMeanSquare(int windows) {
    return norm() * bars.rootMeanSquare(windows);
  }

  /**
   * The same error of the last windows, as above.
   *
   * @param windows so far, at least 1
   * @param last number of last windows, at least 1
   */
  public double deviation(long windows, long last) {
    return norm() * bars.deviation(windows, last);
  }

  /** Of a mean's coefficients, by the parts that are drawn. */
  private double norm() {
    PartsError steps = new PartsError(new GridLaplace(GridNoise.DIGITS, Coefficients.ONE), window);
    return MomentError.ofOneRecord(steps).deviation()
        * BernsteinParts.STEPS
        / steps.noise().deviation();
  }
}
