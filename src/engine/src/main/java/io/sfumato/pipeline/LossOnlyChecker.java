// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.gate.Draw;
import io.sfumato.mechanism.ExactData;
import java.util.List;
import java.util.Optional;

/**
 * Knows nothing of exact inputs: any two of neighbours may be compared, and what is lost between
 * them is all that counts.
 *
 * @param <D> the exact input
 */
public record LossOnlyChecker<D extends ExactData>() implements LossChecker<D> {
  @Override
  public List<String> tooFar(List<Pair<D>> pairs, ChargeAssumptions assumed) {
    return List.of();
  }

  @Override
  public Optional<String> chargeOf(Draw<D> draw, ChargeAssumptions assumed) {
    return assumed.chargeOf(draw);
  }
}
