// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.mechanism.running.Rows;
import java.util.List;
import java.util.Optional;

/**
 * Rows of sums over windows: a user's window is in the rows of later windows too, so all rows of
 * all subjects together may move by as much as all charges assume.
 *
 * @param sensitivity what the charge of one window assumes
 */
public record RowsJudge(GridSensitivity sensitivity) implements DrawJudge<Rows> {
  private static final double ROUNDING = 1 + 1e-9;

  @Override
  public List<String> tooFar(List<Pair<Rows>> pairs, Claim claim) {
    double squares = 0;
    for (Pair<Rows> pair : pairs) {
      for (long moved : pair.first().exact().minus(pair.second().exact())) {
        squares += (double) moved * moved;
      }
    }
    double most = claim.charges() * sensitivity.l2() * sensitivity.l2();
    return squares > most * ROUNDING
        ? List.of(
            "all rows move by %s steps in L2; %d charged windows move them by at most %s"
                .formatted(Math.sqrt(squares), claim.charges(), Math.sqrt(most)))
        : List.of();
  }

  /** A row is paid for by the charges of all windows that are in it. */
  @Override
  public Optional<String> chargeOf(Draw<Rows> draw, Claim claim) {
    return Optional.empty();
  }
}
