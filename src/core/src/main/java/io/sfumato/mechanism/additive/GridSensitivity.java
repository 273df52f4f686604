// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import io.sfumato.accounting.PrivacyUnit;

/**
 * How far the whole numbers of neighbouring datasets lie apart on a grid, by all that one release
 * draws noise for.
 *
 * @param word names the neighbours, and what is released of them, in a charge
 * @param unit what is protected
 * @param parts number of groups of coordinates that are moved side by side, at least 1
 * @param each largest sum of absolute differences within one part, in steps, at least 1
 * @param l2 largest Euclidean distance of all coordinates together, in steps, above 0
 */
public record GridSensitivity(String word, PrivacyUnit unit, int parts, long each, double l2) {
  /** Largest distance that doubles hold exactly: also stands for any that is larger. */
  public static final long LARGEST = 1L << 53;

  /**
   * @throws IllegalArgumentException if the word is blank, if there is no part or step, if the
   *     steps exceed 2^53 in all, or if the Euclidean distance is not above 0 or infinite
   */
  public GridSensitivity {
    if (word.isBlank()) {
      throw new IllegalArgumentException("a sensitivity names its neighbours");
    }
    if (parts < 1 || each < 1 || each > LARGEST / parts) {
      throw new IllegalArgumentException(
          "a sensitivity has at least 1 part, and 1 to 2^53 steps in all, was "
              + parts
              + " parts of "
              + each);
    }
    if (!(l2 > 0) || l2 == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("a Euclidean distance is above 0, was " + l2);
    }
  }

  /** Largest sum of absolute differences of all coordinates together, in steps. */
  public long l1() {
    return parts * each;
  }
}
