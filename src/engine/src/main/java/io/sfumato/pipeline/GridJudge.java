// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.gate.Draw;
import io.sfumato.mechanism.ExactData;
import io.sfumato.mechanism.additive.GridSensitivity;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Draws of single windows from whole numbers on a grid: all that a window's draws are moved by,
 * over all subjects, is no more than the charge assumes.
 *
 * @param <D> the exact input
 * @param steps that noise is added to
 * @param sensitivity what the charge assumes
 */
public record GridJudge<D extends ExactData>(Function<D, long[]> steps, GridSensitivity sensitivity)
    implements DrawJudge<D> {
  @Override
  public List<String> tooFar(List<Pair<D>> pairs, Claim claim) {
    return Shifts.tooFar(pairs, this::shifts, this::excess);
  }

  private Optional<String> excess(Shifts moved) {
    double l2 = Math.sqrt(moved.squaredL2());
    return moved.l1() > sensitivity.l1() || l2 > sensitivity.l2()
        ? Optional.of(
            "steps of all subjects move by %s in L1 and %s in L2; the charge assumes %s and %s"
                .formatted(moved.l1(), l2, sensitivity.l1(), sensitivity.l2()))
        : Optional.empty();
  }

  private Shifts shifts(Pair<D> pair) {
    return Shifts.of(steps.apply(pair.first().exact()), steps.apply(pair.second().exact()));
  }

  @Override
  public Optional<String> chargeOf(Draw<D> draw, Claim claim) {
    return claim.chargeOf(draw);
  }
}
