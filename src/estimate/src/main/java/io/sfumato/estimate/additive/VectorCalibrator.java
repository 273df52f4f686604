// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.additive;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.BudgetShare;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyFilter;
import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.additive.AdditiveNoise;
import io.sfumato.mechanism.additive.CountMeasurement;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.mechanism.additive.VectorQuery;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Plans of a query: the least noise that a share affords, by how far neighbours move it. Nothing
 * where no noise is enough.
 */
public final class VectorCalibrator {
  private VectorCalibrator() {}

  /**
   * On a grid, with discrete Gaussian noise of up to 2^56 steps. The share counts releases.
   *
   * @param request what the share must pay for
   * @param query whose numbers are released
   * @param sensitivity of all numbers together
   * @return nothing if the share affords no such noise
   */
  public static <Q extends VectorQuery> Optional<Calibrated<GridMeasurement<Q>>> gaussian(
      CalibrationTarget request, Q query, GridSensitivity sensitivity) {
    return NoiseCalibration.gaussian(request, sensitivity, query.digits())
        .map(least -> onGrid(request, query, sensitivity, least));
  }

  /**
   * The same, of which the variance is whole in finer steps.
   *
   * @param request what the share must pay for
   * @param query whose numbers are released
   * @param sensitivity of all numbers together
   * @return nothing if the share affords no such noise
   */
  public static <Q extends VectorQuery> Optional<Calibrated<GridMeasurement<Q>>> fineGaussian(
      CalibrationTarget request, Q query, GridSensitivity sensitivity) {
    return NoiseCalibration.fineGaussian(request, sensitivity, query.digits())
        .map(least -> onGrid(request, query, sensitivity, least));
  }

  /**
   * On a grid, with discrete Laplace noise of a scale of up to 2^40 steps.
   *
   * @param request what the share must pay for
   * @param query whose numbers are released
   * @param sensitivity of all numbers together
   * @return nothing if the share affords no such noise
   */
  public static <Q extends VectorQuery> Optional<Calibrated<GridMeasurement<Q>>> laplace(
      CalibrationTarget request, Q query, GridSensitivity sensitivity) {
    return NoiseCalibration.laplace(request, sensitivity, query.digits())
        .map(least -> onGrid(request, query, sensitivity, least));
  }

  /**
   * On a grid, with either noise that the share affords, the Gaussian first.
   *
   * @param request what the share must pay for
   * @param query whose numbers are released
   * @param sensitivity of all numbers together
   * @return empty if the share affords neither
   */
  public static <Q extends VectorQuery> List<Calibrated<GridMeasurement<Q>>> either(
      CalibrationTarget request, Q query, GridSensitivity sensitivity) {
    return Stream.of(gaussian(request, query, sensitivity), laplace(request, query, sensitivity))
        .flatMap(Optional::stream)
        .toList();
  }

  /**
   * On a grid, with discrete Laplace noise for a share without a delta, whose pure losses add up.
   *
   * @param output that spends the share
   * @param releases that must fit, at least 1
   */
  public static <Q extends VectorQuery> Optional<Calibrated<GridMeasurement<Q>>> pureLaplace(
      String output, Epsilon epsilon, long releases, Q query, GridSensitivity sensitivity) {
    return NoiseCalibration.pureLaplace(epsilon, releases, sensitivity, query.digits())
        .map(
            least ->
                new Calibrated<>(
                    new BudgetShare(output, epsilon, Delta.of("0"), least.filter()),
                    new GridMeasurement<>(query, sensitivity, least.noise())));
  }

  private static <Q extends VectorQuery> Calibrated<GridMeasurement<Q>> onGrid(
      CalibrationTarget request,
      Q query,
      GridSensitivity sensitivity,
      CalibratedNoise<GridNoise> least) {
    return Calibrated.of(
        request, least.filter(), new GridMeasurement<>(query, sensitivity, least.noise()));
  }

  /**
   * On counts, with discrete Gaussian noise of sigma up to 2^17.
   *
   * @param request what the share must pay for
   * @param accountant that proves that releases fit
   * @param query whose numbers are released
   * @param sensitivity of all counts together, in counts
   * @return nothing if the share affords no such noise
   */
  public static <Q extends VectorQuery> Optional<Calibrated<CountMeasurement<Q>>> gaussian(
      CalibrationTarget request, Accountant accountant, Q query, Sensitivity sensitivity) {
    return NoiseCalibration.gaussian(request, accountant, sensitivity)
        .map(least -> onCounts(request, query, sensitivity, least));
  }

  /**
   * On counts, with discrete Laplace noise of a scale up to 2^20.
   *
   * @param request what the share must pay for
   * @param accountant that proves that releases fit
   * @param query whose numbers are released
   * @param sensitivity of all counts together, in counts
   * @return nothing if the share affords no such noise
   */
  public static <Q extends VectorQuery> Optional<Calibrated<CountMeasurement<Q>>> laplace(
      CalibrationTarget request, Accountant accountant, Q query, Sensitivity sensitivity) {
    return NoiseCalibration.laplace(request, accountant, sensitivity)
        .map(least -> onCounts(request, query, sensitivity, least));
  }

  private static <Q extends VectorQuery> Calibrated<CountMeasurement<Q>> onCounts(
      CalibrationTarget request,
      Q query,
      Sensitivity sensitivity,
      CalibratedNoise<AdditiveNoise> least) {
    return Calibrated.of(
        request, least.filter(), new CountMeasurement<>(query, sensitivity, least.noise()));
  }

  /**
   * On counts of windows, with discrete Gaussian noise at one Rényi order. The share affords no
   * window more than was asked for: the sensitivity of running counts rests on that.
   */
  public static <Q extends VectorQuery> Optional<Calibrated<CountMeasurement<Q>>> gaussianWindows(
      CalibrationTarget request, Q query, Sensitivity sensitivity) {
    return gaussian(request, Accountant.RENYI, query, sensitivity)
        .map(plan -> plan.noMoreThan(request.horizon()));
  }

  /**
   * The same with discrete Laplace noise. Where a window moves several noises it is counted by
   * whatever needs less of it: one Rényi order, or the pure epsilon.
   */
  public static <Q extends VectorQuery> Optional<Calibrated<CountMeasurement<Q>>> laplaceWindows(
      CalibrationTarget request, Q query, Sensitivity sensitivity) {
    return renyiOrPure(
        request,
        query,
        sensitivity,
        sensitivity.shifts().size() > 1
            ? NoiseCalibration.pureLaplace(request, sensitivity)
            : Optional.empty()); // of one noise, files in use have plans at one order
  }

  /**
   * The same where a user's records are charged one by one: of one noise too, whatever needs less.
   */
  public static <Q extends VectorQuery> Optional<Calibrated<CountMeasurement<Q>>> laplaceRecords(
      CalibrationTarget request, Q query, Sensitivity sensitivity) {
    return renyiOrPure(
        request, query, sensitivity, NoiseCalibration.pureLaplace(request, sensitivity));
  }

  private static <Q extends VectorQuery> Optional<Calibrated<CountMeasurement<Q>>> renyiOrPure(
      CalibrationTarget request,
      Q query,
      Sensitivity sensitivity,
      Optional<CalibratedNoise<AdditiveNoise>> pure) {
    return Stream.of(NoiseCalibration.laplace(request, Accountant.RENYI, sensitivity), pure)
        .flatMap(Optional::stream)
        .max(Comparator.comparingLong(found -> found.noise().steps()))
        .map(least -> onCounts(request, query, sensitivity, least).noMoreThan(request.horizon()));
  }

  /**
   * On counts that are drawn once, whatever noise would afford: with either noise, the Laplace
   * first.
   *
   * @param request of one release
   */
  public static <Q extends VectorQuery> List<Calibrated<CountMeasurement<Q>>> once(
      CalibrationTarget request, Q query, Sensitivity sensitivity) {
    return Stream.of(
            NoiseCalibration.laplace(request, Accountant.EXACT, sensitivity),
            NoiseCalibration.gaussian(request, Accountant.RENYI, sensitivity))
        .flatMap(Optional::stream)
        .map(least -> new CountMeasurement<>(query, sensitivity, least.noise()))
        .map(found -> once(request.name(), request.epsilon(), request.delta(), found))
        .toList();
  }

  /**
   * The same with discrete Laplace noise for a share without a delta.
   *
   * @param output its name
   */
  public static <Q extends VectorQuery> Optional<Calibrated<CountMeasurement<Q>>> oncePure(
      String output, Epsilon epsilon, Q query, Sensitivity sensitivity) {
    return NoiseCalibration.pureLaplace(epsilon, sensitivity)
        .map(noise -> new CountMeasurement<>(query, sensitivity, noise))
        .map(found -> once(output, epsilon, Delta.of("0"), found));
  }

  private static <Q extends VectorQuery> Calibrated<CountMeasurement<Q>> once(
      String output, Epsilon epsilon, Delta delta, CountMeasurement<Q> measurement) {
    PrivacyFilter once = new PrivacyFilter.FixedCountFilter(measurement.charge().mechanism(), 1);
    return new Calibrated<>(new BudgetShare(output, epsilon, delta, once), measurement);
  }
}
