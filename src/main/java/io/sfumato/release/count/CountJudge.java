// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.pipeline.Claim;
import io.sfumato.pipeline.DrawJudge;
import io.sfumato.pipeline.Pair;
import io.sfumato.pipeline.Shifts;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** A window's own counts. */
final class CountJudge implements DrawJudge<CountDraw> {
  @Override
  public Class<CountDraw> draws() {
    return CountDraw.class;
  }

  @Override
  public boolean same(Pair<CountDraw> pair) {
    return pair.first().exact().equals(pair.second().exact());
  }

  @Override
  public List<String> tooFar(List<Pair<CountDraw>> pairs, Claim claim) {
    return Shifts.tooFar(
        pairs,
        claim,
        pair -> Shifts.of(pair.first().exact().values(), pair.second().exact().values()));
  }

  @Override
  public OptionalDouble divergence(double order, Pair<CountDraw> pair, Claim claim) {
    return OptionalDouble.of(
        pair.first()
            .mechanism()
            .noise()
            .divergence(order, pair.first().exact().values(), pair.second().exact().values()));
  }

  @Override
  public Optional<String> chargeOf(CountDraw draw, Claim claim) {
    return Optional.of(DrawJudge.ofWindow(draw, claim));
  }
}
