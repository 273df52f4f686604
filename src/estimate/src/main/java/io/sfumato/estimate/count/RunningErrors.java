// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.count;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.additive.VectorCalibrator;
import io.sfumato.estimate.continual.BestLags;
import io.sfumato.estimate.continual.Horizon;
import io.sfumato.estimate.continual.RowErrorBars;
import io.sfumato.estimate.continual.RunningCalibrator;
import io.sfumato.mechanism.PeriodBounds;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.mechanism.continual.Coefficients;
import io.sfumato.mechanism.continual.RowCharge;
import io.sfumato.mechanism.continual.RunningMechanism;
import io.sfumato.mechanism.continual.SquareRootCoefficients;
import io.sfumato.mechanism.count.CountQuery;
import io.sfumato.mechanism.count.CountTree;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What counts that run over windows would err by, root mean square over these, from one share: as
 * rows, by the binary tree and as sums of independent counts, with Gaussian noise, and as such sums
 * with Laplace noise.
 *
 * @param request of the share; its horizon is how many windows, or records, of a user it covers
 * @param records C of a user and window, over all subjects
 * @param windows T that counts run over
 * @param period where records are bounded in a period, and charged one by one
 */
public record RunningErrors(
    CalibrationTarget request, int records, int windows, Optional<PeriodBounds> period) {
  /** Of users whose windows are charged. */
  public RunningErrors(CalibrationTarget request, int records, int windows) {
    this(request, records, windows, Optional.empty());
  }

  /**
   * What one of a user's windows moves in its own numbers.
   *
   * @param records of a user in one window, at least 1
   */
  public static GridSensitivity window(int records) {
    return new GridSensitivity("add-or-remove-" + records, PrivacyUnit.USER, 1, records, records);
  }

  /**
   * What one charge pays for.
   *
   * @param records C of a user and window, over all subjects
   * @param period where records are bounded in a period, and charged one by one
   */
  public static RowCharge charge(int records, Optional<PeriodBounds> period) {
    return period
        .<RowCharge>map(bounds -> new RowCharge.OfRecord(window(records), bounds))
        .orElseGet(() -> new RowCharge.OfWindow(window(records)));
  }

  private RowCharge charge() {
    return charge(records, period);
  }

  /** Rows with the best coefficients; nothing if the share affords none. */
  public Optional<Calibrated<RunningMechanism>> rows() {
    return rows(BestLags.of(new Horizon.Until(windows), charge().windows(request.horizon())));
  }

  private Optional<Calibrated<RunningMechanism>> rows(Coefficients coefficients) {
    return RunningCalibrator.gaussian(request, charge(), coefficients, 0);
  }

  /**
   * Rows with the best coefficients for counts without an end.
   *
   * @param records of a user in one window, at least 1
   */
  public static Optional<Calibrated<RunningMechanism>> forever(
      CalibrationTarget request, int records) {
    Coefficients coefficients = BestLags.of(new Horizon.Forever(), request.horizon());
    return RunningCalibrator.gaussian(request, window(records), coefficients, 0);
  }

  /** By the binary tree. */
  public OptionalDouble tree() {
    CountTree tree = new CountTree(windows);
    return found(
        VectorCalibrator.gaussianWindows(
                request,
                new CountQuery(),
                period
                    .map(tree::perRecord)
                    .orElseGet(
                        () -> tree.perWindow(Sensitivity.addOrRemove(records), request.horizon())))
            .map(plan -> plan.mechanism().noise().deviation() * Math.sqrt(tree.meanDraws())));
  }

  /** The windows' own counts, added up. */
  public OptionalDouble independent() {
    return found(
        rows(new SquareRootCoefficients(1))
            .map(plan -> new RowErrorBars(plan.mechanism()).rootMeanSquare(windows)));
  }

  /** The windows' own counts with Laplace noise, added up. */
  public OptionalDouble laplace() {
    return found(
        RunningCalibrator.laplace(request, charge(), 0)
            .map(plan -> new RowErrorBars(plan.mechanism()).rootMeanSquare(windows)));
  }

  private static OptionalDouble found(Optional<Double> error) {
    return error.map(OptionalDouble::of).orElseGet(OptionalDouble::empty);
  }
}
