// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.gate.Draw;
import io.sfumato.mechanism.continual.Rows;
import io.sfumato.mechanism.continual.RunningMechanism;
import io.sfumato.mechanism.continual.RunningSums;
import io.sfumato.mechanism.partitionselection.NameBounds;
import io.sfumato.mechanism.partitionselection.RunningDiscovery;
import io.sfumato.pipeline.ChargeAssumptions;
import io.sfumato.pipeline.LossChecker;
import io.sfumato.pipeline.NamedDraw;
import io.sfumato.pipeline.Pair;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Rows of names over windows, coarse and fine ones: together they move by as much as all charges
 * assume, a coarse row by less as its noise is larger.
 *
 * @param plan noise of both, and the thresholds
 */
record RunningNamesLossChecker(RunningDiscovery plan) implements LossChecker<Rows> {
  private static final double ROUNDING = 1 + 1e-9;

  @Override
  public List<String> tooFar(List<Pair<Rows>> pairs, ChargeAssumptions assumed) {
    double squares = 0;
    for (Pair<Rows> pair : pairs) {
      RunningMechanism rows = (RunningMechanism) pair.first().mechanism();
      double scale = rows.equals(plan.coarse()) ? plan.ratio() : 1;
      for (long moved : rows.moved(pair.first().exact(), pair.second().exact())) {
        squares += moved / scale * (moved / scale);
      }
    }
    double l2 = plan.fine().sensitivity().l2();
    double most = assumed.charges() * l2 * l2;
    return squares > most * ROUNDING
        ? List.of(
            "all rows move by %s steps in L2; %d charges move them by at most %s"
                .formatted(Math.sqrt(squares), assumed.charges(), Math.sqrt(most)))
        : List.of();
  }

  /**
   * Names of one user alone pass with the chance that thresholds leave, all tests together. A row
   * of more records than one user may give is another's: that name was found in one run alone.
   */
  @Override
  public List<String> drawnAlone(List<Draw<Rows>> draws, ChargeAssumptions assumed) {
    NameBounds alone = plan.bounds().exposed(plan.tests()).names();
    double passing = 0;
    for (Draw<Rows> draw : draws) {
      if (!((NamedDraw<Rows>) draw).listed()
          && draw.mechanism().equals(plan.coarse())
          && records(draw) <= alone.perName()) {
        passing += plan.passing(testOf(draw, assumed), alone.perName());
      }
    }
    double most = plan.thresholdDelta().doubleValue();
    List<String> wrong = new ArrayList<>();
    if (passing > most * ROUNDING) {
      wrong.add(
          "names of one user alone pass with probability %.6g; the thresholds' part of delta allows %.6g"
              .formatted(passing, most));
    }
    return wrong;
  }

  /** What a coarse row holds. */
  private double records(Draw<Rows> draw) {
    Rows nothing = RunningSums.start(plan.coarse().coefficients(), 1).rows(new long[] {0});
    return Math.scalb(
        (double) plan.coarse().moved(draw.exact(), nothing)[0], -RunningSums.TOLD_DIGITS);
  }

  private int testOf(Draw<Rows> draw, ChargeAssumptions assumed) {
    return plan.tests()
        .of(
            RunningNamesSampler.placeOf(
                assumed.pipeline().window(), draw.id().windowStart(), plan.tests().windows()));
  }

  @Override
  public OptionalDouble divergence(double order, Pair<Rows> pair) {
    return pair.first().mechanism().divergence(order, pair.first().exact(), pair.second().exact());
  }

  /** A row is paid for by the charges of all windows, or records, that are in it. */
  @Override
  public Optional<String> chargeOf(Draw<Rows> draw, ChargeAssumptions assumed) {
    return Optional.empty();
  }
}
