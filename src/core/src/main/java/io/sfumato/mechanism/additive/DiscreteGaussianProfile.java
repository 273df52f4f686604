// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import io.sfumato.accounting.PrivacyProfile;
import io.sfumato.accounting.Profiles;

/**
 * The exact privacy profile of discrete Gaussian noise on every count, when one record is replaced:
 * one count falls by 1, another rises by 1. With T the sum of the two noises (one mirrored), the
 * loss is {@code (1 - T) / v} and T + 2 has T's law under the neighbour, so
 *
 * <pre>  delta(eps) = P[T < 1 - eps v] - e^eps P[T + 2 < 1 - eps v],
 *   P[T = t] in proportion to e^(-t^2 / 4v) times a sum that depends on t's parity only.</pre>
 *
 * The continuous formula is no bound: at epsilon 10 it is off by a factor of 2.
 */
final class DiscreteGaussianProfile implements PrivacyProfile {
  /** P[T = t] is dropped below e^-350, and bounded by it. */
  private static final double NEGLIGIBLE = 350;

  /** Above e^-310 what is dropped is below the unit in the last place. */
  private static final double NEARLY_NEGLIGIBLE = -310;

  private final double variance;

  /** ln P[T <= -i], without what lies beyond the array. */
  private final double[] lnTail;

  /**
   * @param variance the parameter sigma^2, above 0
   */
  DiscreteGaussianProfile(double variance) {
    this.variance = variance;
    int reach = (int) Math.ceil(2 * Math.sqrt(variance * NEGLIGIBLE)) + 2;
    double lnZ = StrictMath.log(theta(2 * variance, 0, reach));
    double lnEven = StrictMath.log(theta(variance, 0, reach)) - 2 * lnZ;
    double lnOdd = StrictMath.log(theta(variance, 0.5, reach)) - 2 * lnZ;
    this.lnTail = new double[reach + 1];
    // Scaled by e^NEGLIGIBLE on the way, so that the far tail keeps its digits; and compensated,
    // since there may be millions of terms: so the sum is as good as its terms.
    double sum = 0;
    double lost = 0;
    for (int i = reach; i >= 0; i--) {
      double ln = -(double) i * i / (4 * variance) + (i % 2 == 0 ? lnEven : lnOdd);
      double term = StrictMath.exp(ln + NEGLIGIBLE) - lost;
      double next = sum + term;
      lost = next - sum - term;
      sum = next;
      lnTail[i] = StrictMath.log(sum) - NEGLIGIBLE;
    }
  }

  /** Sum over all whole x of e^(-(x - shift)^2 / scale). */
  private static double theta(double scale, double shift, int reach) {
    double sum = 0;
    double lost = 0;
    for (int x = reach; x >= 0; x--) {
      double right = StrictMath.exp(-(x - shift) * (x - shift) / scale);
      double left = x == 0 ? 0 : StrictMath.exp(-(x + shift) * (x + shift) / scale);
      double term = right + left - lost;
      double next = sum + term;
      lost = next - sum - term;
      sum = next;
    }
    return sum;
  }

  /** Never above the truth. */
  private double lnTail(long i) {
    return i < lnTail.length ? lnTail[(int) i] : Double.NEGATIVE_INFINITY;
  }

  /**
   * Never below the truth: what lies beyond the array is at most e^-350. Its terms fall at least
   * geometrically, each by e^(-reach / 2v), from P[T = reach + 1] <= e^-350 theta / Z^2: in all
   * less than e^-350 (2v / reach + 1) / sqrt(2 pi v) for v above 1, and less than e^-350 for any
   * other.
   */
  private double lnTailUp(long i) {
    double ln = lnTail(i);
    return ln > NEARLY_NEGLIGIBLE
        ? ln
        : StrictMath.log(StrictMath.exp(ln + NEGLIGIBLE) + 1) - NEGLIGIBLE;
  }

  @Override
  public double delta(double epsilon) {
    // The largest t below 1 - eps v is -i.
    double limit = 1 - epsilon * variance;
    if (limit <= 1 - lnTail.length) {
      return StrictMath.exp(-NEGLIGIBLE + 2);
    }
    long i = -((long) Math.ceil(limit) - 1);
    return Profiles.difference(
        lnTailUp(i), epsilon + lnTail(i + 2), epsilon + Math.abs(lnTail[(int) i]));
  }
}
