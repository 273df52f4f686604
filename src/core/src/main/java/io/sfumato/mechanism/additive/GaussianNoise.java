// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import io.sfumato.accounting.PrivacyCost;
import io.sfumato.accounting.RenyiCurve;
import io.sfumato.accounting.RenyiDivergences;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.random.DiscreteGaussian;
import io.sfumato.random.KeyedRandom;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToLongFunction;

/**
 * Discrete Gaussian noise (Canonne, Kamath and Steinke 2020).
 *
 * @param steps sigma^2 in steps of 2^-10
 */
public record GaussianNoise(long steps) implements AdditiveNoise {
  private static final double QUANTILE = 1.959963984540054;

  /** Covers the roundings of a root. */
  private static final double UP = 1 + 0x1.0p-50;

  @Override
  public String method() {
    return "gaussian";
  }

  @Override
  public Map<String, Double> parameters() {
    return Map.of("sigma", deviation());
  }

  @Override
  public ToLongFunction<KeyedRandom> sampler() {
    return new DiscreteGaussian(steps)::sample;
  }

  /**
   * What one release costs, in the unit and for the neighbours of the sensitivity. The curve holds
   * for the discrete noise too (Canonne, Kamath, Steinke 2020, Proposition 5). An exact profile is
   * proved for one replaced record only.
   */
  @Override
  public PrivacyCost charge(Sensitivity sensitivity) {
    double variance = steps / (double) DiscreteGaussian.STEPS;
    return new PrivacyCost(
        "discrete-gaussian" + sensitivity.word() + " sigma^2=" + steps + "/2^10",
        sensitivity.unit(),
        RenyiCurve.gaussian(Math.sqrt(sensitivity.squaredL2() / variance) * UP),
        OptionalDouble.empty(),
        sensitivity.equals(Sensitivity.replaceOne())
            ? Optional.of(new DiscreteGaussianProfile(variance))
            : Optional.empty());
  }

  @Override
  public double divergence(double order, long[] first, long[] second) {
    return RenyiDivergences.gaussian(order, first, second, deviation() * deviation());
  }

  /** sigma. */
  @Override
  public double deviation() {
    return Math.sqrt(steps / (double) DiscreteGaussian.STEPS);
  }

  @Override
  public double continuousDeviation() {
    return deviation();
  }

  @Override
  public long halfWidth(int draws) {
    return (long) Math.ceil(QUANTILE * deviation() * Math.sqrt(draws));
  }
}
