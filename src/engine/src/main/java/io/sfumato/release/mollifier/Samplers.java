// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mollifier;

import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.mollifier.KernelRatio;
import io.sfumato.estimate.mollifier.KnownScores;
import io.sfumato.estimate.mollifier.LogisticFourier;
import io.sfumato.estimate.mollifier.LogisticRatio;
import io.sfumato.estimate.mollifier.PlannedItems;
import io.sfumato.estimate.mollifier.Stumps;
import io.sfumato.estimate.mollifier.TanhNetwork;
import io.sfumato.mechanism.mollifier.BoostedItems;
import io.sfumato.mechanism.mollifier.Boosting;
import io.sfumato.mechanism.mollifier.CellItems;
import io.sfumato.mechanism.mollifier.FiniteItems;
import io.sfumato.mechanism.mollifier.FiniteSampler;
import io.sfumato.mechanism.mollifier.ItemMechanism;
import io.sfumato.mechanism.mollifier.LikelihoodRatioBand;
import io.sfumato.mechanism.mollifier.NumericReference.Uniform;
import io.sfumato.mechanism.mollifier.Point;
import io.sfumato.mechanism.mollifier.PooledItems;
import io.sfumato.mechanism.mollifier.RatioEstimator;
import io.sfumato.mechanism.mollifier.Reference;
import io.sfumato.mechanism.mollifier.WeakLearner;
import io.sfumato.release.mollifier.Sampler.BandRule;
import io.sfumato.release.mollifier.Sampler.Estimator;
import io.sfumato.release.mollifier.Sampler.Fourier;
import io.sfumato.release.mollifier.Sampler.Learner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** From the sampler of a file to its mechanism, for one item of an epsilon. */
final class Samplers {
  private static final int EPOCHS = 100;
  private static final int BATCH = 128;
  private static final double STEP = 0.05;

  /** Enough to tell which is better, in a second. */
  private static final int COMPARED_POOL = 1024;

  private static final double NOTHING_KNOWN = Double.POSITIVE_INFINITY;

  private Samplers() {}

  /**
   * Those that {@code best} chooses among, as far as they fit, by their error on a public plan.
   *
   * @return at least one
   * @throws IllegalArgumentException if none fits
   */
  static List<ItemMechanism> ranked(Reference reference, Epsilon epsilon, PlannedItems plan) {
    List<Point> pool = Boosting.pool(reference, UsualSettings.PROJECTION_POOL);
    Shared compared =
        new Shared(reference, epsilon, pool.subList(0, COMPARED_POOL), KnownScores::new);
    Shared made = new Shared(reference, epsilon, pool, UnaryOperator.identity());
    List<Ranked> ranked = new ArrayList<>();
    for (Sampler candidate : candidates()) {
      if (!LawCost.isQuick(candidate, reference)) {
        continue;
      }
      double error = compared.made(candidate).map(m -> error(plan, m)).orElse(NOTHING_KNOWN);
      made.made(candidate).ifPresent(mechanism -> ranked.add(new Ranked(mechanism, error)));
    }
    if (ranked.isEmpty()) {
      throw new IllegalArgumentException(
          "no sampler fits; lower epsilon, or name fewer numbers or categories");
    }
    // Of equal errors the first candidate stays the first.
    ranked.sort(Comparator.comparingDouble(Ranked::error));
    return ranked.stream().map(Ranked::mechanism).toList();
  }

  private record Ranked(ItemMechanism mechanism, double error) {}

  /**
   * Those that {@code best} chooses among, each with its usual settings. A live state looks for its
   * own among them: new ones come beside the old, and none goes.
   */
  private static List<Sampler> candidates() {
    List<Sampler> all = new ArrayList<>();
    for (Estimator estimator :
        List.of(new Estimator.Kernel(), new Estimator.Logistic(UsualSettings.STRONG))) {
      all.add(
          new Sampler.Projected(
              "projection", UsualSettings.PROJECTION_POOL, estimator, new BandRule.Mollifier()));
      all.add(
          new Sampler.Projected(
              "projection",
              UsualSettings.PROJECTION_POOL,
              estimator,
              new BandRule.Minimax(UsualSettings.LARGEST)));
    }
    all.add(
        new Sampler.Boosted(
            Learner.LOGISTIC, UsualSettings.WEAK, UsualSettings.ROUNDS, UsualSettings.WEAK_POOL));
    return all;
  }

  private static double error(PlannedItems plan, ItemMechanism mechanism) {
    return mechanism instanceof PooledItems pooled
        ? plan.error(pooled)
        : plan.error((BoostedItems) mechanism);
  }

  /** One pool for all, and an estimator for all bands. */
  private record Shared(
      Reference reference,
      Epsilon epsilon,
      List<Point> pool,
      UnaryOperator<RatioEstimator> as,
      Map<Estimator, RatioEstimator> estimators) {
    Shared(
        Reference reference, Epsilon epsilon, List<Point> pool, UnaryOperator<RatioEstimator> as) {
      this(reference, epsilon, pool, as, new HashMap<>());
    }

    /** Nothing where a band is too wide for whole numbers. */
    Optional<ItemMechanism> made(Sampler candidate) {
      try {
        if (candidate instanceof Sampler.Projected projected) {
          RatioEstimator estimator =
              estimators.computeIfAbsent(
                  projected.estimator(), e -> as.apply(estimator(e, reference, pool)));
          return Optional.of(pooled(projected, epsilon, reference, pool, estimator));
        }
        return Optional.of(mechanism(candidate, reference, epsilon));
      } catch (IllegalArgumentException e) {
        return Optional.empty();
      }
    }
  }

  /**
   * The mechanism of one item.
   *
   * @throws IllegalArgumentException if there is none: a category is too rare, say
   */
  static ItemMechanism mechanism(Sampler sampler, Reference reference, Epsilon epsilon) {
    if (sampler instanceof Sampler.Boosted boosted) {
      List<Point> pool = Boosting.pool(reference, boosted.pool());
      WeakLearner learner = learner(boosted, reference, pool);
      return new BoostedItems(new Boosting(epsilon, boosted.rounds(), learner, reference, pool));
    }
    if (sampler instanceof Sampler.Projected projected) {
      List<Point> pool = Boosting.pool(reference, projected.pool());
      RatioEstimator estimator = estimator(projected.estimator(), reference, pool);
      return pooled(projected, epsilon, reference, pool, estimator);
    }
    if (sampler instanceof Sampler.Clipped clipped && reference.numbers().isPresent()) {
      Uniform box = (Uniform) reference.numbers().get();
      int categories = reference.categories();
      double[] cells =
          new double[(int) CellItems.cells(box.dimensions(), clipped.bins(), categories)];
      Arrays.fill(cells, 1.0 / cells.length);
      LikelihoodRatioBand band = LikelihoodRatioBand.clipped(epsilon, cells.length);
      return new CellItems(
          box, clipped.bins(), categories, new FiniteSampler("clipped", band, cells));
    }
    double[] shares = reference.shares();
    if (sampler instanceof Sampler.Clipped) {
      double largest = 1 / Arrays.stream(shares).min().orElseThrow();
      return new FiniteItems(
          "clipped",
          new FiniteSampler("clipped", LikelihoodRatioBand.clipped(epsilon, largest), shares));
    }
    return new FiniteItems(
        "mollifier",
        new FiniteSampler("mollifier", LikelihoodRatioBand.mollifier(epsilon), shares));
  }

  private static PooledItems pooled(
      Sampler.Projected sampler,
      Epsilon epsilon,
      Reference reference,
      List<Point> pool,
      RatioEstimator estimator) {
    LikelihoodRatioBand band = band(sampler.band(), epsilon);
    return PooledItems.of(sampler.word(), band, reference, pool, estimator);
  }

  private static LikelihoodRatioBand band(BandRule rule, Epsilon epsilon) {
    return rule instanceof BandRule.Minimax minimax
        ? LikelihoodRatioBand.clipped(epsilon, minimax.largest())
        : LikelihoodRatioBand.mollifier(epsilon);
  }

  private static RatioEstimator estimator(
      Estimator estimator, Reference reference, List<Point> pool) {
    return estimator instanceof Estimator.Logistic logistic
        ? new LogisticRatio(logistic(logistic.fourier(), reference), pool)
        : new KernelRatio(reference, pool);
  }

  private static WeakLearner learner(
      Sampler.Boosted boosted, Reference reference, List<Point> pool) {
    return switch (boosted.learner()) {
      case LOGISTIC -> logistic(boosted.fourier(), reference).prepared(pool);
      case STUMPS -> new Stumps(reference);
      case NETWORK -> new TanhNetwork(reference, EPOCHS, BATCH, STEP);
    };
  }

  private static LogisticFourier logistic(Fourier fourier, Reference reference) {
    return new LogisticFourier(reference, fourier.features(), fourier.bandwidth(), fourier.ridge());
  }
}
