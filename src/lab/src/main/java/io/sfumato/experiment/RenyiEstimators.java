// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.estimate.dirichlet.DirichletCalibrator;
import io.sfumato.mechanism.dirichlet.DirichletBound;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;

/**
 * Figures 4, 5 and 7: every table has the same Rényi budget at order {@link #ORDER}, a part of the
 * model's epsilon at that order.
 */
final class RenyiEstimators implements Estimators {
  /** The paper's lambda. */
  static final double ORDER = 5;

  private final Map<String, Estimator> made = new HashMap<>();

  @Override
  public List<Contender> contenders() {
    return List.of(
        Contender.DIRICHLET_PAPER,
        Contender.DIRICHLET_EXACT,
        Contender.GAUSSIAN_PAPER,
        Contender.GAUSSIAN_FAIR,
        Contender.LAPLACE_PAPER,
        Contender.LAPLACE_FAIR);
  }

  @Override
  public List<Estimator> of(Contender contender, double epsilon, List<PublicRows> tables) {
    double budget = epsilon / tables.size();
    return tables.stream().map(rows -> of(contender, budget, rows)).toList();
  }

  private Estimator of(Contender contender, double budget, PublicRows rows) {
    boolean planned = contender == Contender.DIRICHLET_EXACT;
    String key = contender + " " + budget + (planned ? " " + rows : "");
    return made.computeIfAbsent(key, k -> make(contender, budget, rows));
  }

  private static Estimator make(Contender contender, double budget, PublicRows rows) {
    double sigma = Math.sqrt(ORDER / budget);
    return switch (contender) {
      case DIRICHLET_PAPER -> dirichlet(budget, new DirichletBound.Paper(), rows);
      case DIRICHLET_EXACT -> dirichlet(budget, new DirichletBound.ReplaceOne(), rows);
      case GAUSSIAN_PAPER -> Estimator.gaussian(sigma, Estimator.CLIP);
      case GAUSSIAN_FAIR -> Estimator.gaussian(sigma, sigma / 2);
      case LAPLACE_PAPER -> Estimator.laplace(laplaceScale(budget, 2, 1), Estimator.CLIP);
      case LAPLACE_FAIR -> {
        double b = laplaceScale(budget, 1, 2);
        yield Estimator.laplace(b, b / Math.sqrt(2));
      }
      case GOHARI ->
          throw new IllegalArgumentException("Gohari et al. have no Rényi guarantee to compare");
    };
  }

  private static Estimator dirichlet(double budget, DirichletBound bound, PublicRows rows) {
    return Estimator.dirichlet(
        DirichletCalibrator.pair(ORDER, budget, bound, rows.plan())
            .orElseThrow(() -> new IllegalArgumentException("no pair for a budget of " + budget)));
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
}
