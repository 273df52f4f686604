// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.histogram;

import io.sfumato.accounting.Divergences;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.mechanism.baseline.GaussianMechanism;
import io.sfumato.mechanism.baseline.LaplaceMechanism;
import io.sfumato.mechanism.dirichlet.DirichletMechanism;
import io.sfumato.pipeline.Claim;
import io.sfumato.pipeline.DrawJudge;
import io.sfumato.pipeline.Pair;
import io.sfumato.pipeline.Shifts;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Distributions: Dirichlet draws, or noise on every count. */
final class HistogramJudge implements DrawJudge<HistogramDraw> {
  @Override
  public Class<HistogramDraw> draws() {
    return HistogramDraw.class;
  }

  @Override
  public boolean same(Pair<HistogramDraw> pair) {
    return Arrays.equals(pair.first().exact().counts(), pair.second().exact().counts());
  }

  @Override
  public List<String> tooFar(List<Pair<HistogramDraw>> pairs, Claim claim) {
    return Shifts.tooFar(
        pairs,
        claim,
        pair -> Shifts.of(pair.first().exact().counts(), pair.second().exact().counts()));
  }

  @Override
  public OptionalDouble divergence(double order, Pair<HistogramDraw> pair, Claim claim) {
    HistogramMechanism mechanism = pair.first().mechanism();
    Histogram first = pair.first().exact();
    Histogram second = pair.second().exact();
    if (mechanism instanceof DirichletMechanism dirichlet) {
      return OptionalDouble.of(
          Divergences.dirichlet(order, weights(dirichlet, first), weights(dirichlet, second)));
    }
    if (mechanism instanceof GaussianMechanism gaussian) {
      return OptionalDouble.of(
          Divergences.gaussian(
              order, first.counts(), second.counts(), gaussian.sigma() * gaussian.sigma()));
    }
    if (mechanism instanceof LaplaceMechanism laplace) {
      return OptionalDouble.of(
          Divergences.laplace(order, first.counts(), second.counts(), laplace.scale()));
    }
    return OptionalDouble.empty();
  }

  /** r f + a. */
  private static double[] weights(DirichletMechanism dirichlet, Histogram histogram) {
    double[] weights = new double[histogram.categories()];
    Arrays.setAll(weights, i -> dirichlet.pair().r() * histogram.count(i) + dirichlet.pair().a());
    return weights;
  }

  @Override
  public Optional<String> chargeOf(HistogramDraw draw, Claim claim) {
    return Optional.of(DrawJudge.ofWindow(draw, claim));
  }
}
