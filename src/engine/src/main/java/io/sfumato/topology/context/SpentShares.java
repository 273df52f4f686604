// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.context;

import java.util.Arrays;

/**
 * How many subjects have spent how much of a share, in steps of a twentieth: never whose.
 * Immutable.
 */
public final class SpentShares {
  /** Twentieths; the last place is for those with nothing left. */
  private static final int STEPS = 20;

  /** Nobody has spent anything. */
  public static final SpentShares NONE = new SpentShares(places());

  private final long[] counts;

  /**
   * @param counts subjects by {@link #placeOf place}; copied
   */
  public SpentShares(long[] counts) {
    this.counts = counts.clone();
  }

  /** Those of subjects that have spent these parts, 0 to 1. */
  public static SpentShares ofSubjects(double[] spent) {
    long[] counts = places();
    for (double part : spent) {
      counts[placeOf(part)]++;
    }
    return new SpentShares(counts);
  }

  /** Room for counts, all 0. */
  public static long[] places() {
    return new long[STEPS + 1];
  }

  /** Where a subject is counted that has spent this part, 0 to 1. */
  public static int placeOf(double spent) {
    return (int) (Math.min(1, spent) * STEPS);
  }

  /** Those of two groups of subjects together. */
  public SpentShares plus(SpentShares other) {
    long[] sum = places();
    Arrays.setAll(sum, i -> counts[i] + other.counts[i]);
    return new SpentShares(sum);
  }

  /** Subjects that have spent anything. */
  public long subjects() {
    return Arrays.stream(counts).sum();
  }

  /**
   * Part of the subjects that have spent at least {@code part}; 0 if there are none.
   *
   * @param part a multiple of 1/20, 0 to 1
   */
  public double atLeast(double part) {
    int from = (int) Math.round(part * STEPS);
    return (double) Arrays.stream(counts, from, counts.length).sum() / Math.max(1, subjects());
  }

  /** What half of the subjects have spent at least, rounded down to a twentieth. */
  public double median() {
    for (int place = STEPS; place > 0; place--) {
      if (2 * Arrays.stream(counts, place, counts.length).sum() >= Math.max(1, subjects())) {
        return (double) place / STEPS;
      }
    }
    return 0;
  }
}
