// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

/** Which distance a query measures: what candidates must hold, and how far one record moves it. */
public enum Measure {
  /** MMD by random Fourier features of numbers. */
  FEATURES(Distances.MMD_BOUND),
  /** MMD of categories: Euclidean distance of shares. */
  CATEGORIES(Distances.CATEGORIES_BOUND);

  private final double bound;

  Measure(double bound) {
    this.bound = bound;
  }

  /** The largest distance, B. */
  public double bound() {
    return bound;
  }

  /**
   * The sensitivity D when one of N records is replaced.
   *
   * @param records N, at least 1; public
   */
  public double sensitivity(long records) {
    return switch (this) {
      case FEATURES -> Distances.mmdSensitivity(records);
      case CATEGORIES -> Distances.categoriesSensitivity(records);
    };
  }
}
