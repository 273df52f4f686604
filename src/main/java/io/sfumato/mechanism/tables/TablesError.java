// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.tables;

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
  public static TablesError of(TablesMechanism mechanism) {
    double[] rms =
        mechanism
            .tables()
            .leastSquares(mechanism.total(), mechanism.weights().precisions())
            .meanVariances();
    double[] halfWidth = new double[rms.length];
    for (int table = 0; table < rms.length; table++) {
      rms[table] = mechanism.deviation() * Math.sqrt(rms[table]);
      halfWidth[table] = TablesEstimates.Z * rms[table];
    }
    return new TablesError(rms, halfWidth);
  }
}
