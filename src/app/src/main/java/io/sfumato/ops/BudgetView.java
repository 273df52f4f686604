// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.topology.context.SpentShares;
import java.util.Optional;

/**
 * What others may see of budgets: steps so coarse that nobody's exact rest can be read off, not
 * even that of the only subject. What is not counted yet is not a number.
 */
final class BudgetView {
  private static final int TENTHS = 10;
  private static final int HUNDREDTHS = 100;

  /** From this number of subjects on one of them is at most a tenth of a hundredth. */
  private static final int MANY = 1_000;

  private final Optional<SpentShares> spent;

  private BudgetView(Optional<SpentShares> spent) {
    this.spent = spent;
  }

  /**
   * @param spent null if it is not known yet
   */
  static BudgetView of(SpentShares spent) {
    return new BudgetView(Optional.ofNullable(spent));
  }

  /** Whether it is known that nobody has spent anything. */
  boolean isEmpty() {
    return spent.isPresent() && spent.get().subjects() == 0;
  }

  /** Part of the subjects that have spent at least {@code part}, in tenths, of many hundredths. */
  double atLeast(double part) {
    return spent
        .map(s -> coarse(s.atLeast(part), s.subjects() < MANY ? TENTHS : HUNDREDTHS))
        .orElse(Double.NaN);
  }

  /** Rounded up, so that the first one that is exhausted shows; but 1 means all. */
  private static double coarse(double ratio, int steps) {
    double up = Math.max(0, Math.ceil(ratio * steps - 1e-9));
    return ratio == 1 ? 1 : Math.min(steps - 1, up) / steps;
  }

  /** Releases that half of the subjects have left at most: 0, 1, 2, 5, 10, 20, 50, ... */
  double left(PlannedRelease release) {
    return spent
        .map(s -> (1 - s.median()) * release.share().affords(release.charge()))
        .map(BudgetView::oneTwoFive)
        .orElse(Double.NaN);
  }

  private static double oneTwoFive(double value) {
    if (value < 1) {
      return 0;
    }
    double power = Math.pow(10, Math.floor(Math.log10(value)));
    double digit = value / power;
    return power * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
  }
}
