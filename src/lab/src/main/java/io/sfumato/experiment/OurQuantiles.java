// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.additive.VectorCalibrator;
import io.sfumato.estimate.quantile.QuantileEstimates;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.matrix.RootSensitivity;
import io.sfumato.mechanism.quantile.Bins;
import io.sfumato.mechanism.quantile.QuantileQuery;
import io.sfumato.random.KeyedRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;

/** What this project publishes: factorised cumulative counts, with Gaussian noise. */
record OurQuantiles(CalibrationTarget budget) implements QuantileMethod {
  @Override
  public String name() {
    return "ours, gaussian";
  }

  @Override
  public Function<KeyedRandom, DoubleUnaryOperator> of(Amounts amounts) {
    Releases releases = releases(amounts);
    return random -> {
      NoisyVector drawn = releases.distribution.draw(random);
      return q -> releases.estimates.of(drawn, q)[0].value();
    };
  }

  /** Releases of the same numbers, one after another. */
  record Releases(OutputDistribution<NoisyVector> distribution, QuantileEstimates estimates) {}

  Releases releases(Amounts amounts) {
    QuantileQuery query = new QuantileQuery(bins(amounts.range()), 1);
    GridMeasurement<QuantileQuery> mechanism =
        VectorCalibrator.gaussian(
                budget, query, RootSensitivity.addOrRemove(query.root(), amounts.most(), 1))
            .orElseThrow()
            .mechanism();
    ExactVector counts = new ExactVector(counts(amounts, query.bins()));
    return new Releases(mechanism.distribution(counts), new QuantileEstimates(mechanism));
  }

  static Bins bins(AmountRange range) {
    return Bins.of(range.low(), range.high(), Bins.DEFAULT, Bins.Scale.LINEAR);
  }

  /** How many numbers lie in each bin. */
  static long[] counts(Amounts amounts, Bins bins) {
    long[] counts = new long[bins.number()];
    for (double x : amounts.all()) {
      counts[bins.of(x)]++;
    }
    return counts;
  }
}
