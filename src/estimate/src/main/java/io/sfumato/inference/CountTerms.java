// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.inference;

import static org.apache.commons.math3.special.Gamma.logGamma;

import io.sfumato.estimate.HistogramDensity.Product;
import java.util.OptionalLong;

/** One category's terms g(f) / f! of a {@link CountIntegral}. Immutable. */
final class CountTerms {
  /** Terms of all categories that are remembered. */
  private static final int MOST_KEPT = 1 << 22;

  private static final double[] NONE = {};

  private final Product factors;
  private final int category;
  private final double[] kept;
  private final double[] rises;

  /**
   * @param records N: counts go up to it
   */
  CountTerms(Product factors, int category, int records, int categories) {
    this.factors = factors;
    this.category = category;
    boolean few = categories * (records + 1L) <= MOST_KEPT;
    this.kept = few ? new double[records + 1] : NONE;
    for (int f = 0; f < kept.length; f++) {
      kept[f] = found(f);
    }
    this.rises = few ? risesOf(kept) : NONE;
  }

  private static double[] risesOf(double[] kept) {
    double[] rises = new double[kept.length - 1];
    for (int f = 0; f < rises.length; f++) {
      rises[f] = Math.exp(kept[f + 1] - kept[f]);
      if (!(rises[f] > Double.MIN_NORMAL && rises[f] < Double.MAX_VALUE)) {
        return NONE;
      }
    }
    return rises;
  }

  private double found(long f) {
    return factors.log(category, f) - logGamma(f + 1.0);
  }

  /** Logarithm of a term. */
  double log(long f) {
    return f < kept.length ? kept[(int) f] : found(f);
  }

  /**
   * What each term is multiplied by to be the next; empty where that has no digits, or N is large.
   */
  double[] rises() {
    return rises;
  }

  /** How far from a count the nearest kink lies. */
  double kinkAway(long count) {
    OptionalLong kink = factors.kink(category);
    return kink.isPresent() ? Math.abs(kink.getAsLong() - count) : Double.POSITIVE_INFINITY;
  }
}
