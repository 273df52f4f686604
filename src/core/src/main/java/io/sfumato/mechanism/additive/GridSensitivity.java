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
 * @param l2 largest Euclidean distance of all coordinates together, in steps, above 0; where
 *     several releases share noises the part of one: the root of a sharing-th part of the square
 * @param sharing how many releases may move the same noises, at least 1: the records of a window,
 *     where each of them is charged
 */
public record GridSensitivity(
    String word, PrivacyUnit unit, int parts, long each, double l2, long sharing) {
  /** Largest distance that doubles hold exactly: also stands for any that is larger. */
  public static final long LARGEST = 1L << 53;

  /** Covers the roundings of a root and a quotient. */
  private static final double UP = 1 + 0x1.0p-50;

  /**
   * @throws IllegalArgumentException if the word is blank, if there is no part or step, if the
   *     steps exceed 2^53 in all, if the Euclidean distance is not above 0 or infinite, or if no
   *     release moves a noise
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
    if (sharing < 1) {
      throw new IllegalArgumentException("at least 1 release moves a noise, was " + sharing);
    }
  }

  /** Of releases whose noises are their own. */
  public GridSensitivity(String word, PrivacyUnit unit, int parts, long each, double l2) {
    this(word, unit, parts, each, l2, 1);
  }

  /**
   * The part of one record in what the records of a window cost. Each of C records moves the
   * numbers by at most a C-th of this, so n of them move them by n such parts, and their square is
   * at most n C of its squares.
   *
   * @param records C, at least 1
   * @throws IllegalArgumentException if there is no record, or releases share noises already
   */
  public GridSensitivity ofOneRecord(int records) {
    if (records < 1 || sharing > 1) {
      throw new IllegalArgumentException(
          "at least 1 record of a window is charged, was %d of %d".formatted(records, sharing));
    }
    return new GridSensitivity(
        word + " by-record",
        unit,
        parts,
        (each - 1) / records + 1,
        l2 / Math.sqrt(records) * UP,
        records);
  }

  /** Largest sum of absolute differences of all coordinates together, in steps. */
  public long l1() {
    return parts * each;
  }
}
