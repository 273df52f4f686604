// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

/**
 * The law of sums of independent Laplace noises, so many each: exact, however many they are.
 *
 * @param each noise
 * @param times how many are summed up, at least 1
 */
public record SummedLaplace(GridLaplace each, long times) implements ErrorLaw {
  public SummedLaplace {
    if (times < 1) {
      throw new IllegalArgumentException("at least 1 noise is summed up, was " + times);
    }
  }

  @Override
  public double deviation() {
    return each.deviation() * Math.sqrt(times);
  }

  @Override
  public double tail(double x, double... weights) {
    return times == 1
        ? each.tail(x, weights)
        : ManyLaplaces.tail(
            Math.max(0, x - times * GridNoise.wholeSteps(weights)) / each.steps(), times, weights);
  }
}
