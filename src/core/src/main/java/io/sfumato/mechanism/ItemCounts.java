// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism;

import java.util.Arrays;

/** Whole numbers of items by category: a synthetic histogram. No real number was ever drawn. */
public final class ItemCounts implements HistogramRelease {
  private final long[] counts;

  /**
   * Counts by category.
   *
   * @param counts at least 0; copied
   */
  public ItemCounts(long... counts) {
    this.counts = counts.clone();
  }

  @Override
  public int categories() {
    return counts.length;
  }

  /**
   * Items of a category, at least 0.
   *
   * @param category from 0
   */
  public long count(int category) {
    return counts[category];
  }

  /** Number of items in all. */
  public long size() {
    return Arrays.stream(counts).sum();
  }
}
