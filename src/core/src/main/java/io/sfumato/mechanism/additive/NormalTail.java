// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import io.sfumato.accounting.StandardNormal;

/** Tails of weighted sums of discrete Gaussian noises, as {@link ErrorLaw#tail} says. */
final class NormalTail {
  private NormalTail() {}

  /**
   * Never below the truth.
   *
   * @param deviation of one noise, in steps
   */
  static double of(double deviation, double x, double... weights) {
    double squares = 0;
    for (double weight : weights) {
      squares += weight * weight;
    }
    if (squares == 0) {
      return 0;
    }
    double beyond = Math.max(0, x - GridNoise.wholeSteps(weights));
    return 2 * StrictMath.exp(StandardNormal.lnPhi(-beyond / (deviation * Math.sqrt(squares))));
  }
}
