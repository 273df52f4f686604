// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.estimate.ShareRequest;
import io.sfumato.estimate.additive.VectorPlanner;
import io.sfumato.estimate.quantile.QuantileEstimates;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.Law;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.factorised.RootSensitivity;
import io.sfumato.mechanism.quantile.Bins;
import io.sfumato.mechanism.quantile.QuantileQuery;
import io.sfumato.noise.ReplayableRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;

/** What this project publishes: factorised cumulative counts, with Gaussian noise. */
record OurQuantiles(ShareRequest budget) implements QuantileMethod {
  @Override
  public String name() {
    return "ours, gaussian";
  }

  @Override
  public Function<ReplayableRandom, DoubleUnaryOperator> of(Amounts amounts) {
    Releases releases = releases(amounts);
    return random -> {
      NoisyVector drawn = releases.law.draw(random);
      return q -> releases.estimates.of(drawn, q)[0].value();
    };
  }

  /** Releases of the same numbers, one after another. */
  record Releases(Law<NoisyVector> law, QuantileEstimates estimates) {}

  Releases releases(Amounts amounts) {
    QuantileQuery query = new QuantileQuery(bins(amounts.range()), 1);
    GridMeasurement<QuantileQuery> mechanism =
        VectorPlanner.gaussian(
                budget, query, RootSensitivity.addOrRemove(query.root(), amounts.most(), 1))
            .orElseThrow()
            .mechanism();
    ExactVector counts = new ExactVector(counts(amounts, query.bins()));
    return new Releases(mechanism.law(counts), new QuantileEstimates(mechanism));
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
