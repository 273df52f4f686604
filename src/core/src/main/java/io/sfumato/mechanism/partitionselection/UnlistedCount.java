// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.partitionselection;

import io.sfumato.mechanism.additive.GridSensitivity;

/**
 * What is told beside names, and how far a user moves all of it
 * (docs/theory/partition-selection.md, Theorem M).
 */
public enum UnlistedCount {
  /** Nothing. */
  UNTOLD,
  /**
   * One count of all records whose names were not public: they were tested by name too, so that
   * each may move two counts. With C records of a user that is 2 C in L1; in L2 the counts of names
   * and all C at once in the other one.
   */
  COUNTED;

  /** Largest sum of absolute differences. */
  public long l1(NameBounds bounds) {
    return this == COUNTED ? 2L * bounds.counted() : bounds.counted();
  }

  /** Largest squared Euclidean distance. */
  public long squaredL2(NameBounds bounds) {
    long rest = this == COUNTED ? (long) bounds.counted() * bounds.counted() : 0;
    return bounds.squaredNorm() + rest;
  }

  /** How far a user moves all counts, which are whole. */
  public GridSensitivity sensitivity(NameBounds bounds) {
    GridSensitivity names = bounds.sensitivity();
    return this == UNTOLD
        ? names
        : new GridSensitivity(
            names.word() + " and the rest",
            names.unit(),
            1,
            l1(bounds),
            Math.nextUp(Math.sqrt(squaredL2(bounds))));
  }
}
