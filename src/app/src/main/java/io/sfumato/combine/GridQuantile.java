// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.combine;

/** The exact distribution of a symmetric sum of noise whose values are multiples of one step. */
final class GridQuantile {
  private final double step;
  private final double[] factors;
  private final int points;

  /**
   * @param points how many multiples of the step around 0 hold all chance, an odd number
   */
  GridQuantile(NoiseParts noise, double step, int points) {
    this.step = step;
    this.points = points;
    factors = new double[points / 2];
    for (int k = 1; k <= factors.length; k++) {
      double angle = Math.PI * k / points;
      factors[k - 1] = noise.characteristic(2 * angle / step) / Math.sin(angle);
    }
  }

  /** The least distance from 0 within which the sum lies with a probability. */
  double distance(double probability) {
    int low = -1;
    int high = points / 2;
    while (high - low > 1) {
      int middle = (low + high) / 2;
      if (within(middle) >= probability) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return high * step;
  }

  /** The probability of at most some steps from 0. */
  private double within(int steps) {
    double width = 2.0 * steps + 1;
    double sum = 0;
    for (int k = 1; k <= factors.length; k++) {
      sum += factors[k - 1] * Math.sin(width * Math.PI * k / points);
    }
    return (width + 2 * sum) / points;
  }
}
