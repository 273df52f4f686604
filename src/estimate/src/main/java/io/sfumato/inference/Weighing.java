// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.inference;

import io.sfumato.modeller.Prior;
import io.sfumato.modeller.Simulator;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * How likely a release is under parameters: exactly where data can be integrated out, else by an
 * unbiased estimate from simulated ones.
 *
 * @param datasets simulated for each candidate, at least 1; 0 where none needs be
 */
record Weighing(Simulator simulator, Likelihood likelihood, int datasets) {
  private static final int PILOTS = 200;
  private static final int BEST = 10;
  private static final int REPEATS = 20;
  private static final int MOST_DATASETS = 64;

  /** Logarithm of the likelihood or its estimate; -infinity where there is none. */
  double log(double[] theta, Supplier<? extends UniformRandomProvider> random) {
    double found =
        exact(simulator, likelihood, theta).orElseGet(() -> estimate(theta, random.get()));
    return Double.isNaN(found) ? Double.NEGATIVE_INFINITY : found;
  }

  private static OptionalDouble exact(Simulator simulator, Likelihood likelihood, double[] theta) {
    Optional<double[]> shares = simulator.shares(theta);
    return shares.isPresent() ? likelihood.logOfShares(shares.get()) : OptionalDouble.empty();
  }

  private double estimate(double[] theta, UniformRandomProvider random) {
    double[] terms = new double[datasets];
    Arrays.setAll(terms, k -> one(theta, random));
    return HistogramLikelihood.logSum(terms) - Math.log(datasets);
  }

  private double one(double[] theta, UniformRandomProvider random) {
    return likelihood.log(simulator.simulate(theta, likelihood.records(), random));
  }

  /** Whether data are integrated out, so that none need be simulated. */
  boolean isExact(double[] theta) {
    return exact(simulator, likelihood, theta).isPresent();
  }

  /**
   * Some draws of the prior, those first that fit best.
   *
   * @param random by number
   */
  List<double[]> pilots(Prior prior, IntFunction<? extends UniformRandomProvider> random) {
    return IntStream.rangeClosed(1, PILOTS)
        .parallel()
        .mapToObj(
            i -> {
              UniformRandomProvider own = random.apply(i);
              double[] theta = prior.draw(own);
              return new Pilot(theta, log(theta, () -> own));
            })
        .sorted(Comparator.comparingDouble(pilot -> -pilot.log()))
        .map(Pilot::theta)
        .toList();
  }

  /** A draw of the prior, and how well it fits. */
  private record Pilot(double[] theta, double log) {}

  /**
   * With so many datasets, 1 to 64, that a candidate's weight varies by its data about as much as
   * by its parameters: the squared coefficient of variation of one dataset's likelihood, at the
   * pilots that fit best. With more, as much time would buy more candidates instead; with less, few
   * of these would count.
   *
   * @param pilots the best first
   * @param random by number
   */
  Weighing averaged(List<double[]> pilots, IntFunction<? extends UniformRandomProvider> random) {
    double spread =
        pilots.stream()
            .limit(BEST)
            .mapToDouble(theta -> variation(theta, random))
            .average()
            .orElse(0);
    return new Weighing(
        simulator, likelihood, (int) Math.max(1, Math.min(MOST_DATASETS, Math.ceil(spread))));
  }

  /** Squared coefficient of variation. */
  private double variation(double[] theta, IntFunction<? extends UniformRandomProvider> random) {
    double[] logs = new double[REPEATS];
    Arrays.setAll(logs, k -> log(theta, () -> random.apply(PILOTS + 1 + k)));
    double mean = HistogramLikelihood.logSum(logs) - Math.log(REPEATS);
    if (mean == Double.NEGATIVE_INFINITY) {
      return MOST_DATASETS;
    }
    return Arrays.stream(logs).map(log -> Math.exp(2 * (log - mean))).average().orElse(1) - 1;
  }
}
