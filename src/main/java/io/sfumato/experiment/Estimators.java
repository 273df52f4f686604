// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.mechanism.PlanningModel;
import io.sfumato.mechanism.dirichlet.DirichletBound;
import io.sfumato.mechanism.dirichlet.DirichletParameters;
import io.sfumato.mechanism.dirichlet.DirichletPlanner;
import io.sfumato.noise.GammaSampler;
import io.sfumato.noise.ReplayableRandom;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;

/** Contenders calibrated to one Rényi budget: replacing one record, order {@link #ORDER}. */
final class Estimators {
  /** The paper's lambda. */
  static final double ORDER = 5;

  /** The paper's clip of noisy counts. */
  private static final double CLIP = 1e-6;

  /** Pseudo-count of the model without privacy. */
  static final double PSEUDO_COUNT = 0.1;

  private final Map<String, Estimator> made = new HashMap<>();

  /**
   * One contender.
   *
   * @param budget Rényi epsilon of one table, in nats
   * @param categories of a row
   * @param size public guess of a row's records
   */
  Estimator of(Contender contender, double budget, int categories, double size) {
    boolean planned = contender == Contender.DIRICHLET_EXACT;
    String key = contender + " " + budget + (planned ? " " + categories + " " + size : "");
    return made.computeIfAbsent(key, k -> make(contender, budget, categories, size));
  }

  private static Estimator make(Contender contender, double budget, int categories, double size) {
    double sigma = Math.sqrt(ORDER / budget);
    return switch (contender) {
      case DIRICHLET_PAPER -> dirichlet(budget, new DirichletBound.Paper(), categories, size);
      case DIRICHLET_EXACT ->
          dirichlet(budget, new DirichletBound.ReplaceOne(), Math.max(2, categories), size);
      case GAUSSIAN_PAPER -> noisy("sigma", sigma, gaussian(sigma), CLIP);
      case GAUSSIAN_FAIR -> noisy("sigma", sigma, gaussian(sigma), sigma / 2);
      case LAPLACE_PAPER -> {
        double b = laplaceScale(budget, 2, 1);
        yield noisy("b", b, laplace(b), CLIP);
      }
      case LAPLACE_FAIR -> {
        double b = laplaceScale(budget, 1, 2);
        yield noisy("b", b, laplace(b), b / Math.sqrt(2));
      }
    };
  }

  /**
   * Public guess of the size of the row that a random record lies in, if the k-th largest of the
   * rows is in proportion to 1/k.
   */
  static double rowSize(double records, int rows) {
    double sum = 0;
    double squares = 0;
    for (int k = 1; k <= rows; k++) {
      sum += 1.0 / k;
      squares += 1.0 / ((double) k * k);
    }
    return records * squares / (sum * sum);
  }

  /** Without privacy: shares of counts plus 0.1. */
  static double[] nonPrivate(double[] counts) {
    return normalised(Arrays.stream(counts).map(n -> n + PSEUDO_COUNT).toArray());
  }

  private static Estimator dirichlet(
      double budget, DirichletBound bound, int categories, double size) {
    DirichletParameters pair =
        DirichletPlanner.pair(
                ORDER, budget, bound, PlanningModel.zipf(Math.max(2, categories), size))
            .orElseThrow(() -> new IllegalArgumentException("no pair for a budget of " + budget));
    return new Estimator() {
      @Override
      public double[] shares(double[] counts, ReplayableRandom random) {
        return normalised(
            Arrays.stream(counts)
                .map(n -> GammaSampler.sample(random, pair.r() * n + pair.a()))
                .toArray());
      }

      @Override
      public String parameters() {
        return String.format(Locale.ROOT, "r=%.6g;alpha=%.6g", pair.r(), pair.a());
      }
    };
  }

  /** Draws noise for one count. */
  private interface Noise {
    double draw(ReplayableRandom random);
  }

  private static Noise gaussian(double sigma) {
    return random -> sigma * random.nextStandardGaussian();
  }

  private static Noise laplace(double b) {
    return random -> {
      double u = random.nextOpenDouble() - 0.5;
      return -b * Math.signum(u) * Math.log1p(-2 * Math.abs(u));
    };
  }

  private static Estimator noisy(String name, double scale, Noise noise, double floor) {
    return new Estimator() {
      @Override
      public double[] shares(double[] counts, ReplayableRandom random) {
        return normalised(
            Arrays.stream(counts).map(n -> Math.max(floor, n + noise.draw(random))).toArray());
      }

      @Override
      public String parameters() {
        return String.format(Locale.ROOT, "%s=%.6g", name, scale);
      }
    };
  }

  /**
   * The smallest scale b whose Rényi divergence fits (Mironov 2017, Corollary 2):
   *
   * <pre>  eps(L) = ln[ L/(2L-1) e^((L-1) s/b) + (L-1)/(2L-1) e^(-L s/b) ] / (L-1)</pre>
   *
   * @param shift s, how far a coordinate moves
   * @param coordinates how many move so far
   */
  private static double laplaceScale(double budget, double shift, int coordinates) {
    DoubleUnaryOperator divergence =
        b -> {
          double x = shift / b;
          double rising = Math.log(ORDER / (2 * ORDER - 1)) + (ORDER - 1) * x;
          double falling = Math.log((ORDER - 1) / (2 * ORDER - 1)) - ORDER * x;
          return coordinates * (rising + Math.log1p(Math.exp(falling - rising))) / (ORDER - 1);
        };
    double low = 1e-9;
    double high = 1e9;
    for (int i = 0; i < 200; i++) {
      double middle = Math.sqrt(low * high);
      if (divergence.applyAsDouble(middle) > budget) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  static double[] normalised(double[] weights) {
    double sum = Arrays.stream(weights).sum();
    return Arrays.stream(weights).map(w -> w / sum).toArray();
  }
}
