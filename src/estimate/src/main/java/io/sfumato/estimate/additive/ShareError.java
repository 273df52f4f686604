// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.additive;

import io.sfumato.estimate.ShareErrorBars;
import io.sfumato.mechanism.additive.AdditiveNoise;

/**
 * The law of (1 - t) e - t R, with e the noise of one count and R the sum of the noises of d - 1
 * others: how far a count is from a share t of all counts.
 */
sealed interface ShareError {
  /** Standard deviation of a sum of all noises, in records, up to which laws are exact. */
  double MOST_EXACT = 256;

  /**
   * P[|(1 - t) e - t R| <= x for both ends t of a piece], and so for all t between them: it is
   * linear in t. Never above the truth.
   */
  double atMost(double x, double from, double to);

  static ShareError of(AdditiveNoise noise, int categories) {
    if (noise.deviation() * Math.sqrt(categories) > MOST_EXACT) {
      return new Continuous(ShareErrorBars.of(noise), categories);
    }
    WholeLaw one = WholeLaw.of(noise);
    return new Exact(one, one.summed(categories - 1));
  }

  /**
   * Of whole numbers.
   *
   * @param one law of e
   * @param others law of R
   */
  record Exact(WholeLaw one, WholeLaw others) implements ShareError {
    @Override
    public double atMost(double x, double from, double to) {
      double inside = 0;
      for (int e = one.least(); e <= -one.least(); e++) {
        double low = Math.max(low(x, from, e), low(x, to, e));
        double high = Math.min(-low(x, from, -e), -low(x, to, -e));
        if (low <= high) {
          inside += one.at(e) * others.between(low, high);
        }
      }
      return inside;
    }

    /** The least R with (1 - t) e - t R <= x. */
    private static double low(double x, double t, int e) {
      double rest = (1 - t) * e - x;
      return t == 0 ? rest > 0 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY : rest / t;
    }
  }

  /**
   * Of noise that is far wider than one record. The sum of d - 1 noises beside one has a law whose
   * 95% quantile is at most that of one such noise with the same variance; half a record covers the
   * steps of whole numbers.
   *
   * @param half 95% quantile of |e|
   */
  record Continuous(double half, int categories) implements ShareError {
    @Override
    public double atMost(double x, double from, double to) {
      double wide = half * Math.max(spread(from), spread(to)) + 0.5;
      return x >= wide ? 1 : 0;
    }

    private double spread(double t) {
      return Math.sqrt((1 - t) * (1 - t) + (categories - 1.0) * t * t);
    }
  }
}
