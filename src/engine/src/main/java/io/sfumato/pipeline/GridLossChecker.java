// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.gate.Draw;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.additive.GridSensitivity;
import java.util.List;
import java.util.Optional;

/**
 * Draws of single windows from whole numbers on a grid: all that a window's draws are moved by,
 * over all subjects, is no more than the charge assumes.
 *
 * @param measurement whose query's numbers noise is added to
 */
public record GridLossChecker(GridMeasurement<?> measurement) implements LossChecker<ExactVector> {
  @Override
  public List<String> tooFar(List<Pair<ExactVector>> pairs, ChargeAssumptions assumed) {
    return Shifts.tooFar(pairs, this::shifts, this::excess);
  }

  private Optional<String> excess(Shifts moved) {
    GridSensitivity sensitivity = measurement.sensitivity();
    double l2 = Math.sqrt(moved.squaredL2());
    // A window's records may all move the same noises.
    double mostL1 = (double) sensitivity.l1() * sensitivity.sharing();
    double mostL2 = sensitivity.l2() * Math.sqrt(sensitivity.sharing());
    return moved.l1() > mostL1 || l2 > mostL2
        ? Optional.of(
            "steps of all subjects move by %s in L1 and %s in L2; the charge assumes %s and %s"
                .formatted(moved.l1(), l2, mostL1, mostL2))
        : Optional.empty();
  }

  private Shifts shifts(Pair<ExactVector> pair) {
    return Shifts.of(
        measurement.query().vector(pair.first().exact()),
        measurement.query().vector(pair.second().exact()));
  }

  @Override
  public Optional<String> chargeOf(Draw<ExactVector> draw, ChargeAssumptions assumed) {
    return assumed.chargeOf(draw);
  }
}
