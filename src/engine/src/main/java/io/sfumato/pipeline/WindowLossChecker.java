// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.gate.Draw;
import io.sfumato.mechanism.ExactData;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Draws from the counts of single windows: a charge assumes how far all counts of a window move.
 *
 * @param <D> the exact input
 * @param counts of it, one a group
 */
public record WindowLossChecker<D extends ExactData>(Function<D, long[]> counts)
    implements LossChecker<D> {
  @Override
  public List<String> tooFar(List<Pair<D>> pairs, ChargeAssumptions assumed) {
    return Shifts.tooFar(
        pairs,
        pair -> Shifts.of(counts.apply(pair.first().exact()), counts.apply(pair.second().exact())),
        assumed::excess);
  }

  @Override
  public Optional<String> chargeOf(Draw<D> draw, ChargeAssumptions assumed) {
    return assumed.chargeOf(draw);
  }
}
