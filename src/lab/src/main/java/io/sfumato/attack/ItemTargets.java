// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

import static io.sfumato.attack.CountTargets.EPSILON;

import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.mollifier.BoostedItems;
import io.sfumato.mechanism.mollifier.Boosting;
import io.sfumato.mechanism.mollifier.CellItems;
import io.sfumato.mechanism.mollifier.DrawnItem;
import io.sfumato.mechanism.mollifier.FiniteItems;
import io.sfumato.mechanism.mollifier.FiniteSampler;
import io.sfumato.mechanism.mollifier.ItemData;
import io.sfumato.mechanism.mollifier.ItemMechanism;
import io.sfumato.mechanism.mollifier.LikelihoodRatioBand;
import io.sfumato.mechanism.mollifier.NumericReference;
import io.sfumato.mechanism.mollifier.Point;
import io.sfumato.mechanism.mollifier.PooledItems;
import io.sfumato.mechanism.mollifier.RatioEstimator;
import io.sfumato.mechanism.mollifier.Reference;
import io.sfumato.mechanism.mollifier.WeakLearner;
import io.sfumato.mechanism.mollifier.WeightedPoints;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/** Synthetic items: one of any two datasets is attacked by the item. */
public final class ItemTargets {
  private static final int CATEGORIES = 10;
  private static final int POOL = 20;
  private static final int ROUNDS = 12;

  /** A part of the reference so small that a density hardly changes elsewhere. */
  private static final double NICHE = 0.01;

  private static final String ANY = "any two datasets";
  private static final AttackTarget.Promise PURE = AttackTarget.Promise.of(1, 0);

  private ItemTargets() {}

  /** All of them. */
  public static List<AttackTarget> all() {
    double[] even = new double[CATEGORIES];
    Arrays.fill(even, 1.0 / CATEGORIES);
    return List.of(
        finite("mollifier, finite", LikelihoodRatioBand.mollifier(EPSILON), even),
        finite("mollifier, clipped", LikelihoodRatioBand.clipped(EPSILON, CATEGORIES), even),
        cells(),
        pooled(),
        boosted(boosting(new Eager(NICHE))));
  }

  /** Over categories: all in one, or all in the others. */
  public static AttackTarget finite(String name, LikelihoodRatioBand band, double[] reference) {
    FiniteItems items = new FiniteItems(name, new FiniteSampler(name, band, reference));
    long[] one = new long[CATEGORIES];
    one[0] = 5;
    long[] others = new long[CATEGORIES];
    Arrays.fill(others, 5);
    others[0] = 0;
    return items(name, items, data(one), data(others), Point::category);
  }

  private static ItemData data(long[] counts) {
    return new ItemData(Optional.of(new Histogram(counts)), List.of());
  }

  private static AttackTarget items(
      String name,
      ItemMechanism items,
      ItemData first,
      ItemData second,
      ToIntFunction<Point> cell) {
    double[] p = items.probabilities(first).orElseThrow();
    double[] q = items.probabilities(second).orElseThrow();
    List<Events.Atom> atoms = new ArrayList<>();
    for (int i = 0; i < p.length; i++) {
      atoms.add(new Events.Atom(p[i], q[i]));
    }
    OutputDistribution<DrawnItem> ofFirst = items.distribution(first);
    OutputDistribution<DrawnItem> ofSecond = items.distribution(second);
    return new AttackTarget(
        name,
        ANY,
        PURE,
        PrivacyClaim.of(items.charge()),
        Optional.of(() -> Events.of(atoms)),
        Optional.of(
            new AttackTarget.Draws(
                random -> score(p, q, cell.applyAsInt(ofFirst.draw(random).point())),
                random -> score(p, q, cell.applyAsInt(ofSecond.draw(random).point())))),
        Optional.empty(),
        "");
  }

  private static double score(double[] p, double[] q, int cell) {
    return StrictMath.log(p[cell] / q[cell]);
  }

  /** The unit interval. */
  private static Reference reference() {
    return new Reference(
        new double[] {1},
        Optional.of(new NumericReference.Uniform(new double[] {0}, new double[] {1})));
  }

  /** All weight on the pool's first point, or on all others, as the dataset has it or not. */
  private record OnePoint(List<Point> pool) implements RatioEstimator {
    @Override
    public double[] scores(List<Point> dataset) {
      boolean has = dataset.contains(pool.get(0));
      double[] scores = new double[pool.size()];
      Arrays.fill(scores, has ? 0 : 1);
      scores[0] = has ? 1 : 0;
      return scores;
    }

    @Override
    public String text() {
      return "one point";
    }
  }

  /** Over cells of the unit interval: all in the first one, or all in the others. */
  private static AttackTarget cells() {
    double[] even = new double[CATEGORIES];
    Arrays.fill(even, 1.0 / CATEGORIES);
    CellItems items =
        new CellItems(
            new NumericReference.Uniform(new double[] {0}, new double[] {1}),
            CATEGORIES,
            0,
            new FiniteSampler("clipped", LikelihoodRatioBand.clipped(EPSILON, CATEGORIES), even));
    List<Point> centres =
        IntStream.range(0, CATEGORIES)
            .mapToObj(cell -> new Point(0, new double[] {(cell + 0.5) / CATEGORIES}))
            .toList();
    return items(
        "mollifier, clipped, in cells",
        items,
        new ItemData(Optional.empty(), Collections.nCopies(5, centres.get(0))),
        new ItemData(Optional.empty(), centres.subList(1, CATEGORIES)),
        point -> (int) (point.numbers()[0] * CATEGORIES));
  }

  private static AttackTarget pooled() {
    Reference reference = reference();
    List<Point> pool = Boosting.pool(reference, POOL);
    PooledItems items =
        PooledItems.of(
            "mollifier",
            LikelihoodRatioBand.mollifier(EPSILON),
            reference,
            pool,
            new OnePoint(pool));
    return items(
        "mollifier, projection",
        items,
        new ItemData(Optional.empty(), List.of(pool.get(0))),
        new ItemData(Optional.empty(), List.of(pool.get(1))),
        pool::indexOf);
  }

  /**
   * A learner that says as much as it may, and far more: above all for a niche where the dataset
   * has its first point there, and against it where it has not.
   *
   * @param niche its end, from 0
   */
  public record Eager(double niche) implements WeakLearner {
    @Override
    public Classifier learn(WeightedPoints dataset, WeightedPoints current) {
      boolean within = dataset.points().get(0).numbers()[0] < niche;
      return x -> x.numbers()[0] < niche == within ? 1e9 : -1e9;
    }

    @Override
    public String text() {
      return "eager";
    }
  }

  /** With any learner. */
  public static Boosting boosting(WeakLearner learner) {
    return Boosting.of(EPSILON, ROUNDS, learner, reference(), POOL);
  }

  /** By datasets within the niche and without. */
  public static AttackTarget boosted(Boosting boosting) {
    Point in = new Point(0, new double[] {NICHE / 2});
    Point out = new Point(0, new double[] {1 - NICHE / 2});
    ItemData first = new ItemData(Optional.empty(), List.of(in));
    ItemData second = new ItemData(Optional.empty(), List.of(out));
    BoostedItems items = new BoostedItems(boosting);
    OutputDistribution<DrawnItem> ofFirst = items.distribution(first);
    OutputDistribution<DrawnItem> ofSecond = items.distribution(second);
    return new AttackTarget(
        "mollifier, boosted",
        ANY,
        PURE,
        PrivacyClaim.of(items.charge()),
        Optional.of(
            () -> {
              double p = inNiche(boosting, first, in, out);
              double q = inNiche(boosting, second, in, out);
              return Events.of(List.of(new Events.Atom(p, q), new Events.Atom(1 - p, 1 - q)));
            }),
        Optional.of(
            new AttackTarget.Draws(
                random -> ofFirst.draw(random).point().numbers()[0] < NICHE ? 1 : 0,
                random -> ofSecond.draw(random).point().numbers()[0] < NICHE ? 1 : 0)),
        Optional.empty(),
        "");
  }

  /** Chance of the niche: the density has two values, there and elsewhere. */
  private static double inNiche(Boosting boosting, ItemData data, Point in, Point out) {
    var density = boosting.fit(data.points()).density();
    double there = NICHE * StrictMath.exp(density.exponent(in));
    double elsewhere = (1 - NICHE) * StrictMath.exp(density.exponent(out));
    return there / (there + elsewhere);
  }
}
