// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.continual;

import io.sfumato.accounting.BudgetShare;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.additive.CalibratedNoise;
import io.sfumato.estimate.additive.NoiseCalibration;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.mechanism.continual.Coefficients;
import io.sfumato.mechanism.continual.RowCharge;
import io.sfumato.mechanism.continual.RunningMechanism;
import io.sfumato.mechanism.continual.SquareRootCoefficients;
import java.util.Optional;

/** The least noise on rows that a share affords. */
public final class RunningCalibrator {
  /**
   * Largest deviation of a row's noise, in records: sums of 2^20 windows stay within 2^63 steps.
   */
  private static final double MOST = 0x1p30;

  private RunningCalibrator() {}

  /**
   * Discrete Gaussian noise, counted by the exact profile of all of a user's windows; nothing if
   * even a sigma of 2^30 records is too little, or one of 2^56 steps.
   *
   * @param request its horizon is how many of a user's windows count at most
   * @param window how far a user moves one window's own numbers, over all subjects
   * @param digits binary digits of these numbers: 0 where they are whole
   */
  public static Optional<Calibrated<RunningMechanism>> gaussian(
      CalibrationTarget request, GridSensitivity window, Coefficients coefficients, int digits) {
    return gaussian(request, new RowCharge.OfWindow(window), coefficients, digits);
  }

  /**
   * The same, of whatever one charge pays for.
   *
   * @param request its horizon is how many charges of a user the share covers
   * @param charge of one window, or of one record
   * @param digits binary digits of the windows' own numbers: 0 where they are whole
   */
  public static Optional<Calibrated<RunningMechanism>> gaussian(
      CalibrationTarget request, RowCharge charge, Coefficients coefficients, int digits) {
    GridSensitivity rows = charge.rows(coefficients, request.horizon());
    return NoiseCalibration.gaussian(request, rows, digits + Coefficients.DIGITS)
        .filter(least -> Math.scalb(least.noise().deviation(), -least.noise().digits()) <= MOST)
        .map(least -> planned(request, least, coefficients, rows));
  }

  /**
   * Discrete Laplace noise on every window's own numbers; nothing if none is enough.
   *
   * @param digits of the windows' numbers after the binary point
   */
  public static Optional<Calibrated<RunningMechanism>> laplace(
      CalibrationTarget request, GridSensitivity window, int digits) {
    return laplace(request, new RowCharge.OfWindow(window), digits);
  }

  /**
   * The same, of whatever one charge pays for.
   *
   * @param charge of one window, or of one record
   * @param digits of the windows' numbers after the binary point
   */
  public static Optional<Calibrated<RunningMechanism>> laplace(
      CalibrationTarget request, RowCharge charge, int digits) {
    Coefficients own = new SquareRootCoefficients(1);
    GridSensitivity rows = charge.rows(own, request.horizon());
    return NoiseCalibration.laplace(request, rows, digits + Coefficients.DIGITS)
        .map(least -> planned(request, least, own, rows));
  }

  /**
   * Discrete Laplace noise on every window's own numbers, on their own grid: that of rows has no
   * room for it where they are no whole numbers. Nothing if even a scale of 2^40 steps is too
   * little.
   *
   * @param charge of one window, or of one record
   * @param digits binary digits of these numbers: 0 where they are whole
   */
  public static Optional<Calibrated<RunningMechanism>> ownLaplace(
      CalibrationTarget request, RowCharge charge, int digits) {
    GridSensitivity own = charge.own(request.horizon());
    return NoiseCalibration.laplace(request, own, digits)
        .map(least -> Calibrated.of(request, least.filter(), own(least.noise(), digits, own)));
  }

  /**
   * The same for a share without a delta, whose pure losses add up.
   *
   * @param name of the share
   * @param charges of a user that must fit, at least 1
   * @param charge of one window, or of one record
   * @param digits of the windows' numbers after the binary point
   */
  public static Optional<Calibrated<RunningMechanism>> ownPureLaplace(
      String name, Epsilon epsilon, long charges, RowCharge charge, int digits) {
    GridSensitivity own = charge.own(charges);
    return NoiseCalibration.pureLaplace(epsilon, charges, own, digits)
        .map(
            least ->
                new Calibrated<>(
                    new BudgetShare(name, epsilon, Delta.of("0"), least.filter()),
                    own(least.noise(), digits, own)));
  }

  private static RunningMechanism own(GridNoise noise, int digits, GridSensitivity own) {
    return new RunningMechanism(new SquareRootCoefficients(1), noise, digits, own);
  }

  private static Calibrated<RunningMechanism> planned(
      CalibrationTarget request,
      CalibratedNoise<GridNoise> least,
      Coefficients coefficients,
      GridSensitivity rows) {
    RunningMechanism mechanism = RunningMechanism.ofRows(coefficients, least.noise(), rows);
    return Calibrated.of(request, least.filter(), mechanism);
  }
}
