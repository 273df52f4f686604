// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.features;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Counting;
import io.sfumato.estimate.Planned;
import io.sfumato.estimate.ShareRequest;
import io.sfumato.mechanism.abc.GaussianBudget;
import io.sfumato.mechanism.additive.GaussianNoise;
import io.sfumato.mechanism.features.FeatureMechanism;
import io.sfumato.mechanism.features.FeatureSensitivity;
import io.sfumato.noise.DiscreteGaussian;
import java.util.Optional;

/** The least noise on sums of features that a share affords. */
public final class FeaturePlanner {
  private static final double UP = 1 + 0x1.0p-40;
  private static final double MOST = 0x1.0p62;

  private FeaturePlanner() {}

  /**
   * Discrete Gaussian noise; nothing if even some 1,000 times a record's norm is too little.
   * Releases are as many Gaussian ones, and add up in the squares of mu (analytic Gaussian).
   */
  public static Optional<Planned<FeatureMechanism>> gaussian(
      ShareRequest request, FeatureSensitivity sensitivity) {
    double mu;
    try {
      mu = GaussianBudget.mu(request.epsilon(), request.delta(), Accountant.EXACT);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    double sigma = sensitivity.steps() * Math.sqrt(request.horizon()) / mu;
    double steps =
        Math.ceil((sigma * sigma * UP + FeatureMechanism.BRIDGE) * DiscreteGaussian.STEPS);
    double least = Math.ceil((2 * FeatureMechanism.BRIDGE + 1) * DiscreteGaussian.STEPS);
    if (!(steps <= MOST)) {
      return Optional.empty();
    }
    FeatureMechanism mechanism =
        new FeatureMechanism(new GaussianNoise((long) Math.max(least, steps)), sensitivity);
    Counting counting = new Counting.AtMost(mechanism.charge().mechanism(), request.horizon());
    return Optional.of(Planned.of(request, counting, mechanism));
  }
}
