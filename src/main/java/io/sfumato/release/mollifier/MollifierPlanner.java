// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mollifier;

import io.sfumato.accounting.Composition.Precision;
import io.sfumato.accounting.Counting;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyProfile;
import io.sfumato.accounting.Share;
import io.sfumato.mechanism.ComposedBudget;
import io.sfumato.mechanism.mollifier.Band;
import io.sfumato.mechanism.mollifier.BoostedItems;
import io.sfumato.mechanism.mollifier.Boosting;
import io.sfumato.mechanism.mollifier.CellItems;
import io.sfumato.mechanism.mollifier.FiniteItems;
import io.sfumato.mechanism.mollifier.FiniteSampler;
import io.sfumato.mechanism.mollifier.ItemSampler;
import io.sfumato.mechanism.mollifier.LogisticFourier;
import io.sfumato.mechanism.mollifier.NumericReference.Uniform;
import io.sfumato.mechanism.mollifier.Point;
import io.sfumato.mechanism.mollifier.Reference;
import io.sfumato.mechanism.mollifier.Stumps;
import io.sfumato.mechanism.mollifier.TanhNetwork;
import io.sfumato.mechanism.mollifier.WeakLearner;
import io.sfumato.release.mollifier.MollifierSpec.Learner;
import io.sfumato.release.mollifier.MollifierSpec.Sampler;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.List;

/** From the items of the file to their sampler: an equal part of the share for each. */
public final class MollifierPlanner {
  private static final MathContext DOWN = new MathContext(12, RoundingMode.FLOOR);
  private static final BigDecimal A_LITTLE_LESS = new BigDecimal("0.9999");
  private static final int FOURIER_FEATURES = 32;
  private static final double BANDWIDTH = 0.7;
  private static final double RIDGE = 1e-3;
  private static final int EPOCHS = 100;
  private static final int BATCH = 128;
  private static final double STEP = 0.05;

  private MollifierPlanner() {}

  /**
   * Plans.
   *
   * @throws IllegalArgumentException if the sampler cannot be made
   */
  public static PlannedItems plan(MollifierSpec spec) {
    long items = Math.multiplyExact(spec.horizon(), (long) spec.items());
    ItemSampler sampler = sampler(spec, perItem(spec, items));
    Counting counting = new Counting.AtMost(sampler.charge().mechanism(), items);
    Share share =
        new Share(spec.share().ledger(), spec.share().epsilon(), spec.share().delta(), counting);
    return new PlannedItems(spec, share, sampler);
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
    double low = basic.roundedDown();
    double high = spec.share().epsilon().roundedDown();
    while (high - low > 1e-4 * high) {
      double middle = (low + high) / 2;
      if (budget.covers(PrivacyProfile.pure(middle), Precision.FINE)) {
        low = middle;
      } else {
        high = middle;
      }
    }
    // What is returned has passed the test itself, as the double that its sampler will see.
    Epsilon composed = new Epsilon(new BigDecimal(low).round(DOWN));
    while (composed.compareTo(basic) > 0 && !covers(budget, composed)) {
      composed = new Epsilon(composed.value().multiply(A_LITTLE_LESS, DOWN));
    }
    return composed.compareTo(basic) > 0 ? composed : basic;
  }

  private static boolean covers(ComposedBudget budget, Epsilon item) {
    return budget.covers(PrivacyProfile.pure(item.roundedDown()), Precision.FINE);
  }

  private static ItemSampler sampler(MollifierSpec spec, Epsilon epsilon) {
    Reference reference = spec.reference();
    if (spec.sampler() instanceof Sampler.Boosted boosted) {
      List<Point> pool = Boosting.pool(reference, boosted.pool());
      WeakLearner learner = learner(boosted.learner(), reference, pool);
      return new BoostedItems(new Boosting(epsilon, boosted.rounds(), learner, reference, pool));
    }
    if (spec.sampler() instanceof Sampler.Clipped clipped && reference.numbers().isPresent()) {
      Uniform box = (Uniform) reference.numbers().get();
      int categories = reference.categories();
      double[] cells =
          new double[(int) CellItems.cells(box.dimensions(), clipped.bins(), categories)];
      Arrays.fill(cells, 1.0 / cells.length);
      Band band = Band.clipped(epsilon, cells.length);
      return new CellItems(
          box, clipped.bins(), categories, new FiniteSampler("clipped", band, cells));
    }
    double[] shares = reference.shares();
    if (spec.sampler() instanceof Sampler.Clipped) {
      double largest = 1 / Arrays.stream(shares).min().orElseThrow();
      return new FiniteItems(
          "clipped", new FiniteSampler("clipped", Band.clipped(epsilon, largest), shares));
    }
    return new FiniteItems(
        "mollifier", new FiniteSampler("mollifier", Band.mollifier(epsilon), shares));
  }

  private static WeakLearner learner(Learner learner, Reference reference, List<Point> pool) {
    return switch (learner) {
      case LOGISTIC ->
          new LogisticFourier(reference, FOURIER_FEATURES, BANDWIDTH, RIDGE).prepared(pool);
      case STUMPS -> new Stumps(reference);
      case NETWORK -> new TanhNetwork(reference, EPOCHS, BATCH, STEP);
    };
  }
}
