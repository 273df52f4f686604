// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.estimate.mollifier.LogisticFourier;
import io.sfumato.estimate.mollifier.TanhNetwork;
import io.sfumato.mechanism.mollifier.BoostedDensity;
import io.sfumato.mechanism.mollifier.Boosting;
import io.sfumato.mechanism.mollifier.Point;
import io.sfumato.mechanism.mollifier.Reference;
import io.sfumato.mechanism.mollifier.WeakLearner;
import io.sfumato.random.KeyedRandom;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Algorithm 1.
 *
 * @param name in tables
 * @param reference Q0
 * @param rounds T
 * @param pool points that stand for Q0, the same for every dataset
 * @param thinning of a dataset
 * @param learner that has seen the pool
 */
record Mbde(
    String name,
    Reference reference,
    int rounds,
    List<Point> pool,
    UnaryOperator<List<Point>> thinning,
    Function<List<Point>, WeakLearner> learner)
    implements DensityEstimator {
  /** The papers' settings. */
  static final int ROUNDS = 3;

  private static final int EPOCHS = 750;
  private static final double STEP = 0.01;

  /** On a line the quantiles of a dataset say as much: so many, in batches of half as many. */
  private static final int QUANTILES = 500;

  private static final int QUANTILES_OF = 100_000;

  /** Ours: later rounds are free, and use what the first leave of the band. */
  private static final int OUR_ROUNDS = 8;

  private static final double OUR_RIDGE = 1e-4;
  private static final int OUR_POOL = 4000;

  /**
   * The papers' network: three rounds, as many points of the reference as records, batches of half
   * as many.
   *
   * @param records of a dataset that it sees; 10,000 in the papers
   */
  static Mbde papers(String name, Reference reference, int records) {
    WeakLearner network = new FirstRoundOnce(new TanhNetwork(reference, EPOCHS, records / 2, STEP));
    return new Mbde(
        name,
        reference,
        ROUNDS,
        Boosting.pool(reference, records),
        dataset -> dataset.subList(0, Math.min(records, dataset.size())),
        pool -> network);
  }

  /**
   * The papers' network on a line, which sees 500 quantiles of the records and of the reference
   * instead of 10,000 of each: as many steps an epoch, twenty times as fast.
   */
  static Mbde papersOnLine(String name, Reference reference) {
    return papersOnLine(name, reference, networkOnLine(reference));
  }

  /** The same with the network of another contender. */
  static Mbde papersOnLine(String name, Reference reference, WeakLearner network) {
    return new Mbde(
        name, reference, ROUNDS, quantiles(reference), Mbde::quantiles, pool -> network);
  }

  /** The network for {@link #quantiles}. */
  static WeakLearner networkOnLine(Reference reference) {
    return new FirstRoundOnce(new TanhNetwork(reference, EPOCHS, QUANTILES / 2, STEP));
  }

  /** Logistic regression on random Fourier features, and more rounds. */
  static Mbde ours(String name, Reference reference, Features features) {
    return new Mbde(
        name,
        reference,
        OUR_ROUNDS,
        Boosting.pool(reference, OUR_POOL),
        UnaryOperator.identity(),
        pool -> logistic(reference, features, pool));
  }

  /** Ours on a line, which sees 500 quantiles of the records and of the reference. */
  static Mbde oursOnLine(String name, Reference reference, Features features) {
    return new Mbde(
        name,
        reference,
        OUR_ROUNDS,
        quantiles(reference),
        Mbde::quantiles,
        pool -> logistic(reference, features, pool));
  }

  private static WeakLearner logistic(Reference reference, Features features, List<Point> pool) {
    return new LogisticFourier(reference, features.count(), features.bandwidth(), OUR_RIDGE)
        .prepared(pool);
  }

  /**
   * Of our learner.
   *
   * @param count of random Fourier features
   * @param bandwidth of their kernel, in scales of the reference
   */
  record Features(int count, double bandwidth) {}

  @Override
  public Fitted fit(DensityTask task, double epsilon, KeyedRandom random) {
    return fit(task, epsilon, rounds);
  }

  /** With other rounds: the first ones do not hang on how many follow. */
  Fitted fit(DensityTask task, double epsilon, int made) {
    Boosting.Fit fit =
        new Boosting(Epsilons.of(epsilon), made, learner.apply(pool), reference, pool)
            .fit(thinning.apply(task.dataset()));
    BoostedDensity density = fit.density();
    return new Fitted(
        task.grid().probabilities(x -> reference.logDensity(x) + density.exponent(x)),
        fit.rounds(),
        "");
  }

  /** 500 quantiles of a reference on a line. */
  static List<Point> quantiles(Reference reference) {
    return quantiles(Boosting.pool(reference, QUANTILES_OF));
  }

  /** 500 quantiles of points on a line, or all points if they are fewer. */
  static List<Point> quantiles(List<Point> points) {
    if (points.size() <= QUANTILES) {
      return points;
    }
    double[] sorted = points.stream().mapToDouble(x -> x.numbers()[0]).sorted().toArray();
    return IntStream.range(0, QUANTILES)
        .mapToObj(
            i -> new Point(0, new double[] {sorted[(int) ((i + 0.5) * sorted.length / QUANTILES)]}))
        .toList();
  }
}
