// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.experiment.GoogleNoise.Added;
import io.sfumato.random.KeyedRandom;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * BoundedSum, BoundedMean and BoundedVariance of Google's differential privacy library for Java,
 * after its sources. A release of its own for each, and all of the budget for each: who asks for
 * several has to divide it.
 *
 * @param noise Laplace noise leaves delta alone
 * @param budget of one release
 */
record GoogleNumbers(GoogleNoise noise, CalibrationTarget budget) implements NumberMethod {
  @Override
  public String name() {
    return "Google, " + noise.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public Function<KeyedRandom, Map<Statistic, Double>> of(Amounts amounts) {
    double epsilon = budget.epsilon().roundedDown();
    double delta = budget.delta().roundedDown();
    AmountRange range = amounts.range();
    int most = amounts.most();
    double[] x = amounts.all();
    double[] distances = Arrays.stream(x).map(each -> each - range.middle()).toArray();
    double sum = Statistic.SUM.of(x);
    double fromMiddle = Statistic.SUM.of(distances);
    double squares = Arrays.stream(distances).map(d -> d * d).sum();
    double half = range.width() / 2;
    Added toSum = noise.of(1, range.furthest() * most, epsilon, delta);
    GoogleMean mean = GoogleMean.of(noise, range, most, epsilon, delta);
    Added third = noise.of(1, most, epsilon / 3, delta / 3);
    Added thirdOfSum = noise.of(1, half * most, epsilon / 3, delta / 3);
    Added thirdOfSquares = noise.of(1, half * half * most, epsilon / 3, delta / 3);
    return random -> {
      double noisySum = toSum.around(sum, random);
      double noisyMean = mean.draw(fromMiddle, x.length, random).mean();
      double n = Math.max(1, third.around((long) x.length, random));
      double first = thirdOfSum.around(fromMiddle, random) / n;
      double second = thirdOfSquares.around(squares, random) / n;
      return Map.of(
          Statistic.SUM, noisySum,
          Statistic.MEAN, noisyMean,
          Statistic.VARIANCE, range.clampVariance(second - first * first));
    };
  }
}
