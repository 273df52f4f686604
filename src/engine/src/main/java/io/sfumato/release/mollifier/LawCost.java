// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mollifier;

import io.sfumato.mechanism.mollifier.Reference;
import io.sfumato.release.mollifier.Sampler.Estimator;
import io.sfumato.release.mollifier.Sampler.Fourier;

/**
 * How long the law of one dataset takes at most. It is made of every subject and window, of which
 * those without records need none: one that took minutes would tell who has records.
 */
final class LawCost {
  /** Numbers of kernels: each point is looked at for every record. */
  private static final long MOST_PRODUCTS = 1 << 17;

  /** Products of a regression's columns: some seconds. */
  private static final long MOST_SQUARES = 1L << 31;

  /** The largest sample of a dataset that a file may keep. */
  private static final long MOST_RECORDS = 10_000;

  private LawCost() {}

  /** The largest pool whose laws are made within seconds; 0 or less if there is none. */
  static long largestPool(Estimator estimator, Reference reference) {
    return estimator instanceof Estimator.Logistic logistic
        ? rows(logistic.fourier(), reference) - MOST_RECORDS
        : MOST_PRODUCTS / reference.dimensions();
  }

  /** Whether it is made within seconds. */
  static boolean isQuick(Sampler sampler, Reference reference) {
    if (sampler instanceof Sampler.Projected projected) {
      return projected.pool() <= largestPool(projected.estimator(), reference);
    }
    return !(sampler instanceof Sampler.Boosted boosted)
        || boosted.pool() <= rows(boosted.fourier(), reference) / boosted.rounds() - MOST_RECORDS;
  }

  /** Of a regression: all rows make a square of its columns, which is then decomposed. */
  private static long rows(Fourier fourier, Reference reference) {
    long columns = 1L + reference.categories() + fourier.features();
    return MOST_SQUARES / (columns * columns) - columns;
  }
}
