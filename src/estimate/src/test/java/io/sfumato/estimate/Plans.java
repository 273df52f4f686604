// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate;

import io.sfumato.estimate.additive.VectorCalibrator;
import io.sfumato.estimate.tables.BestWeights;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.matrix.RootSensitivity;
import io.sfumato.mechanism.moments.MomentQuery;
import io.sfumato.mechanism.moments.MomentSensitivity;
import io.sfumato.mechanism.quantile.Bins;
import io.sfumato.mechanism.quantile.QuantileQuery;
import io.sfumato.mechanism.tables.TableQuery;
import io.sfumato.mechanism.tables.Tables;
import java.util.Optional;

/** Plans of the queries that several tests ask, as kinds of releases make them. */
public final class Plans {
  private Plans() {}

  /** Quantiles of all records together, one of which is replaced. */
  public static Optional<Calibrated<GridMeasurement<QuantileQuery>>> quantilesOfRecords(
      CalibrationTarget request, Bins bins) {
    QuantileQuery query = new QuantileQuery(bins, 1);
    return VectorCalibrator.gaussian(request, query, RootSensitivity.replaceOne(query.root()));
  }

  /** The same of users with at most so many records. */
  public static Optional<Calibrated<GridMeasurement<QuantileQuery>>> quantilesOfUsers(
      CalibrationTarget request, Bins bins, int records) {
    QuantileQuery query = new QuantileQuery(bins, 1);
    return VectorCalibrator.gaussian(
        request, query, RootSensitivity.addOrRemove(query.root(), records, 1));
  }

  /** Tables with the best weights, of records one of which is replaced. */
  public static Optional<Calibrated<GridMeasurement<TableQuery>>> tablesOfRecords(
      CalibrationTarget request, Tables tables) {
    TableQuery query = BestWeights.query(tables, Tables.Total.PUBLIC);
    return VectorCalibrator.gaussian(request, query, query.weights().replaceOne());
  }

  /** The same of users with at most so many records. */
  public static Optional<Calibrated<GridMeasurement<TableQuery>>> tablesOfUsers(
      CalibrationTarget request, Tables tables, int records) {
    TableQuery query = BestWeights.query(tables, Tables.Total.MEASURED);
    return VectorCalibrator.gaussian(request, query, query.weights().addOrRemove(records));
  }

  /** Parts of numbers with Gaussian noise. */
  public static Optional<Calibrated<GridMeasurement<MomentQuery>>> gaussian(
      CalibrationTarget request, MomentSensitivity way) {
    return VectorCalibrator.gaussian(request, new MomentQuery(way), way.moved());
  }

  /** Parts of numbers with Laplace noise. */
  public static Optional<Calibrated<GridMeasurement<MomentQuery>>> laplace(
      CalibrationTarget request, MomentSensitivity way) {
    return VectorCalibrator.laplace(request, new MomentQuery(way), way.moved());
  }
}
