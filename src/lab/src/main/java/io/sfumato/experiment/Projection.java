// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.mollifier.KernelRatio;
import io.sfumato.mechanism.mollifier.Boosting;
import io.sfumato.mechanism.mollifier.LikelihoodRatioBand;
import io.sfumato.mechanism.mollifier.Point;
import io.sfumato.mechanism.mollifier.Reference;
import io.sfumato.random.KeyedRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * {@code Q0 clip(lambda s, band)} with the scores s of a kernel estimate: the density that items of
 * {@code sampler: projection} stand for, where the pool is as large as one likes.
 *
 * @param name in tables
 * @param reference Q0
 * @param band of an epsilon
 * @param pool that lambda is found on
 * @param scores of the pool and then of the grid, by the task's name: they hang on no epsilon
 */
record Projection(
    String name,
    Reference reference,
    Function<Epsilon, LikelihoodRatioBand> band,
    List<Point> pool,
    Map<String, double[]> scores)
    implements DensityEstimator {
  /** As many as the default of pipeline files. */
  private static final int POOL = 4096;

  Projection(String name, Reference reference, Function<Epsilon, LikelihoodRatioBand> band) {
    this(name, reference, band, Boosting.pool(reference, POOL), new ConcurrentHashMap<>());
  }

  @Override
  public Fitted fit(DensityTask task, double epsilon, KeyedRandom random) {
    double[] all = scores.computeIfAbsent(task.name(), name -> scored(task));
    double[] ofPool = Arrays.copyOf(all, pool.size());
    LikelihoodRatioBand clip = band.apply(Epsilons.of(epsilon));
    double lambda = BandOptimum.lambda(l -> mass(ofPool, l, clip)).orElse(0);
    double[] base = task.grid().probabilities(reference::logDensity);
    double[] q = new double[base.length];
    Arrays.setAll(q, i -> base[i] * clipped(all[pool.size() + i], lambda, clip));
    return Fitted.of(DensityGrid.normalised(q));
  }

  private double[] scored(DensityTask task) {
    List<Point> points = new ArrayList<>(pool);
    for (int i = 0; i < task.grid().size(); i++) {
      points.add(task.grid().at(i));
    }
    return new KernelRatio(reference, points).scores(task.dataset());
  }

  private static double mass(double[] scores, double lambda, LikelihoodRatioBand band) {
    return Arrays.stream(scores).map(s -> clipped(s, lambda, band)).sum() / scores.length;
  }

  private static double clipped(double score, double lambda, LikelihoodRatioBand band) {
    return Math.max(band.lower(), Math.min(band.upper(), lambda * score));
  }
}
