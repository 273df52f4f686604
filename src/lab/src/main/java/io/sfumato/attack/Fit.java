// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

import java.util.Arrays;

/**
 * Whether noise that was drawn has the law that it should have: the largest distance of both
 * distribution functions. By chance alone it is above {@code sqrt(ln(2 / failure) / (2 n))} with a
 * probability of at most {@code failure}, for n independent draws of any law (Dvoretzky, Kiefer,
 * Wolfowitz 1956; Massart 1990).
 *
 * @param distance that was found
 * @param allowed what chance may do
 */
public record Fit(double distance, double allowed) {
  /** Of noises that are independent of each other. */
  static Fit of(long[] noises, IndependentNoiseLaw distribution, double failure) {
    long[] sorted = noises.clone();
    Arrays.sort(sorted);
    double n = sorted.length;
    double distance = 0;
    for (int i = 0; i < sorted.length; i++) {
      boolean last = i + 1 == sorted.length || sorted[i + 1] > sorted[i];
      boolean first = i == 0 || sorted[i - 1] < sorted[i];
      if (first) {
        distance = Math.max(distance, Math.abs(i / n - distribution.atMost(sorted[i] - 1.0)));
      }
      if (last) {
        distance = Math.max(distance, Math.abs((i + 1) / n - distribution.atMost(sorted[i])));
      }
    }
    return new Fit(distance, Math.sqrt(StrictMath.log(2 / failure) / (2 * n)));
  }

  /** Whether chance explains it. */
  public boolean fits() {
    return distance <= allowed;
  }
}
