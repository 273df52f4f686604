// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.tables;

import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.tables.TableQuery;
import io.sfumato.mechanism.tables.Tables;
import java.util.Arrays;
import java.util.function.IntToDoubleFunction;

/**
 * How far off cells are, whatever the data, before they are made at least 0 and rounded: for plans,
 * and for people who choose a budget.
 *
 * @param rms root mean square error of each table's cells, in records
 * @param halfWidth half the width of its 95% intervals, root mean square, in records
 */
public record TablesError(double[] rms, double[] halfWidth) {
  public TablesError {
    rms = rms.clone();
    halfWidth = halfWidth.clone();
  }

  @Override
  public double[] rms() {
    return rms.clone();
  }

  @Override
  public double[] halfWidth() {
    return halfWidth.clone();
  }

  /** Of what a mechanism draws. */
  public static TablesError of(GridMeasurement<TableQuery> mechanism) {
    Tables tables = mechanism.query().tables();
    double[] means =
        LeastSquares.of(
                tables,
                Tables.Total.of(mechanism.sizeIsPublic()),
                mechanism.query().weights().precisions())
            .meanVariances();
    return of(tables, table -> mechanism.deviation() * Math.sqrt(means[table]));
  }

  /**
   * Of one release a table at the same guarantee in all: the budget is divided evenly, and nothing
   * is made consistent but with a public total.
   */
  public static TablesError ofSeparate(GridMeasurement<TableQuery> mechanism) {
    Tables tables = mechanism.query().tables();
    boolean isPublic = mechanism.sizeIsPublic();
    int releases = tables.tables() - (isPublic ? 1 : 0);
    return of(
        tables,
        table ->
            one(mechanism) * Math.sqrt(releases * (isPublic ? 1 - 1.0 / tables.size(table) : 1)));
  }

  /** Of the finest table alone of all categories, added up, at the same guarantee. */
  public static TablesError ofCategories(GridMeasurement<TableQuery> mechanism) {
    Tables tables = mechanism.query().tables();
    boolean isPublic = mechanism.sizeIsPublic();
    return of(
        tables,
        table -> {
          double cells = tables.size(table);
          double together = tables.categories() / cells;
          return one(mechanism) * Math.sqrt(isPublic ? together * (1 - 1 / cells) : together);
        });
  }

  /** Standard deviation of the noise that one table alone would need. */
  private static double one(GridMeasurement<TableQuery> mechanism) {
    return mechanism.deviation()
        / Math.sqrt(Arrays.stream(mechanism.query().weights().precisions()).sum());
  }

  private static TablesError of(Tables tables, IntToDoubleFunction rms) {
    double[] errors = new double[tables.tables()];
    Arrays.setAll(errors, rms);
    return new TablesError(
        errors, Arrays.stream(errors).map(error -> TablesEstimates.Z * error).toArray());
  }
}
