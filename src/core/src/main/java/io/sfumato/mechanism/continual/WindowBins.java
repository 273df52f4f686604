// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.continual;

/**
 * How the past is put together: the latest windows lie in bins of their own, older ones in wider
 * bins, the older the wider. A bin holds 2^l windows, l its level; as soon as a level has more than
 * 32 bins, its oldest two become one of the next level. So a bin is never wider than about a 16th
 * of its age, and n windows lie in about 16 log2(n) bins. Which they are follows from n alone.
 *
 * @param windows n, at least 0
 */
record WindowBins(long windows) {
  /** Most bins of a level. */
  static final int MOST = 32;

  WindowBins {
    if (windows < 0) {
      throw new IllegalArgumentException("there are at least 0 windows, was " + windows);
    }
  }

  /** How many levels have bins. */
  int levels() {
    int levels = 0;
    for (long ever = windows; ever > 0; ever = pairs(ever)) {
      levels++;
    }
    return levels;
  }

  /** How many bins a level had ever, which are there or went into pairs. */
  private long ever(int level) {
    long ever = windows;
    for (int l = 0; l < level; l++) {
      ever = pairs(ever);
    }
    return ever;
  }

  /** How often two of a level became one of the next, if so many came to it. */
  private static long pairs(long ever) {
    return Math.max(0, ever - MOST + 1) / 2;
  }

  /** How many bins a level has, at most {@link #MOST}. */
  int of(int level) {
    long ever = ever(level);
    return (int) (ever - 2 * pairs(ever));
  }

  /** How many bins there are. */
  int count() {
    int count = 0;
    for (long ever = windows; ever > 0; ever = pairs(ever)) {
      count += (int) (ever - 2 * pairs(ever));
    }
    return count;
  }

  /** Their widths in windows, the oldest first. */
  long[] widths() {
    long[] widths = new long[count()];
    int place = 0;
    for (int level = levels() - 1; level >= 0; level--) {
      for (int i = of(level); i > 0; i--) {
        widths[place++] = 1L << level;
      }
    }
    return widths;
  }

  /** How many levels lose two bins to the next one when the last of these windows comes. */
  int merging() {
    int levels = 0;
    long ever = windows;
    long before = windows - 1;
    while (pairs(ever) > pairs(before)) {
      ever = pairs(ever);
      before = pairs(before);
      levels++;
    }
    return levels;
  }

  /**
   * The place of the first bin of a level, counted from the oldest of all.
   *
   * @param level from 0
   */
  int first(int level) {
    int place = 0;
    for (int l = levels() - 1; l > level; l--) {
      place += of(l);
    }
    return place;
  }
}
