// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.subjects;

import io.sfumato.gate.Draw;
import io.sfumato.mechanism.partitionselection.DiscoveryMechanism;
import io.sfumato.mechanism.partitionselection.NameBounds;
import io.sfumato.mechanism.partitionselection.NameCount;
import io.sfumato.pipeline.ChargeAssumptions;
import io.sfumato.pipeline.LossChecker;
import io.sfumato.pipeline.NamedDraw;
import io.sfumato.pipeline.Pair;
import io.sfumato.pipeline.Shifts;
import io.sfumato.pipeline.SingletonKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Numbers of users.
 *
 * @param mechanism that draws them
 * @param bounds of a user
 * @param chance d: with which subjects of one user alone may pass in one window
 * @param most public subjects of a partition
 */
record SubjectsLossChecker(DiscoveryMechanism mechanism, NameBounds bounds, double chance, int most)
    implements LossChecker<NameCount> {
  /** Logs of audits have a handful of subjects: a longer list is never full. */
  private static final int HANDFUL = 10;

  @Override
  public List<String> tooFar(List<Pair<NameCount>> pairs, ChargeAssumptions assumed) {
    return Shifts.tooFar(
        pairs,
        pair -> Shifts.of(pair.first().exact().values(), pair.second().exact().values()),
        this::excess);
  }

  private Optional<String> excess(Shifts moved) {
    return moved.l1() > bounds.counted() || moved.squaredL2() > bounds.squaredNorm()
        ? Optional.of(
            "numbers of users of all subjects move by %s in L1 and %s in squared L2; the charge assumes %d and %d"
                .formatted(moved.l1(), moved.squaredL2(), bounds.counted(), bounds.squaredNorm()))
        : Optional.empty();
  }

  /**
   * A subject that is not public, and has no user but one, is drawn where that one is there: it
   * passes with the chance that the threshold leaves at most, all of a window's together. What was
   * public in one run alone differs in what was published.
   */
  @Override
  public List<String> drawnAlone(List<Draw<NameCount>> draws, ChargeAssumptions assumed) {
    List<String> wrong = new ArrayList<>();
    SingletonKeys lone = new SingletonKeys(mechanism, chance, "subjects");
    for (Draw<NameCount> draw : draws) {
      if (((NamedDraw<NameCount>) draw).listed()) {
        continue;
      }
      long users = draw.exact().users();
      if (users > 1 && most >= HANDFUL) {
        wrong.add(
            "draw %s: one run alone draws a subject of several users".formatted(draw.id().text()));
      } else if (users <= 1) {
        lone.add(draw.id().windowStart(), users);
      }
    }
    wrong.addAll(lone.wrong(assumed));
    return wrong;
  }

  @Override
  public Optional<String> chargeOf(Draw<NameCount> draw, ChargeAssumptions assumed) {
    return assumed.chargeOf(draw);
  }
}
