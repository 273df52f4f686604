// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.examples;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.additive.VectorCalibrator;
import io.sfumato.estimate.quantile.QuantileEstimate;
import io.sfumato.estimate.quantile.QuantileEstimates;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.mechanism.matrix.RootSensitivity;
import io.sfumato.mechanism.quantile.Bins;
import io.sfumato.mechanism.quantile.QuantileQuery;
import io.sfumato.random.KeyedRandom;

/** Quantiles of how long people waited, each of whom adds one record. */
public final class QuantileExample {
  private QuantileExample() {}

  /** Estimates the median and the 99% quantile of one window. */
  public static QuantileEstimate[] run() {
    // example: quantiles
    Bins bins = Bins.of(0, 300, Bins.DEFAULT, Bins.Scale.LINEAR);
    CalibrationTarget share = new CalibrationTarget("waits", Epsilon.of("1"), Delta.of("1e-6"), 1);
    QuantileQuery query = new QuantileQuery(bins, 1);
    GridSensitivity users = RootSensitivity.addOrRemove(query.root(), 1, 1);
    GridMeasurement<QuantileQuery> mechanism =
        VectorCalibrator.gaussian(share, query, users).orElseThrow().mechanism();

    long[] counts = new long[bins.number()];
    for (int i = 0; i < 10_000; i++) {
      counts[bins.of(40 + 37 * i % 101)]++;
    }
    // For a simulation; real releases go through Gate.release.
    KeyedRandom random = KeyedRandom.ofPublicSeed("an example");
    NoisyVector drawn = mechanism.distribution(new ExactVector(counts)).draw(random);
    QuantileEstimate[] found = new QuantileEstimates(mechanism).of(drawn, 0.5, 0.99);
    for (QuantileEstimate one : found) {
      System.out.printf("%.1f (%.1f to %.1f)%n", one.value(), one.low(), one.high());
    }
    // end
    return found;
  }

  public static void main(String[] arguments) {
    run();
  }
}
