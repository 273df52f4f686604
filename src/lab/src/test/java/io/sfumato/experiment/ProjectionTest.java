// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.mechanism.mollifier.LikelihoodRatioBand;
import io.sfumato.mechanism.mollifier.NumericReference.Gaussians;
import org.junit.jupiter.api.Test;

/** What projections of 10,000 records reach on the papers' targets, with public seeds. */
class ProjectionTest {
  private static final double[] EPSILONS = {0.5, 1, 2, 5};

  @Test
  void threeGaussiansOnALine() {
    DensityTask task =
        DensityTask.of(
            "mixture-1d", Mixture1dExperiment.GRID, Mixture1dExperiment.target(), 10_000);
    Gaussians q0 = Gaussians.of(new double[] {0.5}, new double[] {0.5});
    assertLikelihoods(task, q0, 0.32, 0.255, 0.205, 0.18);
  }

  @Test
  void eightGaussiansOnARing() {
    DensityTask task =
        DensityTask.of("ring", new DensityGrid(-8, 8, 2, 80), RingExperiment.target(), 10_000);
    Gaussians q0 = Gaussians.of(new double[] {0, 0}, new double[] {3, 3});
    assertLikelihoods(task, q0, 4.76, 4.58, 4.33, 4.18);
  }

  /** Negative log-likelihoods below what is demanded, above what the band allows. */
  private static void assertLikelihoods(DensityTask task, Gaussians q0, double... most) {
    Projection projection =
        new Projection(
            "projection", DensityContenders.reference(q0), LikelihoodRatioBand::mollifier);
    BandOptimum optimum =
        new BandOptimum(
            "optimum",
            task.grid().probabilities(x -> q0.logDensity(x.numbers())),
            LikelihoodRatioBand::mollifier);
    for (int i = 0; i < most.length; i++) {
      double found = task.grid().nll(task.truth(), projection.probabilities(task, EPSILONS[i]));
      double least = task.grid().nll(task.truth(), optimum.probabilities(task, EPSILONS[i]));
      assertThat(found).as("epsilon %s", EPSILONS[i]).isBetween(least, most[i]);
    }
  }
}
