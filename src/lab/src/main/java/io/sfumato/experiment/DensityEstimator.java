// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.mechanism.mollifier.Boosting;
import io.sfumato.random.KeyedRandom;
import java.util.List;

/** A contender: from the records of a task to a density that an item may be drawn from. */
interface DensityEstimator {
  /** In tables and plots. */
  String name();

  /**
   * The density.
   *
   * @param epsilon above 0
   * @param random for contenders whose density is itself a noisy release
   */
  Fitted fit(DensityTask task, double epsilon, KeyedRandom random);

  /** How many densities are averaged over: more than one where the density is noisy. */
  default int draws() {
    return 1;
  }

  /** The probabilities of the task's grid alone, with a public seed. */
  default double[] probabilities(DensityTask task, double epsilon) {
    return fit(task, epsilon, KeyedRandom.ofPublicSeed(task.name() + " " + epsilon))
        .probabilities();
  }

  /**
   * A density.
   *
   * @param probabilities of the grid's cells, adding up to 1
   * @param rounds of boosting; none where nothing is boosted
   * @param settings that the contender chose for this task; empty where it chooses none
   */
  record Fitted(double[] probabilities, List<Boosting.Round> rounds, String settings) {
    public Fitted {
      rounds = List.copyOf(rounds);
    }

    /** Of a contender that does not boost. */
    static Fitted of(double[] probabilities) {
      return new Fitted(probabilities, List.of(), "");
    }
  }
}
