// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism;

import java.util.Optional;

/** One way to publish a histogram. */
public interface HistogramMechanism extends Mechanism<Histogram, HistogramRelease> {
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
   * How dense a release is, given exact counts; nothing where that is not known.
   *
   * @param records N where it is public, else the plan's
   * @throws IllegalArgumentException if this mechanism cannot have made the release; says why
   */
  default Optional<HistogramDensity> density(HistogramRelease release, long records) {
    return Optional.empty();
  }
}
