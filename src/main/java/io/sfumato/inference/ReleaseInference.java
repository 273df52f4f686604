// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.inference;

import io.sfumato.modeller.Posterior;
import io.sfumato.modeller.Prior;
import io.sfumato.modeller.PseudoData;
import io.sfumato.modeller.Simulator;
import io.sfumato.noise.ReplayableRandom;
import java.util.List;
import java.util.function.BiFunction;

/**
 * One release of a window, asked as often as a modeller likes.
 *
 * @param records of a window, as planned
 * @param released the likelihood of what is drawn for a made-up window
 */
public record ReleaseInference(
    int records, BiFunction<PseudoData, ReplayableRandom, Likelihood> released)
    implements Inference {
  /** Enough for a posterior mean whose own error is a twentieth of the posterior's spread. */
  private static final int CANDIDATES = 400;

  @Override
  public Posterior of(PseudoData window, Simulator simulator, ReplayableRandom random) {
    Likelihood likelihood = released.apply(window, random);
    return new PopulationMonteCarlo(
            simulator, Prior.of(simulator, List.of()), likelihood, CANDIDATES, random.nextLong())
        .run(() -> {})
        .posterior();
  }
}
