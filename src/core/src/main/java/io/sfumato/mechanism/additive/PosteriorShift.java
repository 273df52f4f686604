// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import io.sfumato.accounting.Bisection;

/**
 * What is taken off all noisy counts so that their posterior means add up to N: the number that
 * sixty halvings of a bracket come to, to the last bit, since outputs are made of it. Newton's
 * method says where they will end; they look only as near to it as roundings reach.
 */
final class PosteriorShift {
  private static final int HALVINGS = 60;
  private static final int NEWTON = 30;

  /** Of a logarithm of the normal distribution function, for each nat: ten times what it is. */
  private static final double ERROR = 4e-14;

  private static final double ROUNDING = 0x1.0p-50;

  /** Around {@link PostProcessing#FAR} the sum jumps, in deviations: nearer than this is near. */
  private static final double JUMP = 0.01;

  private final double[] noisy;
  private final double size;
  private final double deviation;

  /** The largest at which the sum is too large, and the smallest at which it is not, so far. */
  private double above;

  private double below;

  private PosteriorShift(double[] noisy, double size, double deviation, Bisection ends) {
    this.noisy = noisy;
    this.size = size;
    this.deviation = deviation;
    this.above = ends.low();
    this.below = ends.high();
  }

  /**
   * @param ends where the sum is above {@code size}, and where it is not
   */
  static double of(double[] noisy, double size, double deviation, Bisection ends) {
    PosteriorShift shift = new PosteriorShift(noisy, size, deviation, ends);
    shift.look(ends);
    return ends.halved(HALVINGS, shift::isAbove).high();
  }

  /** On either side of where the sum is N. */
  private void look(Bisection ends) {
    // The sum is convex and falls: from where it is above N no step goes too far.
    double c = ends.low();
    for (int i = 0; i < NEWTON; i++) {
      double sum = 0;
      double slope = 0;
      double error = 0;
      boolean isNearJump = false;
      for (double z : noisy) {
        double x = z - c;
        double t = x / deviation;
        double mean = PostProcessing.mean(x, deviation);
        double hazard = (mean - x) / deviation;
        double rise = PostProcessing.slope(t, hazard);
        sum += mean;
        slope += rise;
        // But for a series, a mean is x and an exponential of a difference of logarithms.
        error +=
            (t < PostProcessing.FAR ? 0 : (mean - x) * (1 + t * t) * ERROR)
                + mean * (ERROR + noisy.length * ROUNDING)
                + Math.abs(x) * rise * ROUNDING;
        isNearJump |= Math.abs(t - PostProcessing.FAR) < 2 * JUMP;
      }
      double step = (sum - size) / slope;
      double off = error / slope + Math.ulp(c);
      c += step;
      if (!(Math.abs(step) > off)) {
        double away = 2 * off + (isNearJump ? JUMP * deviation : 0);
        isAbove(Math.max(ends.low(), c - away));
        isAbove(Math.min(ends.high(), c + away));
        return;
      }
    }
  }

  /** Whether the sum is above N, without a look beyond what is known. */
  private boolean isAbove(double c) {
    if (c <= above) {
      return true;
    }
    if (c >= below) {
      return false;
    }
    boolean isAbove = PostProcessing.sum(noisy, c, deviation) > size;
    above = isAbove ? c : above;
    below = isAbove ? below : c;
    return isAbove;
  }
}
