// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate;

import io.sfumato.estimate.additive.VectorPlanner;
import io.sfumato.estimate.tables.BestWeights;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.factorised.RootSensitivity;
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
  public static Optional<Planned<GridMeasurement<QuantileQuery>>> quantilesOfRecords(
      ShareRequest request, Bins bins) {
    QuantileQuery query = new QuantileQuery(bins, 1);
    return VectorPlanner.gaussian(request, query, RootSensitivity.replaceOne(query.root()));
  }

  /** The same of users with at most so many records. */
  public static Optional<Planned<GridMeasurement<QuantileQuery>>> quantilesOfUsers(
      ShareRequest request, Bins bins, int records) {
    QuantileQuery query = new QuantileQuery(bins, 1);
    return VectorPlanner.gaussian(
        request, query, RootSensitivity.addOrRemove(query.root(), records, 1));
  }

  /** Tables with the best weights, of records one of which is replaced. */
  public static Optional<Planned<GridMeasurement<TableQuery>>> tablesOfRecords(
      ShareRequest request, Tables tables) {
    TableQuery query = BestWeights.query(tables, Tables.Total.PUBLIC);
    return VectorPlanner.gaussian(request, query, query.weights().replaceOne());
  }

  /** The same of users with at most so many records. */
  public static Optional<Planned<GridMeasurement<TableQuery>>> tablesOfUsers(
      ShareRequest request, Tables tables, int records) {
    TableQuery query = BestWeights.query(tables, Tables.Total.MEASURED);
    return VectorPlanner.gaussian(request, query, query.weights().addOrRemove(records));
  }

  /** Parts of numbers with Gaussian noise. */
  public static Optional<Planned<GridMeasurement<MomentQuery>>> gaussian(
      ShareRequest request, MomentSensitivity way) {
    return VectorPlanner.gaussian(request, new MomentQuery(way), way.moved());
  }

  /** Parts of numbers with Laplace noise. */
  public static Optional<Planned<GridMeasurement<MomentQuery>>> laplace(
      ShareRequest request, MomentSensitivity way) {
    return VectorPlanner.laplace(request, new MomentQuery(way), way.moved());
  }
}
