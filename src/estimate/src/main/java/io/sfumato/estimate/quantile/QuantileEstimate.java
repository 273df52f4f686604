// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.quantile;

/**
 * An estimate of one quantile: the least value that at least the part q of all records do not
 * exceed.
 *
 * @param q in (0, 1)
 * @param value between the ends of its bin
 * @param low lower end of the interval, a bin's edge; the truth may lie below it only where it is
 *     that of the first bin
 * @param high upper end, a bin's edge, likewise
 * @param place of the value's bin
 * @param unknown whether the interval holds nearly all bins, so that the value tells next to
 *     nothing
 */
public record QuantileEstimate(
    double q, double value, double low, double high, Place place, boolean unknown) {
  /**
   * @throws IllegalArgumentException unless q lies in (0, 1), and the value in its interval
   */
  public QuantileEstimate {
    requireQuantile(q);
    if (!(low <= value) || !(value <= high)) {
      throw new IllegalArgumentException("an interval holds its estimate");
    }
  }

  /** Where the bin of an estimate lies: at an end, values beyond it count there too. */
  public enum Place {
    /** In the first bin: the quantile may lie below the range. */
    FIRST,
    /** In a bin between. */
    BETWEEN,
    /** In the last bin: the quantile may lie above the range. */
    LAST
  }

  /** Checks that it is a quantile's place. */
  static void requireQuantile(double q) {
    if (!(q > 0) || !(q < 1)) {
      throw new IllegalArgumentException("a quantile lies between 0 and 1, not at " + q);
    }
  }
}
