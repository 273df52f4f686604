// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.histogram;

import io.sfumato.pipeline.Claim;
import io.sfumato.pipeline.DrawJudge;
import io.sfumato.pipeline.Pair;
import io.sfumato.pipeline.Shifts;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Distributions: Dirichlet draws, or noise on every count. */
final class HistogramJudge implements DrawJudge<HistogramDraw> {
  @Override
  public Class<HistogramDraw> draws() {
    return HistogramDraw.class;
  }

  @Override
  public boolean same(Pair<HistogramDraw> pair) {
    return Arrays.equals(pair.first().exact().counts(), pair.second().exact().counts());
  }

  @Override
  public List<String> tooFar(List<Pair<HistogramDraw>> pairs, Claim claim) {
    return Shifts.tooFar(
        pairs,
        claim,
        pair -> Shifts.of(pair.first().exact().counts(), pair.second().exact().counts()));
  }

  @Override
  public OptionalDouble divergence(double order, Pair<HistogramDraw> pair, Claim claim) {
    return pair.first().mechanism().divergence(order, pair.first().exact(), pair.second().exact());
  }

  @Override
  public Optional<String> chargeOf(HistogramDraw draw, Claim claim) {
    return Optional.of(DrawJudge.ofWindow(draw, claim));
  }
}
