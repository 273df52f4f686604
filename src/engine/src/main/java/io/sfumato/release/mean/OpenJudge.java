// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mean;

import io.sfumato.gate.Draw;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.moments.DeferredBoundsMechanism;
import io.sfumato.mechanism.moments.OpenSums;
import io.sfumato.pipeline.ChargeAssumptions;
import io.sfumato.pipeline.GridLossChecker;
import io.sfumato.pipeline.LossChecker;
import io.sfumato.pipeline.Pair;
import java.util.List;
import java.util.Optional;

/**
 * Checks draws by bounds that were released before. What is lost by these is theirs, so that both
 * inputs are seen within the bounds of the first.
 *
 * @param checker of parts within known bounds
 */
record OpenJudge(GridLossChecker checker) implements LossChecker<OpenSums> {
  @Override
  public boolean same(Pair<OpenSums> pair) {
    return checker.same(closed(pair));
  }

  @Override
  public List<String> tooFar(List<Pair<OpenSums>> pairs, ChargeAssumptions assumed) {
    return checker.tooFar(pairs.stream().map(OpenJudge::closed).toList(), assumed);
  }

  @Override
  public Optional<String> chargeOf(Draw<OpenSums> draw, ChargeAssumptions assumed) {
    return checker.chargeOf(closed(draw, draw.exact()), assumed);
  }

  private static Pair<ExactVector> closed(Pair<OpenSums> pair) {
    OpenSums first = pair.first().exact();
    OpenSums second = pair.second().exact().within(first.bounds());
    return new Pair<>(closed(pair.first(), first), closed(pair.second(), second));
  }

  private static Draw<ExactVector> closed(Draw<OpenSums> draw, OpenSums exact) {
    Mechanism<ExactVector, ?> within = ((DeferredBoundsMechanism) draw.mechanism()).moments();
    return Draw.of(draw.id(), within, exact.sums());
  }
}
