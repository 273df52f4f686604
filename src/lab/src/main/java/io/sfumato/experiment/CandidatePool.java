// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.mechanism.abc.NoisyThreshold;
import io.sfumato.mechanism.abc.SparseVector;
import io.sfumato.modeller.Posterior;
import io.sfumato.random.KeyedRandom;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.ToDoubleFunction;

/** Candidates of one query, and the posterior that a way to answer them leaves. */
record CandidatePool(List<Candidate> candidates) {
  /**
   * One candidate.
   *
   * @param distance of what it simulates from what was observed
   */
  record Candidate(double[] theta, double distance) {}

  /** Those of a part of the pool. */
  CandidatePool part(int from, int to) {
    return new CandidatePool(candidates.subList(from, to));
  }

  /** Each counts by a weight. */
  Posterior weighted(ToDoubleFunction<Candidate> weight) {
    Posterior posterior = new Posterior();
    candidates.forEach(c -> posterior.add(c.theta(), weight.applyAsDouble(c)));
    return posterior;
  }

  /** Sparse vector accepts or rejects each, until it is over. */
  Posterior answered(
      SparseVector vector, ToDoubleFunction<Candidate> distance, KeyedRandom random) {
    LongFunction<NoisyThreshold> thresholds = accepted -> vector.threshold(random).orElseThrow();
    Optional<SparseVector.State> state = vector.start(thresholds);
    Posterior posterior = new Posterior();
    for (Candidate candidate : candidates) {
      if (vector.isOver(state)) {
        break;
      }
      long answer = vector.answer(distance.applyAsDouble(candidate), state).draw(random).outcome();
      posterior.add(candidate.theta(), answer);
      state = vector.after(state, answer, thresholds);
    }
    return posterior;
  }
}
