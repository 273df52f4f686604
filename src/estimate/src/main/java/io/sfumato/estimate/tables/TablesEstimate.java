// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.tables;

/**
 * Tables as they are published. Immutable.
 *
 * @param counts of all cells, whole, at least 0; every sum of a finer table is the coarser one's
 *     cell
 * @param low lower end of each cell's 95% interval, whole, at least 0
 * @param high upper end
 * @param clamped of each cell whether noise alone would have told less than 0
 */
public record TablesEstimate(long[] counts, long[] low, long[] high, boolean[] clamped) {
  /**
   * @throws IllegalArgumentException if a count lies outside its interval, or an interval begins
   *     below 0
   */
  public TablesEstimate {
    counts = counts.clone();
    low = low.clone();
    high = high.clone();
    clamped = clamped.clone();
    for (int cell = 0; cell < counts.length; cell++) {
      if (low[cell] < 0 || counts[cell] < low[cell] || high[cell] < counts[cell]) {
        throw new IllegalArgumentException("an interval holds its count, and begins at 0 or above");
      }
    }
  }

  @Override
  public long[] counts() {
    return counts.clone();
  }

  @Override
  public long[] low() {
    return low.clone();
  }

  @Override
  public long[] high() {
    return high.clone();
  }

  @Override
  public boolean[] clamped() {
    return clamped.clone();
  }
}
