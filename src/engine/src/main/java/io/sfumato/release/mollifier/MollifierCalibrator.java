// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mollifier;

import io.sfumato.accounting.Bisection;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PldAccountant.Precision;
import io.sfumato.accounting.PrivacyFilter;
import io.sfumato.accounting.PrivacyProfile;
import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.ComposedBudget;
import io.sfumato.estimate.mollifier.PlannedItems;
import io.sfumato.mechanism.mollifier.ItemMechanism;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Optional;

/** From the items of the file to their sampler: an equal part of the share for each. */
public final class MollifierCalibrator {
  private static final MathContext DOWN = new MathContext(12, RoundingMode.FLOOR);
  private static final BigDecimal A_LITTLE_LESS = new BigDecimal("0.9999");

  private MollifierCalibrator() {}

  /**
   * Plans.
   *
   * @throws IllegalArgumentException if the sampler cannot be made
   */
  public static PlannedMollifier plan(MollifierSpec spec) {
    long items = Math.multiplyExact(spec.horizon(), (long) spec.items());
    Optional<PlannedItems> publicPlan =
        spec.reference().numbers().map(n -> new PlannedItems(spec.reference(), spec.planSize()));
    Epsilon epsilon = perItem(spec, items);
    ItemMechanism mechanism =
        spec.sampler() instanceof Sampler.Best
            ? Samplers.ranked(spec.reference(), epsilon, publicPlan.orElseThrow()).get(0)
            : Samplers.mechanism(spec.sampler(), spec.reference(), epsilon);
    PrivacyFilter filter =
        new PrivacyFilter.FixedCountFilter(mechanism.charge().mechanism(), items);
    return new PlannedMollifier(
        spec, new Calibrated<>(spec.share().counted(filter), mechanism), publicPlan);
  }

  /** Pure losses add up; over many items their composed distribution allows more. */
  private static Epsilon perItem(MollifierSpec spec, long items) {
    BigDecimal whole = spec.share().epsilon().value();
    Epsilon basic = new Epsilon(whole.divide(BigDecimal.valueOf(items), DOWN));
    if (items == 1 || spec.share().delta().value().signum() == 0) {
      return basic;
    }
    ComposedBudget budget =
        new ComposedBudget(
            spec.share().epsilon().roundedDown(), spec.share().delta().roundedDown(), items);
    double most =
        new Bisection(basic.roundedDown(), spec.share().epsilon().roundedDown())
            .narrowed(1e-4, item -> budget.covers(PrivacyProfile.pure(item), Precision.FINE))
            .low();
    // What is returned has passed the test itself, as the double that its sampler will see.
    Epsilon composed = new Epsilon(new BigDecimal(most).round(DOWN));
    while (composed.compareTo(basic) > 0 && !covers(budget, composed)) {
      composed = new Epsilon(composed.value().multiply(A_LITTLE_LESS, DOWN));
    }
    return composed.compareTo(basic) > 0 ? composed : basic;
  }

  private static boolean covers(ComposedBudget budget, Epsilon item) {
    return budget.covers(PrivacyProfile.pure(item.roundedDown()), Precision.FINE);
  }
}
