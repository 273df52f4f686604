// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.gate.Draw;
import io.sfumato.mechanism.partitionselection.DiscoveryMechanism;
import io.sfumato.mechanism.partitionselection.NameBounds;
import io.sfumato.mechanism.partitionselection.NameCount;
import io.sfumato.mechanism.partitionselection.UnlistedCount;
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
 * Windows' own counts of names.
 *
 * @param mechanism that draws them
 * @param bounds of a user
 * @param rest what is told beside names
 * @param chance d: with which names of one user alone may pass in one window
 */
record NamesLossChecker(
    DiscoveryMechanism mechanism, NameBounds bounds, UnlistedCount rest, double chance)
    implements LossChecker<NameCount> {
  @Override
  public List<String> tooFar(List<Pair<NameCount>> pairs, ChargeAssumptions assumed) {
    return Shifts.tooFar(
        pairs,
        pair -> Shifts.of(pair.first().exact().values(), pair.second().exact().values()),
        this::excess);
  }

  private Optional<String> excess(Shifts moved) {
    return moved.l1() > rest.l1(bounds) || moved.squaredL2() > rest.squaredL2(bounds)
        ? Optional.of(
            "counts of all names move by %s in L1 and %s in squared L2; the charge assumes %d and %d"
                .formatted(moved.l1(), moved.squaredL2(), rest.l1(bounds), rest.squaredL2(bounds)))
        : Optional.empty();
  }

  /**
   * A name that is not public, and that nobody has but one user, is drawn where that one is there:
   * it passes with the chance that the threshold leaves at most, all of a window's together. What
   * is public in one run alone differs in what was published.
   */
  @Override
  public List<String> drawnAlone(List<Draw<NameCount>> draws, ChargeAssumptions assumed) {
    List<String> wrong = new ArrayList<>();
    SingletonKeys lone = new SingletonKeys(mechanism, chance, "names");
    for (Draw<NameCount> draw : draws) {
      if (((NamedDraw<NameCount>) draw).listed()) {
        continue;
      }
      long records = draw.exact().users();
      if (records > bounds.perName()) {
        wrong.add("one run alone draws a name of several users: " + draw.id().windowStart());
      } else {
        lone.add(draw.id().windowStart(), records);
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
