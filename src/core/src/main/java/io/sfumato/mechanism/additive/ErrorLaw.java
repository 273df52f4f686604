// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import io.sfumato.accounting.Bisection;
import java.util.function.DoublePredicate;

/**
 * How far independent noises, all of one law, may be off: what error bars are made of. In steps of
 * the grid that they lie on.
 */
public interface ErrorLaw {
  /** Standard deviation of one, in steps. */
  double deviation();

  /**
   * How often a weighted sum of independent noises is further than this from 0: never below the
   * truth. Found with the continuous laws: discrete noise X has {@code P(X >= k + 1) <= P(Y >= k)
   * <= P(X >= k)}, so that it can be drawn within one step of continuous noise Y, and a step more
   * is allowed for each.
   *
   * @param x in steps, at least 0
   * @param weights any finite ones; one a noise
   */
  double tail(double x, double... weights);

  /**
   * The distance from 0 within which a weighted sum of independent noises lies, in steps; 0 where
   * no weight is other than 0.
   *
   * @param confidence how often, in (0, 1): 0.95 for the 97.5% quantile
   * @param weights any finite ones; one a noise
   */
  default double halfWidth(double confidence, double... weights) {
    double reach = GridNoise.wholeSteps(weights);
    if (reach == 0) {
      return 0;
    }
    return HalfWidths.of(
        this,
        confidence,
        weights,
        () -> {
          DoublePredicate tooNarrow = x -> tail(x, weights) > 1 - confidence;
          return Bisection.doubling(reach * deviation(), Double.MAX_VALUE, tooNarrow)
              .orElseThrow()
              .narrowed(1e-9, tooNarrow)
              .high();
        });
  }
}
