// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

import io.sfumato.accounting.Epsilon;

/**
 * The noise of sparse-vector ABC (published ABCDP, Entropy 2021): the threshold gets Laplace(b),
 * each distance Laplace(2b); it stops after c acceptances. Purely epsilon-private whatever the
 * number of candidates.
 */
public final class SparseVectorPlan {
  private SparseVectorPlan() {}

  /** Whether the threshold is drawn anew after each acceptance. */
  public enum Threshold {
    /** b = 2 c D / eps. */
    REDRAWN("redrawn"),
    /** b = (c + 1) D / eps: tight. */
    KEPT("kept");

    private final String word;

    Threshold(String word) {
      this.word = word;
    }

    /** As charges have it: it never changes. */
    public String word() {
      return word;
    }
  }

  /**
   * Scale b.
   *
   * @param acceptances c, at least 1
   * @param sensitivity D, above 0
   * @throws IllegalArgumentException if c is below 1, or D is not above 0 or infinite
   */
  public static double scale(
      Epsilon epsilon, long acceptances, double sensitivity, Threshold threshold) {
    if (acceptances < 1) {
      throw new IllegalArgumentException("at least 1 acceptance is planned, was " + acceptances);
    }
    if (!(sensitivity > 0) || sensitivity == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("sensitivity must be above 0, was " + sensitivity);
    }
    double factor = threshold == Threshold.REDRAWN ? 2.0 * acceptances : acceptances + 1.0;
    return Math.nextUp(factor * sensitivity / epsilon.roundedDown());
  }
}
