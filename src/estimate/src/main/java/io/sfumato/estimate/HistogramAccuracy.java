// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate;

import io.sfumato.estimate.additive.NoisyAccuracy;
import io.sfumato.estimate.dirichlet.DirichletAccuracy;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.mechanism.HistogramRelease;
import io.sfumato.mechanism.additive.NoisyHistogram;
import io.sfumato.mechanism.dirichlet.DirichletMechanism;

/** How far published histograms are off, from the mechanism's public parameters alone. */
public interface HistogramAccuracy {
  /**
   * Of a mechanism.
   *
   * @throws IllegalArgumentException if nothing is known of mechanisms of its class
   */
  static HistogramAccuracy of(HistogramMechanism mechanism) {
    if (mechanism instanceof NoisyHistogram noisy) {
      return new NoisyAccuracy(noisy);
    }
    if (mechanism instanceof DirichletMechanism dirichlet) {
      return new DirichletAccuracy(dirichlet);
    }
    throw new IllegalArgumentException("no accuracy is known of " + mechanism.method());
  }

  /**
   * How far the truth is from a released share: half the width of an interval around it that holds
   * the truth in 95 of 100 releases, roughly. From the release and public facts alone.
   *
   * @param share that was released, 0 to 1
   * @param records N where it is public, else what noisy counts add up to, or a public guess
   * @param categories number of categories
   */
  double halfWidth(double share, long records, int categories);

  /**
   * How dense a release is, given exact counts.
   *
   * @param records N where it is public, else the plan's
   * @throws IllegalArgumentException if this mechanism cannot have made the release; says why
   */
  HistogramDensity density(HistogramRelease release, long records);
}
