// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.inference;

import io.sfumato.modeller.Posterior;
import io.sfumato.modeller.Prior;
import io.sfumato.modeller.PseudoData;
import io.sfumato.modeller.Simulator;
import io.sfumato.random.KeyedRandom;
import java.util.List;
import java.util.function.BiFunction;

/**
 * One release of a window, asked as often as a modeller likes.
 *
 * @param records of a window, as planned
 * @param released the likelihood of what is drawn for a made-up window
 */
public record ReleaseInference(
    int records, BiFunction<PseudoData, KeyedRandom, Likelihood> released) implements Inference {
  /** Enough for a posterior mean whose own error is a twentieth of the posterior's spread. */
  private static final int CANDIDATES = 400;

  /** Where a posterior is so narrow that few of those count. */
  private static final int MANY_CANDIDATES = 4000;

  private static final double FEW = 20;

  @Override
  public Posterior of(PseudoData window, Simulator simulator, KeyedRandom random) {
    Likelihood likelihood = released.apply(window, random);
    Posterior found = posterior(simulator, likelihood, CANDIDATES, random);
    return found.effectiveSize() < FEW
        ? posterior(simulator, likelihood, MANY_CANDIDATES, random)
        : found;
  }

  private static Posterior posterior(
      Simulator simulator, Likelihood likelihood, int candidates, KeyedRandom random) {
    return new PopulationMonteCarlo(
            simulator, Prior.of(simulator, List.of()), likelihood, candidates, random.nextLong())
        .run(() -> {})
        .posterior();
  }
}
