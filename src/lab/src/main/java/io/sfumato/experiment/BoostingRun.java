// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.mechanism.mollifier.Boosting;
import io.sfumato.mechanism.mollifier.Point;
import io.sfumato.mechanism.mollifier.WeakLearner;
import io.sfumato.mechanism.mollifier.WeakLearner.Classifier;
import io.sfumato.mechanism.mollifier.WeightedPoints;
import java.util.ArrayList;
import java.util.List;

/**
 * One fit of Algorithm 1, round by round, against the true density: constants and divergences are
 * sums over the grid, not estimates from records.
 *
 * @param truth P on the grid
 * @param densities Q_0 ... Q_T on the grid
 * @param rounds what the papers' theorems know of each round
 */
record BoostingRun(double[] truth, List<double[]> densities, List<BoostingBounds> rounds) {
  /** Keeps what a learner returns. */
  private record Recorded(WeakLearner learner, List<Classifier> classifiers)
      implements WeakLearner {
    @Override
    public Classifier learn(WeightedPoints dataset, WeightedPoints current) {
      Classifier classifier = learner.learn(dataset, current);
      classifiers.add(classifier);
      return classifier;
    }

    @Override
    public String text() {
      return learner.text();
    }
  }

  /** Fits a contender to the records of a task. */
  static BoostingRun of(Mbde contender, DensityTask task, double epsilon) {
    return of(contender, task, contender.thinning().apply(task.dataset()), epsilon);
  }

  /** Fits it to other records than the task's, and measures on the task. */
  static BoostingRun of(Mbde contender, DensityTask task, List<Point> dataset, double epsilon) {
    Recorded learner = new Recorded(contender.learner().apply(contender.pool()), new ArrayList<>());
    new Boosting(
            Epsilons.of(epsilon),
            contender.rounds(),
            learner,
            contender.reference(),
            contender.pool())
        .fit(dataset);
    double[] thetas = Boosting.thetas(epsilon, contender.rounds());
    DensityGrid grid = task.grid();
    List<double[]> densities = new ArrayList<>();
    List<BoostingBounds> rounds = new ArrayList<>();
    double[] q = grid.probabilities(contender.reference()::logDensity);
    densities.add(q);
    for (int t = 0; t < learner.classifiers().size(); t++) {
      double[] c = scores(learner.classifiers().get(t), grid);
      rounds.add(round(thetas[t], c, task.truth(), q));
      double[] next = new double[q.length];
      for (int i = 0; i < next.length; i++) {
        next[i] = q[i] * Math.exp(thetas[t] * c[i]);
      }
      q = DensityGrid.normalised(next);
      densities.add(q);
    }
    return new BoostingRun(task.truth(), densities, rounds);
  }

  /** As Algorithm 1 takes them: in [-ln 2, ln 2]. */
  private static double[] scores(Classifier classifier, DensityGrid grid) {
    double[] c = new double[grid.size()];
    for (int i = 0; i < c.length; i++) {
      double score = classifier.score(grid.at(i));
      c[i] = Double.isNaN(score) ? 0 : Math.max(-Math.log(2), Math.min(Math.log(2), score));
    }
    return c;
  }

  private static BoostingBounds round(double theta, double[] c, double[] p, double[] q) {
    double largest = 0;
    double overP = 0;
    double overQ = 0;
    for (int i = 0; i < c.length; i++) {
      largest = Math.max(largest, Math.abs(c[i]));
      overP += p[i] * c[i];
      overQ -= q[i] * c[i];
    }
    return largest > 0
        ? new BoostingBounds(theta, largest, overP / largest, overQ / largest)
        : new BoostingBounds(theta, 0, 0, 0);
  }

  /** The private density. */
  double[] last() {
    return densities.get(densities.size() - 1);
  }

  /** KL(P, Q_t). */
  double kl(int t) {
    return DensityGrid.kl(truth, densities.get(t));
  }

  /** Delta: by how much all rounds together lower KL(P, Q). */
  double drop() {
    return kl(0) - kl(rounds.size());
  }

  /** What the proofs give for all rounds together. */
  double provedTotal() {
    return rounds.stream().mapToDouble(BoostingBounds::provedDrop).sum();
  }

  double leastGammaP() {
    return rounds.stream().mapToDouble(BoostingBounds::gammaP).min().orElse(0);
  }

  double leastGammaQ() {
    return rounds.stream().mapToDouble(BoostingBounds::gammaQ).min().orElse(0);
  }

  /** Whether every round is in the high boosting regime, which theorems 7 and 8 need. */
  boolean isHigh() {
    return !rounds.isEmpty() && rounds.stream().allMatch(BoostingBounds::isHigh);
  }
}
