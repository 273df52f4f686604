// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.inference.PopulationMonteCarlo;
import io.sfumato.inference.PopulationMonteCarlo.Result;
import io.sfumato.modeller.Prior;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;

/**
 * A modeller's question to a release that was published long since: post-processing, so that
 * candidates cost nothing, and no pipeline need run.
 *
 * @param model name, simulator and prior
 * @param candidates to weigh, at least 1
 * @param seed public
 */
public record ReleaseQuery(ModelQuery.Model model, int candidates, long seed) {
  /**
   * Fits the model.
   *
   * @param weighed runs after each candidate, one at a time
   * @throws RefusedException if the simulator's data are not what the release is about
   */
  public Result ask(PublishedRelease release, Runnable weighed) throws RefusedException {
    try {
      Prior prior = Prior.of(model.simulator(), model.priors());
      return new PopulationMonteCarlo(
              model.simulator(), prior, release.likelihood(), candidates, seed)
          .run(weighed);
    } catch (IllegalArgumentException e) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "simulator '%s' and output '%s': %s"
              .formatted(model.name(), release.planned().spec().name(), e.getMessage()));
    }
  }
}
