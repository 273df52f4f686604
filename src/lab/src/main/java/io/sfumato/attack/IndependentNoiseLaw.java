// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

import io.sfumato.accounting.StandardNormal;
import io.sfumato.mechanism.additive.GridLaplace;
import io.sfumato.mechanism.additive.LaplaceNoise;
import io.sfumato.mechanism.additive.VectorNoise;

/** The law of whole-number noise, summed here and not taken from what is attacked. */
public sealed interface IndependentNoiseLaw permits DiscreteGaussianLaw, DiscreteLaplaceLaw {
  /** P[noise <= x]. */
  double atMost(double x);

  /**
   * The best events against noise that is moved.
   *
   * @param shift by how much in each place, not all 0
   */
  Events events(long[] shift);

  /** The score that tells most: larger where it speaks for the first neighbour. */
  double score(long drawn, long first, long second);

  /** That of counts, or of sums on a grid. */
  static IndependentNoiseLaw of(VectorNoise noise) {
    if (noise instanceof LaplaceNoise laplace) {
      return new DiscreteLaplaceLaw(laplace.scale());
    }
    return noise instanceof GridLaplace
        ? new DiscreteLaplaceLaw(noise.steps())
        : new DiscreteGaussianLaw(noise.deviation());
  }

  /** Normal chances of a tail, of either side, to the last digits. */
  static double normal(double x) {
    return StrictMath.exp(StandardNormal.lnPhi(x));
  }
}
