// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.random.KeyedRandom;
import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;

/**
 * Quantiles of what users tell: each with noise of its own, which is left in them. Nearer where
 * half of all are asked for than at the ends.
 */
record LocalQuantiles(CalibrationTarget budget) implements QuantileMethod {
  private static final int FEWER = 4;

  @Override
  public String name() {
    return "local noise";
  }

  /** A release takes as many draws as there are numbers, and errs alike each time. */
  @Override
  public int releases(int seeds) {
    return Math.max(1, seeds / FEWER);
  }

  @Override
  public Function<KeyedRandom, DoubleUnaryOperator> of(Amounts amounts) {
    double[] x = amounts.all();
    double b = new LocalNumbers(budget).scale(amounts);
    return random -> {
      double[] told = LocalNumbers.told(x, b, random);
      Arrays.sort(told);
      return q -> amounts.range().clamp(told[(int) (q * told.length)]);
    };
  }
}
