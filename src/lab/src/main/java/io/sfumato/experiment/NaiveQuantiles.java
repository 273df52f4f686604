// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.experiment.GoogleNoise.Added;
import io.sfumato.mechanism.quantile.Bins;
import io.sfumato.random.KeyedRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;

/**
 * A histogram over as many bins as ours, each with Laplace noise, added up from the lower end: as
 * first thought of.
 *
 * @param budget pure: delta is not used
 */
record NaiveQuantiles(CalibrationTarget budget) implements QuantileMethod {
  @Override
  public String name() {
    return "naive, laplace";
  }

  @Override
  public Function<KeyedRandom, DoubleUnaryOperator> of(Amounts amounts) {
    Bins bins = OurQuantiles.bins(amounts.range());
    long[] counts = OurQuantiles.counts(amounts, bins);
    Added noise = GoogleNoise.LAPLACE.of(1, amounts.most(), budget.epsilon().roundedDown(), 0);
    return random -> {
      long[] upTo = new long[counts.length];
      long sum = 0;
      for (int v = 0; v < counts.length; v++) {
        sum += noise.around(counts[v], random);
        upTo[v] = sum;
      }
      return q -> {
        int v = 0;
        while (v < upTo.length - 1 && upTo[v] < q * upTo[upTo.length - 1]) {
          v++;
        }
        return (bins.edge(v) + bins.edge(v + 1)) / 2;
      };
    };
  }
}
