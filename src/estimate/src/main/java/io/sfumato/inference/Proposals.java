// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.inference;

import io.sfumato.inference.PopulationMonteCarlo.Sample;
import io.sfumato.modeller.Coordinates;
import io.sfumato.modeller.PriorDensity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Where candidates were drawn from: the mixture of all rounds' proposals, at every candidate, each
 * round with its part of them. In coordinates without bounds.
 */
final class Proposals {
  /** So many equally weighted draws a coordinate make a covariance. */
  private static final int DRAWS_A_COORDINATE = 15;

  private static final int HALVINGS = 40;

  private final PriorDensity prior;
  private final Sample sample;
  private final double[][] free;
  private final double[] lnPrior;

  /** Sums over rounds of a round's candidates times its density, but for the prior's part. */
  private final double[] lnFitted;

  private final List<Round> rounds = new ArrayList<>();
  private int fromPrior;

  /** Candidates of one law. */
  private record Round(StudentT distribution, int candidates) {
    double log(double[] point) {
      return Math.log(candidates) + distribution.log(point);
    }
  }

  Proposals(PriorDensity prior, Sample sample) {
    this.prior = prior;
    this.sample = sample;
    this.free = new double[sample.theta.length][];
    this.lnPrior = new double[free.length];
    this.lnFitted = new double[free.length];
    Arrays.fill(lnFitted, Double.NEGATIVE_INFINITY);
  }

  Coordinates coordinates() {
    return prior.coordinates();
  }

  /** The first round, all of the prior. */
  void first(int size) {
    fromPrior = size;
    placed(0);
  }

  /**
   * A round.
   *
   * @param from its first candidate
   * @param defensive how many of it were drawn from the prior
   */
  void add(StudentT distribution, int from, int defensive) {
    placed(from);
    IntStream.range(from, sample.size)
        .parallel()
        .forEach(i -> rounds.forEach(round -> raise(i, round)));
    Round round = new Round(distribution, sample.size - from - defensive);
    rounds.add(round);
    fromPrior += defensive;
    IntStream.range(0, sample.size).parallel().forEach(i -> raise(i, round));
  }

  private void raise(int i, Round round) {
    if (!Double.isInfinite(lnPrior[i])) {
      lnFitted[i] = HistogramLikelihood.logSum(new double[] {lnFitted[i], round.log(free[i])});
    }
  }

  private void placed(int from) {
    IntStream.range(from, sample.size)
        .parallel()
        .forEach(
            i -> {
              free[i] = coordinates().free(sample.theta[i]);
              double log = prior.log(sample.theta[i]) + coordinates().logJacobian(sample.theta[i]);
              // Of a parameter on its very bound, by underflow, nothing can be said.
              lnPrior[i] =
                  Double.isFinite(log) && Arrays.stream(free[i]).allMatch(Double::isFinite)
                      ? log
                      : Double.NEGATIVE_INFINITY;
            });
  }

  /** Logarithms of the weights of all so far. */
  double[] lnWeights() {
    return lnWeights(lnRatios(), 1);
  }

  /** Logarithms of prior over proposals, of all so far. */
  private double[] lnRatios() {
    double[] ratios = new double[sample.size];
    double lnFromPrior = Math.log(fromPrior);
    Arrays.parallelSetAll(
        ratios,
        i ->
            Double.isInfinite(lnPrior[i])
                ? Double.NEGATIVE_INFINITY
                : lnPrior[i]
                    - HistogramLikelihood.logSum(
                        new double[] {lnFromPrior + lnPrior[i], lnFitted[i]}));
    return ratios;
  }

  /** With the likelihood to some power. */
  private double[] lnWeights(double[] lnRatios, double power) {
    double[] weights = new double[sample.size];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = lnRatios[i] + (power == 0 ? 0 : power * sample.lnLikelihood[i]);
    }
    return weights;
  }

  /** A law like the posterior, as far as the candidates so far can tell. */
  StudentT fitted() {
    double[] weights = tempered();
    return StudentT.of(Arrays.copyOf(free, sample.size), weights);
  }

  /** Weights by the likelihood to the largest power, at most 1, with which enough of them count. */
  private double[] tempered() {
    double[] lnRatios = lnRatios();
    double[] whole = weights(lnRatios, 1);
    double enough = Math.min(sample.size / 4.0, DRAWS_A_COORDINATE * (coordinates().size() + 2.0));
    if (effective(whole) >= enough) {
      return whole;
    }
    double low = 0;
    double high = 1;
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + high) / 2;
      if (effective(weights(lnRatios, middle)) >= enough) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return weights(lnRatios, low);
  }

  private double[] weights(double[] lnRatios, double power) {
    double[] ln = lnWeights(lnRatios, power);
    double most = Arrays.stream(ln).max().orElseThrow();
    Arrays.parallelSetAll(ln, i -> ln[i] == most ? 1 : Math.exp(ln[i] - most));
    return ln;
  }

  private static double effective(double[] weights) {
    double sum = Arrays.stream(weights).sum();
    return sum * sum / Arrays.stream(weights).map(w -> w * w).sum();
  }
}
