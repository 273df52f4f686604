// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.features;

import io.sfumato.gate.Draw;
import io.sfumato.mechanism.features.FeatureSensitivity;
import io.sfumato.mechanism.features.RoundedSums;
import io.sfumato.pipeline.Claim;
import io.sfumato.pipeline.DrawJudge;
import io.sfumato.pipeline.Pair;
import io.sfumato.pipeline.Shifts;
import java.util.List;
import java.util.Optional;

/**
 * Sums of features: all sums of a window move by no more than the charge assumes, over subjects.
 */
record FeatureSumsJudge(FeatureSensitivity sensitivity) implements DrawJudge<RoundedSums> {
  @Override
  public List<String> tooFar(List<Pair<RoundedSums>> pairs, Claim claim) {
    return Shifts.tooFar(pairs, this::shifts, this::excess);
  }

  private Shifts shifts(Pair<RoundedSums> pair) {
    long weight = sensitivity.recordSteps();
    return Shifts.of(
        pair.first().exact().coordinates(weight), pair.second().exact().coordinates(weight));
  }

  private Optional<String> excess(Shifts moved) {
    double steps = Math.sqrt(moved.squaredL2());
    return steps > sensitivity.steps()
        ? Optional.of(
            "sums of all subjects move by %s steps, the charge assumes %s"
                .formatted(steps, sensitivity.steps()))
        : Optional.empty();
  }

  @Override
  public Optional<String> chargeOf(Draw<RoundedSums> draw, Claim claim) {
    return claim.chargeOf(draw);
  }
}
