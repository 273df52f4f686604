// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import io.sfumato.accounting.PrivacyCost;
import io.sfumato.accounting.RenyiDivergences;
import io.sfumato.random.KeyedRandom;
import io.sfumato.random.LargeDiscreteGaussian;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Discrete Gaussian noise on a grid, by its standard deviation. What it costs rests on {@link
 * TheoremD}.
 *
 * @param digits binary digits of the grid, 0 to 40
 * @param steps sigma in whole steps of it, 6 to 2^56
 */
public record GridGaussian(int digits, long steps) implements GridNoise {
  /** Smallest sigma: its square is above twice the bridge. */
  public static final long LEAST = 6;

  /**
   * @throws IllegalArgumentException if the grid has fewer than 0 or more than 40 digits, or sigma
   *     is not 6 to 2^56 steps
   */
  public GridGaussian {
    GridNoise.requireGrid(digits);
    if (steps < LEAST || steps > LargeDiscreteGaussian.LARGEST) {
      throw new IllegalArgumentException("sigma is 6 to 2^56 steps, was " + steps);
    }
  }

  @Override
  public String method() {
    return "gaussian";
  }

  @Override
  public Map<String, Double> parameters() {
    return Map.of("sigma", Math.scalb((double) steps, -digits));
  }

  @Override
  public ToLongFunction<KeyedRandom> sampler() {
    return new LargeDiscreteGaussian(steps)::sample;
  }

  @Override
  public PrivacyCost charge(GridSensitivity sensitivity) {
    return TheoremD.charge(
        "discrete-gaussian " + sensitivity.word() + " sigma=" + steps + " of 2^-" + digits,
        sensitivity,
        (double) steps * steps);
  }

  @Override
  public double divergence(double order, long[] first, long[] second) {
    return RenyiDivergences.gaussian(order, first, second, deviation() * deviation());
  }

  @Override
  public double logDensity(double x) {
    return -0.5 * (x / steps) * (x / steps);
  }

  @Override
  public double deviation() {
    return steps;
  }

  /** As near as discrete Gaussian noise is to continuous. */
  @Override
  public ErrorLaw summed(long times) {
    return new GridGaussian(digits, (long) Math.ceil(steps * Math.sqrt(times)));
  }

  @Override
  public double tail(double x, double... weights) {
    return NormalTail.of(deviation(), x, weights);
  }
}
