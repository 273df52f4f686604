// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.random;

/**
 * Gamma draws by Marsaglia and Tsang, "A simple method for generating gamma variables" (ACM TOMS
 * 26, 2000). Our own because commons-rng's uses Math.log and Math.exp, whose last bit may differ
 * between processors, and a retry on another machine must give the same bytes.
 */
public final class GammaSampler {
  private GammaSampler() {}

  /**
   * One draw of Gamma(shape, 1).
   *
   * @param shape at least 1/2: far smaller shapes would underflow to 0
   * @throws IllegalArgumentException if the shape is less or infinite
   */
  public static double sample(KeyedRandom random, double shape) {
    if (!(shape >= 0.5) || shape == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("gamma shape must be finite and at least 0.5: " + shape);
    }
    if (shape < 1) {
      // Gamma(k) = Gamma(k + 1) * U^(1/k), section 6 of the paper.
      double boosted = sample(random, shape + 1);
      return boosted * StrictMath.pow(random.nextOpenDouble(), 1 / shape);
    }
    double d = shape - 1.0 / 3;
    double c = 1 / Math.sqrt(9 * d);
    while (true) {
      double x = random.nextStandardGaussian();
      double t = 1 + c * x;
      if (t <= 0) {
        continue;
      }
      double v = t * t * t;
      double u = random.nextOpenDouble();
      double x2 = x * x;
      if (u < 1 - 0.0331 * x2 * x2
          || StrictMath.log(u) < 0.5 * x2 + d * (1 - v + StrictMath.log(v))) {
        return d * v;
      }
    }
  }
}
