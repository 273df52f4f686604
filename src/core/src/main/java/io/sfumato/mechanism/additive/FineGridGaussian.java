// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import io.sfumato.accounting.PrivacyCost;
import io.sfumato.accounting.RenyiDivergences;
import io.sfumato.random.DiscreteGaussian;
import io.sfumato.random.KeyedRandom;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Discrete Gaussian noise on a grid, by its variance, of which it has finer steps than {@link
 * GridGaussian} of a deviation. What it costs rests on {@link TheoremD}.
 *
 * @param digits binary digits of the grid, 0 to 40
 * @param steps sigma^2 in steps of 2^-10 squared steps of it: above 32 times 2^10, up to 2^62
 */
public record FineGridGaussian(int digits, long steps) implements GridNoise {
  /**
   * @throws IllegalArgumentException if the grid has fewer than 0 or more than 40 digits, or the
   *     variance is at most 32 squared steps
   */
  public FineGridGaussian {
    GridNoise.requireGrid(digits);
    if (!(variance(steps) > TheoremD.LEAST_VARIANCE)) {
      throw new IllegalArgumentException(
          "noise has a variance above 32 squared steps, was " + steps + "/2^10");
    }
  }

  private static double variance(long steps) {
    double deviation = Math.sqrt(steps / (double) DiscreteGaussian.STEPS);
    return deviation * deviation;
  }

  @Override
  public String method() {
    return "gaussian";
  }

  @Override
  public Map<String, Double> parameters() {
    return Map.of("sigma", Math.scalb(deviation(), -digits));
  }

  @Override
  public ToLongFunction<KeyedRandom> sampler() {
    return new DiscreteGaussian(steps)::sample;
  }

  @Override
  public PrivacyCost charge(GridSensitivity sensitivity) {
    return TheoremD.charge(
        "discrete-gaussian " + sensitivity.word() + " sigma^2=" + steps + "/2^10 of 2^-" + digits,
        sensitivity,
        variance(steps));
  }

  @Override
  public double divergence(double order, long[] first, long[] second) {
    return RenyiDivergences.gaussian(order, first, second, variance(steps));
  }

  @Override
  public double logDensity(double x) {
    return -0.5 * (x / deviation()) * (x / deviation());
  }

  @Override
  public double deviation() {
    return Math.sqrt(steps / (double) DiscreteGaussian.STEPS);
  }

  @Override
  public ErrorLaw summed(long times) {
    return new FineGridGaussian(digits, Math.multiplyExact(steps, times));
  }

  @Override
  public double tail(double x, double... weights) {
    return NormalTail.of(deviation(), x, weights);
  }
}
