// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.examples;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.additive.VectorCalibrator;
import io.sfumato.estimate.tables.BestWeights;
import io.sfumato.estimate.tables.TablesEstimate;
import io.sfumato.estimate.tables.TablesEstimates;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.tables.CrossTables;
import io.sfumato.mechanism.tables.TableQuery;
import io.sfumato.mechanism.tables.Tables;
import io.sfumato.random.KeyedRandom;

/** Sales by region, product and hour, all tables of one and two of them. */
public final class TablesExample {
  private TablesExample() {}

  /** Draws one window's tables. */
  public static TablesEstimate run() {
    // example: tables
    CrossTables tables = CrossTables.of(2, 4, 3, 5);
    CalibrationTarget share = new CalibrationTarget("sales", Epsilon.of("1"), Delta.of("1e-6"), 1);
    TableQuery query = BestWeights.query(tables, Tables.Total.MEASURED);
    GridMeasurement<TableQuery> mechanism =
        VectorCalibrator.gaussian(share, query, query.weights().addOrRemove(1))
            .orElseThrow()
            .mechanism();

    long[] records = new long[10_000];
    for (int i = 0; i < records.length; i++) {
      records[i] = tables.category(i % 4, i % 3, i % 7 % 5);
    }
    // For a simulation; real releases go through Gate.release.
    KeyedRandom random = KeyedRandom.ofPublicSeed("an example");
    NoisyVector drawn = mechanism.distribution(tables.counts(records)).draw(random);
    TablesEstimate found = new TablesEstimates(mechanism).of(drawn);
    System.out.println(found.counts()[0] + " records");
    // end
    return found;
  }

  public static void main(String[] arguments) {
    run();
  }
}
