// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.accounting.Epsilon;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.mollifier.Band;
import io.sfumato.mechanism.mollifier.BoostedDensity;
import io.sfumato.mechanism.mollifier.Boosting;
import io.sfumato.mechanism.mollifier.FiniteSampler;
import io.sfumato.mechanism.mollifier.LogisticFourier;
import io.sfumato.mechanism.mollifier.Point;
import io.sfumato.mechanism.mollifier.Reference;
import io.sfumato.mechanism.mollifier.TanhNetwork;
import java.math.BigDecimal;
import java.util.List;

/** Private densities of one dataset, on one grid. */
final class DensityContenders {
  static final List<String> NAMES =
      List.of("MBDE, the papers'", "MBDE, ours", "clipped", "Bernstein");

  /** The papers' settings. */
  private static final int ROUNDS = 3;

  private static final int EPOCHS = 750;
  private static final int BATCH = 5000;
  private static final double STEP = 0.01;

  /** Ours: later rounds are free, and use what the first leave of the band. */
  private static final int OUR_ROUNDS = 8;

  private static final double OUR_RIDGE = 1e-4;
  private static final int OUR_POOL = 4000;

  private final DensityGrid grid;
  private final Reference reference;
  private final double[] base;
  private final double largest;
  private final Features features;

  /**
   * Of our learner.
   *
   * @param count of random Fourier features
   * @param bandwidth of their kernel, in scales of the reference
   */
  record Features(int count, double bandwidth) {}

  /**
   * @param largest public guess of how many times the reference a private density may be, for the
   *     clipped sampler
   */
  DensityContenders(DensityGrid grid, Reference reference, double largest, Features features) {
    this.grid = grid;
    this.reference = reference;
    this.base = grid.probabilities(reference::logDensity);
    this.largest = largest;
    this.features = features;
  }

  /** Probabilities of the reference. */
  double[] base() {
    return base;
  }

  /**
   * A fitted density.
   *
   * @param probabilities of the grid's cells
   * @param rounds of boosting; none where nothing is learned
   */
  record Fitted(double[] probabilities, List<Boosting.Round> rounds) {}

  /** Algorithm 1 with the papers' network, 10,000 samples of each. */
  Fitted papers(List<Point> dataset, double epsilon) {
    TanhNetwork network = new TanhNetwork(reference, EPOCHS, BATCH, STEP);
    return fitted(
        Boosting.of(epsilonOf(epsilon), ROUNDS, network, reference, dataset.size()).fit(dataset));
  }

  /** Algorithm 1 with logistic regression on random Fourier features, and more rounds. */
  Fitted ours(List<Point> dataset, double epsilon) {
    List<Point> pool = Boosting.pool(reference, OUR_POOL);
    LogisticFourier learner =
        new LogisticFourier(reference, features.count(), features.bandwidth(), OUR_RIDGE)
            .prepared(pool);
    return fitted(
        new Boosting(epsilonOf(epsilon), OUR_ROUNDS, learner, reference, pool).fit(dataset));
  }

  private Fitted fitted(Boosting.Fit fit) {
    BoostedDensity density = fit.density();
    return new Fitted(
        grid.probabilities(x -> reference.logDensity(x) + density.exponent(x)), fit.rounds());
  }

  /** The minimax sampler over coarse cells, each filled like the reference. */
  Fitted clipped(List<Point> dataset, double epsilon, int coarse) {
    int factor = grid.cells() / coarse;
    int blocks = grid.dimensions() == 1 ? coarse : coarse * coarse;
    double[] shares = new double[blocks];
    for (int i = 0; i < base.length; i++) {
      shares[block(i, factor, coarse)] += base[i];
    }
    for (int i = 0; i < blocks; i++) {
      shares[i] = Math.max(shares[i], 1e-9);
    }
    double[] normalised = DensityGrid.normalised(shares);
    long[] counts = new long[blocks];
    for (Point point : dataset) {
      counts[block(cell(point), factor, coarse)]++;
    }
    FiniteSampler sampler =
        new FiniteSampler("clipped", Band.clipped(epsilonOf(epsilon), largest), normalised);
    long[] weights = sampler.weights(new Histogram(counts));
    double[] q = new double[base.length];
    for (int i = 0; i < q.length; i++) {
      int block = block(i, factor, coarse);
      q[i] = weights[block] * base[i] / normalised[block];
    }
    return new Fitted(DensityGrid.normalised(q), List.of());
  }

  private int block(int cell, int factor, int coarse) {
    return grid.dimensions() == 1
        ? cell / factor
        : cell / grid.cells() / factor * coarse + cell % grid.cells() / factor;
  }

  private int cell(Point point) {
    int cell = 0;
    for (double x : point.numbers()) {
      double place = (x - grid.low()) / grid.width();
      cell = cell * grid.cells() + (int) Math.max(0, Math.min(grid.cells() - 1.0, place));
    }
    return cell;
  }

  private static Epsilon epsilonOf(double epsilon) {
    return new Epsilon(BigDecimal.valueOf(epsilon));
  }
}
