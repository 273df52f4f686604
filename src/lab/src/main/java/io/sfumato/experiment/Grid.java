// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

/** Evenly spaced on a logarithmic axis. */
final class Grid {
  /** The paper's epsilons: 10 from 10^-3 to 10. */
  static final double[] EPSILONS = logarithmic(-3, 1, 10);

  private Grid() {}

  static double[] logarithmic(double from, double to, int points) {
    double[] grid = new double[points];
    for (int i = 0; i < points; i++) {
      grid[i] = Math.pow(10, from + (to - from) * i / (points - 1));
    }
    return grid;
  }
}
