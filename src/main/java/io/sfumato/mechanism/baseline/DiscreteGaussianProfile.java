package io.sfumato.mechanism.baseline;

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

  private final double variance;

  /** ln P[T <= -i]. */
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
    // Scaled by e^NEGLIGIBLE on the way, so that the far tail keeps its digits.
    double sum = 1;
    for (int i = reach; i >= 0; i--) {
      double ln = -(double) i * i / (4 * variance) + (i % 2 == 0 ? lnEven : lnOdd);
      sum += StrictMath.exp(ln + NEGLIGIBLE);
      lnTail[i] = StrictMath.log(sum) - NEGLIGIBLE;
    }
  }

  /** Sum over all whole x of e^(-(x - shift)^2 / scale). */
  private static double theta(double scale, double shift, int reach) {
    double sum = 0;
    for (int x = reach; x >= 0; x--) {
      double right = StrictMath.exp(-(x - shift) * (x - shift) / scale);
      double left = x == 0 ? 0 : StrictMath.exp(-(x + shift) * (x + shift) / scale);
      sum += right + left;
    }
    return sum;
  }

  private double lnTail(long i) {
    return lnTail[(int) Math.min(i, lnTail.length - 1)];
  }

  @Override
  public double delta(double epsilon) {
    // The largest t below 1 - eps v is -i.
    double limit = 1 - epsilon * variance;
    if (limit < -lnTail.length) {
      return StrictMath.exp(-NEGLIGIBLE + 2);
    }
    long i = -((long) Math.ceil(limit) - 1);
    return Profiles.difference(lnTail(i), epsilon + lnTail(i + 2));
  }
}
