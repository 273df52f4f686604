// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import io.sfumato.accounting.Charge;
import io.sfumato.accounting.Divergences;
import io.sfumato.accounting.PrivacyProfile;
import io.sfumato.accounting.RenyiCurve;
import io.sfumato.accounting.StandardNormal;
import io.sfumato.noise.ReplayableRandom;
import io.sfumato.noise.WideGaussian;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Discrete Gaussian noise on a grid. What it costs rests on Theorem D of docs/privacy.md: it is
 * continuous noise, post-processed.
 *
 * @param digits binary digits of the grid, 0 to 40
 * @param steps sigma in whole steps of it, 6 to 2^56
 */
public record GridGaussian(int digits, long steps) implements GridNoise {
  /** The variance in squared steps that separates discrete noise from continuous (to e^-300). */
  public static final double BRIDGE = 16;

  /** Smallest sigma: its square is above twice the bridge. */
  public static final long LEAST = 6;

  /** Covers the roundings of a quotient and a root. */
  private static final double UP = 1 + 0x1.0p-45;

  public GridGaussian {
    GridNoise.requireGrid(digits);
    if (steps < LEAST || steps > WideGaussian.LARGEST) {
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
  public ToLongFunction<ReplayableRandom> sampler() {
    return new WideGaussian(steps)::sample;
  }

  /** Sensitivity over standard deviation, of the continuous noise that it is made of. */
  double mu(GridSensitivity sensitivity) {
    return sensitivity.l2() / Math.sqrt((double) steps * steps - BRIDGE) * UP;
  }

  @Override
  public Charge charge(GridSensitivity sensitivity) {
    double mu = mu(sensitivity);
    return Charge.of(
        "discrete-gaussian " + sensitivity.word() + " sigma=" + steps + " of 2^-" + digits,
        sensitivity.unit(),
        RenyiCurve.gaussian(mu),
        PrivacyProfile.gaussian(mu));
  }

  @Override
  public double divergence(double order, long[] first, long[] second) {
    return Divergences.gaussian(order, first, second, deviation() * deviation());
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
    double squares = 0;
    for (double weight : weights) {
      squares += weight * weight;
    }
    if (squares == 0) {
      return 0;
    }
    double beyond = Math.max(0, x - GridNoise.wholeSteps(weights));
    return 2 * StrictMath.exp(StandardNormal.lnPhi(-beyond / (deviation() * Math.sqrt(squares))));
  }
}
