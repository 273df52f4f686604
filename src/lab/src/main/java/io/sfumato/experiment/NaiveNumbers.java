// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.experiment.GoogleNoise.Added;
import io.sfumato.random.KeyedRandom;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;

/**
 * A noisy sum and a noisy number of records, each with half of epsilon: as first thought of. For
 * the variance the sum of squares as well, each with a third.
 *
 * @param budget pure: delta is not used
 */
record NaiveNumbers(CalibrationTarget budget) implements NumberMethod {
  @Override
  public String name() {
    return "naive, laplace";
  }

  @Override
  public Function<KeyedRandom, Map<Statistic, Double>> of(Amounts amounts) {
    double epsilon = budget.epsilon().roundedDown();
    AmountRange range = amounts.range();
    double[] x = amounts.all();
    double sum = Statistic.SUM.of(x);
    double squares = Arrays.stream(x).map(each -> each * each).sum();
    double furthest = range.furthest();
    Added half = noise(amounts, 1, epsilon / 2);
    Added halfOfSum = noise(amounts, furthest, epsilon / 2);
    Added third = noise(amounts, 1, epsilon / 3);
    Added thirdOfSum = noise(amounts, furthest, epsilon / 3);
    Added thirdOfSquares = noise(amounts, furthest * furthest, epsilon / 3);
    return random -> {
      double noisySum = halfOfSum.around(sum, random);
      double mean = noisySum / Math.max(1, half.around((long) x.length, random));
      double n = Math.max(1, third.around((long) x.length, random));
      double first = thirdOfSum.around(sum, random) / n;
      double second = thirdOfSquares.around(squares, random) / n;
      return Map.of(
          Statistic.SUM, noisySum,
          Statistic.MEAN, range.clamp(mean),
          Statistic.VARIANCE, range.clampVariance(second - first * first));
    };
  }

  private static Added noise(Amounts amounts, double each, double epsilon) {
    return GoogleNoise.LAPLACE.of(1, each * amounts.most(), epsilon, 0);
  }
}
