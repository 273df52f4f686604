// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.mechanism.baseline.GaussianMechanism;
import io.sfumato.mechanism.baseline.LaplaceMechanism;
import io.sfumato.mechanism.dirichlet.DirichletMechanism;
import io.sfumato.topology.Draw.OfHistogram;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Distributions: Dirichlet draws, or noise on every count. */
final class Histograms implements Kind<OfHistogram> {
  @Override
  public Class<OfHistogram> draws() {
    return OfHistogram.class;
  }

  @Override
  public boolean same(Pair<OfHistogram> pair) {
    return Arrays.equals(pair.first().exact().counts(), pair.second().exact().counts());
  }

  @Override
  public List<String> tooFar(List<Pair<OfHistogram>> pairs, Claim claim) {
    return Shifts.tooFar(
        pairs,
        claim,
        pair -> Shifts.of(pair.first().exact().counts(), pair.second().exact().counts()));
  }

  @Override
  public OptionalDouble divergence(double order, Pair<OfHistogram> pair, Claim claim) {
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
  public Optional<String> chargeOf(OfHistogram draw, Claim claim) {
    return Optional.of(Kind.ofWindow(draw, claim));
  }
}
