// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.gate.Draw;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.additive.AdditiveNoise;
import io.sfumato.mechanism.additive.GaussianNoise;
import io.sfumato.mechanism.additive.LaplaceNoise;
import io.sfumato.pipeline.ChargeAssumptions;
import io.sfumato.pipeline.LossChecker;
import io.sfumato.pipeline.Pair;
import io.sfumato.pipeline.Shifts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** Nodes of running counts: one noise serves all windows of a node. */
final class TreeLossChecker implements LossChecker<ExactVector> {
  /**
   * Let W windows of the user be charged: a node of 2^l windows moves by at most C min(W, 2^l), all
   * nodes of a level by at most C W, and all nodes together by at most W times what a window's
   * charge assumes, which is read off the charge itself.
   */
  @Override
  public List<String> tooFar(List<Pair<ExactVector>> pairs, ChargeAssumptions assumed) {
    List<String> far = new ArrayList<>();
    TreeMap<String, Double> levels = new TreeMap<>();
    Shifts all = Shifts.NONE;
    double most = assumed.l1() * assumed.charges() / assumed.chargesOfOneWindow();
    for (Pair<ExactVector> pair : pairs) {
      NodeDraw node = (NodeDraw) pair.first();
      Shifts moved = Shifts.of(node.exact().values(), pair.second().exact().values());
      all = all.plus(moved);
      double bound = Math.min(most, assumed.l1() * (1L << node.level()));
      if (moved.l1() > bound) {
        far.add(
            "node %s of level %d moves by %s; %d charged windows move it by at most %s"
                .formatted(node.id().text(), node.level(), moved.l1(), assumed.charges(), bound));
      }
      // Trees follow each other: each has levels of its own.
      levels.merge(node.since() + " level " + node.level(), moved.l1(), Double::sum);
    }
    levels.forEach(
        (level, moved) -> {
          if (moved > most) {
            far.add(
                "nodes of tree %s move by %s; %d charged windows move them by at most %s"
                    .formatted(level, moved, assumed.charges(), most));
          }
        });
    if (!pairs.isEmpty()) {
      excess(((NodeDraw) pairs.get(0).first()).mechanism().noise(), assumed, all)
          .ifPresent(far::add);
    }
    return far;
  }

  private static Optional<String> excess(
      AdditiveNoise noise, ChargeAssumptions assumed, Shifts all) {
    double rounding = 1 + 1e-9;
    if (noise instanceof GaussianNoise) {
      // The curve is L D^2 / (2 sigma^2).
      double perCharge = assumed.charge().curve().at(2) * noise.deviation() * noise.deviation();
      return all.squaredL2() > assumed.charges() * perCharge * rounding
          ? Optional.of(
              "all nodes move by %s in squared L2; %d charges assume %s each"
                  .formatted(all.squaredL2(), assumed.charges(), perCharge))
          : Optional.empty();
    }
    OptionalDouble pure = assumed.charge().pure();
    double perCharge = pure.orElse(Double.POSITIVE_INFINITY) * ((LaplaceNoise) noise).scale();
    return all.l1() > assumed.charges() * perCharge * rounding
        ? Optional.of(
            "all nodes move by %s in L1; %d charges assume %s each"
                .formatted(all.l1(), assumed.charges(), perCharge))
        : Optional.empty();
  }

  /** A node is paid for by the charges of all its windows. */
  @Override
  public Optional<String> chargeOf(Draw<ExactVector> draw, ChargeAssumptions assumed) {
    return Optional.empty();
  }
}
