// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.gate.Draw;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.pipeline.ChargeAssumptions;
import io.sfumato.pipeline.LossChecker;
import io.sfumato.pipeline.Pair;
import io.sfumato.pipeline.Shifts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Counts of distinct users: one user moves each by 1 at most, and no more of them than the charges
 * assume. Those of a window are paid for by its charge; those of several windows by all charges.
 *
 * @param users how they are counted
 */
record UsersLossChecker(UserCounts users) implements LossChecker<ExactVector> {
  @Override
  public List<String> tooFar(List<Pair<ExactVector>> pairs, ChargeAssumptions assumed) {
    List<String> far = new ArrayList<>();
    Shifts all = Shifts.NONE;
    for (Pair<ExactVector> pair : pairs) {
      Shifts moved = shifts(pair);
      if (moved.squaredL2() != moved.l1()) {
        far.add("a count of distinct users moves by more than 1");
      }
      all = all.plus(moved);
    }
    if (users.last().isEmpty()) {
      far.addAll(Shifts.tooFar(pairs, UsersLossChecker::shifts, this::excess));
    } else if (all.l1() > users.moved(assumed.charges())) {
      far.add(
          "%s counts of the last windows move; %d charged windows move at most %d"
              .formatted(all.l1(), assumed.charges(), users.moved(assumed.charges())));
    }
    return far;
  }

  private static Shifts shifts(Pair<ExactVector> pair) {
    return Shifts.of(pair.first().exact().values(), pair.second().exact().values());
  }

  private Optional<String> excess(Shifts moved) {
    return moved.l1() > users.cells().ofWindow()
        ? Optional.of(
            "%s counts of all subjects move; the charge assumes %d"
                .formatted(moved.l1(), users.cells().ofWindow()))
        : Optional.empty();
  }

  @Override
  public Optional<String> chargeOf(Draw<ExactVector> draw, ChargeAssumptions assumed) {
    return users.last().isEmpty() ? assumed.chargeOf(draw) : Optional.empty();
  }

  /** Without a ledger the first windows of a row cost more than their part of it. */
  @Override
  public long paid(ChargeAssumptions assumed) {
    return users.charges(assumed.charges());
  }
}
