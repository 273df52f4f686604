// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

/**
 * Distances in whole steps of a power of two, so that noise is drawn and compared in whole numbers.
 * Rounding moves a distance by less than a step more.
 *
 * @param exponent a step is 2^-exponent, -200 to 60
 */
record DistanceGrid(int exponent) {
  private static final int FINEST = 60;
  private static final int COARSEST = -200;

  DistanceGrid {
    if (exponent < COARSEST || exponent > FINEST) {
      throw new IllegalArgumentException("a grid's exponent is -200 to 60, was " + exponent);
    }
  }

  /**
   * The coarsest grid with at least {@code steps} steps in a scale of noise; the finest if none
   * has. No logarithm: the same on every machine.
   */
  static DistanceGrid finerThan(double scale, double steps) {
    int exponent = 0;
    while (exponent < FINEST && Math.scalb(scale, exponent) < steps) {
      exponent++;
    }
    return new DistanceGrid(exponent);
  }

  /**
   * The finest grid whose step is at least 1 and that has at most {@code steps} steps in a scale of
   * noise: for noise that is too wide for finer ones.
   */
  static DistanceGrid coarserThan(double scale, double steps) {
    int exponent = 0;
    while (exponent > COARSEST && Math.scalb(scale, exponent) > steps) {
      exponent--;
    }
    return new DistanceGrid(exponent);
  }

  /** That with steps twice as wide. */
  DistanceGrid coarser() {
    return new DistanceGrid(exponent - 1);
  }

  double step() {
    return Math.scalb(1.0, -exponent);
  }

  /** The nearest step; distances are finite and at least 0. */
  long steps(double distance) {
    if (!(distance >= 0) || distance == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("a distance is finite and at least 0");
    }
    return (long) Math.rint(Math.min(Math.scalb(distance, exponent), 0x1.0p62));
  }

  /** A sensitivity in steps: one more for the rounding. */
  long sensitivity(double moved) {
    return (long) Math.ceil(Math.scalb(moved, exponent)) + 1;
  }
}
