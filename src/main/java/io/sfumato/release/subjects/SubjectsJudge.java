// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.subjects;

import io.sfumato.mechanism.discovery.DiscoveryMechanism;
import io.sfumato.mechanism.discovery.NameBounds;
import io.sfumato.mechanism.discovery.NameCount;
import io.sfumato.pipeline.Claim;
import io.sfumato.pipeline.Draw;
import io.sfumato.pipeline.DrawJudge;
import io.sfumato.pipeline.Pair;
import io.sfumato.pipeline.Shifts;
import java.util.List;
import java.util.Optional;

/**
 * Numbers of users.
 *
 * @param mechanism that draws them
 * @param bounds of a user
 */
record SubjectsJudge(DiscoveryMechanism mechanism, NameBounds bounds)
    implements DrawJudge<NameCount> {
  @Override
  public List<String> tooFar(List<Pair<NameCount>> pairs, Claim claim) {
    return Shifts.tooFar(
        pairs,
        pair -> Shifts.of(pair.first().exact().values(), pair.second().exact().values()),
        this::excess);
  }

  private Optional<String> excess(Shifts moved) {
    return moved.l1() > bounds.counted() || moved.squaredL2() > bounds.squaredNorm()
        ? Optional.of(
            "numbers of users of all subjects move by %s in L1 and %s in squared L2; the charge assumes %d and %d"
                .formatted(moved.l1(), moved.squaredL2(), bounds.counted(), bounds.squaredNorm()))
        : Optional.empty();
  }

  @Override
  public Optional<String> chargeOf(Draw<NameCount> draw, Claim claim) {
    return claim.chargeOf(draw);
  }
}
