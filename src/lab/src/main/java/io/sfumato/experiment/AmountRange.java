// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

/**
 * Between which ends numbers may lie: public, and fixed before any data is seen.
 *
 * @param measure what numbers are measured in, for tables
 * @param low lower end, finite
 * @param high upper end, finite and above it
 */
record AmountRange(String measure, double low, double high) {
  AmountRange {
    if (!(low < high) || !Double.isFinite(high - low)) {
      throw new IllegalArgumentException(
          "a range is finite, its lower end first, was " + low + " to " + high);
    }
  }

  double width() {
    return high - low;
  }

  double middle() {
    return low * 0.5 + high * 0.5;
  }

  /** How far a number of the range may lie from 0. */
  double furthest() {
    return Math.max(Math.abs(low), Math.abs(high));
  }

  /** The nearest number of the range. */
  double clamp(double x) {
    return Math.max(low, Math.min(high, x));
  }

  /** The nearest possible variance of numbers of the range. */
  double clampVariance(double x) {
    return Math.max(0, Math.min(width() * width() / 4, x));
  }
}
