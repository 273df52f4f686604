// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/**
 * The law of sums of independent Laplace noises, so many each: exact, however many they are.
 *
 * @param each noise
 * @param times how many are summed up, at least 1
 */
public record IidLaplaceSum(GridLaplace each, long times) implements ErrorLaw {
  /** Half widths are found, outward, to this part of them. */
  private static final double NARROW = 1e-9;

  /**
   * @throws IllegalArgumentException if there is no noise
   */
  public IidLaplaceSum {
    if (times < 1) {
      throw new IllegalArgumentException("at least 1 noise is summed up, was " + times);
    }
  }

  @Override
  public double deviation() {
    return each.deviation() * Math.sqrt(times);
  }

  /**
   * {@inheritDoc}
   *
   * <p>The logarithm of a tail is nearly a line: found by secants of it (Illinois), a few of which
   * are enough.
   */
  @Override
  public double halfWidth(double confidence, double... weights) {
    double norm = Math.sqrt(Arrays.stream(weights).map(w -> w * w).sum());
    if (times == 1 || norm == 0) {
      return each.halfWidth(confidence, weights);
    }
    return HalfWidths.of(this, confidence, weights, () -> found(confidence, norm, weights));
  }

  private double found(double confidence, double norm, double... weights) {
    DoubleUnaryOperator excess = x -> StrictMath.log(tail(x, weights) / (1 - confidence));
    double low = 0;
    double above = -StrictMath.log(1 - confidence);
    double high = 2 * norm * deviation();
    double below = excess.applyAsDouble(high);
    while (below > 0) {
      low = high;
      above = below;
      high *= 2;
      below = excess.applyAsDouble(high);
    }
    double found = below;
    while (found > 0 || found < -NARROW && high - low > NARROW * high) {
      double next = low + above / (above - below) * (high - low);
      boolean same = found > 0;
      found = excess.applyAsDouble(next);
      if (found > 0) {
        low = next;
        above = found;
        below = same ? below / 2 : below;
      } else {
        high = next;
        below = found;
        above = same ? above : above / 2;
      }
    }
    return high;
  }

  @Override
  public double tail(double x, double... weights) {
    return times == 1
        ? each.tail(x, weights)
        : WeightedIidLaplaceSums.tail(
            Math.max(0, x - times * GridNoise.wholeSteps(weights)) / each.steps(), times, weights);
  }
}
