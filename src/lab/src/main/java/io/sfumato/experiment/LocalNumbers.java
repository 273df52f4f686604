// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.random.KeyedRandom;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;

/**
 * Every number with Laplace noise of its own, which nobody needs to be trusted for: of scale (width
 * of the range) C / epsilon, since a user's numbers are told one by one and their losses add up.
 * How many there are is public.
 *
 * @param budget pure: delta is not used
 */
record LocalNumbers(CalibrationTarget budget) implements NumberMethod {
  private static final int FEWER = 20;

  @Override
  public String name() {
    return "local noise";
  }

  /** A release takes as many draws as there are numbers, and so each says more. */
  @Override
  public int releases(int seeds) {
    return Math.max(1, seeds / FEWER);
  }

  @Override
  public Function<KeyedRandom, Map<Statistic, Double>> of(Amounts amounts) {
    double[] x = amounts.all();
    double b = scale(amounts);
    AmountRange range = amounts.range();
    return random -> {
      double[] told = told(x, b, random);
      return Map.of(
          Statistic.SUM, Statistic.SUM.of(told),
          Statistic.MEAN, range.clamp(Statistic.MEAN.of(told)),
          // The noise's own variance is known.
          Statistic.VARIANCE, range.clampVariance(Statistic.VARIANCE.of(told) - 2 * b * b));
    };
  }

  double scale(Amounts amounts) {
    return amounts.range().width() * amounts.most() / budget.epsilon().roundedDown();
  }

  /** All numbers as their users tell them. */
  static double[] told(double[] x, double b, KeyedRandom random) {
    return Arrays.stream(x).map(each -> each + b * laplace(random)).toArray();
  }

  private static double laplace(KeyedRandom random) {
    double u = 2 * random.nextOpenDouble() - 1;
    return -Math.signum(u) * Math.log1p(-Math.abs(u));
  }
}
