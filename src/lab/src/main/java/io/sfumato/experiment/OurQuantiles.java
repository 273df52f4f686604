// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.estimate.ShareRequest;
import io.sfumato.estimate.quantile.QuantileEstimates;
import io.sfumato.estimate.quantile.QuantilePlanner;
import io.sfumato.mechanism.Law;
import io.sfumato.mechanism.factorised.RowCounts;
import io.sfumato.mechanism.quantile.Bins;
import io.sfumato.mechanism.quantile.NoisyBins;
import io.sfumato.mechanism.quantile.QuantileMechanism;
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
      NoisyBins drawn = releases.law.draw(random);
      return q -> releases.estimates.of(drawn, q)[0].value();
    };
  }

  /** Releases of the same numbers, one after another. */
  record Releases(Law<NoisyBins> law, QuantileEstimates estimates) {}

  Releases releases(Amounts amounts) {
    QuantileMechanism mechanism =
        QuantilePlanner.addOrRemove(budget, bins(amounts.range()), amounts.most())
            .orElseThrow()
            .mechanism();
    RowCounts counts = new RowCounts(counts(amounts, mechanism.bins()));
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
