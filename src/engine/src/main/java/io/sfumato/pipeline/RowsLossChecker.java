// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.gate.Draw;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.mechanism.continual.Rows;
import io.sfumato.mechanism.continual.RunningMechanism;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Rows of sums over windows: a user's window is in the rows of later windows too, so all rows of
 * all subjects together may move by as much as all charges assume.
 *
 * @param mechanism whose sensitivity is what the charge of one window assumes
 */
public record RowsLossChecker(RunningMechanism mechanism) implements LossChecker<Rows> {
  private static final double ROUNDING = 1 + 1e-9;

  @Override
  public List<String> tooFar(List<Pair<Rows>> pairs, ChargeAssumptions assumed) {
    double squares = 0;
    double sum = 0;
    for (Pair<Rows> pair : pairs) {
      for (long moved : mechanism.moved(pair.first().exact(), pair.second().exact())) {
        squares += (double) moved * moved;
        sum += Math.abs((double) moved);
      }
    }
    GridSensitivity sensitivity = mechanism.sensitivity();
    double mostSquares = assumed.charges() * sensitivity.l2() * sensitivity.l2();
    double mostSum = (double) assumed.charges() * sensitivity.l1();
    List<String> far = new ArrayList<>();
    if (squares > mostSquares * ROUNDING) {
      far.add(tooFar("L2", Math.sqrt(squares), assumed, Math.sqrt(mostSquares)));
    }
    // The L1 of rows of several windows is not what Gaussian noise is charged for.
    if (mechanism.coefficients().band() == 1 && sum > mostSum) {
      far.add(tooFar("L1", sum, assumed, mostSum));
    }
    return far;
  }

  private static String tooFar(String norm, double moved, ChargeAssumptions assumed, double most) {
    return "all rows move by %s steps in %s; %d charged windows move them by at most %s"
        .formatted(moved, norm, assumed.charges(), most);
  }

  /** A row is paid for by the charges of all windows that are in it. */
  @Override
  public Optional<String> chargeOf(Draw<Rows> draw, ChargeAssumptions assumed) {
    return Optional.empty();
  }
}
