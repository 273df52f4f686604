// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.accounting.Charge;
import io.sfumato.accounting.Share;
import io.sfumato.mechanism.count.CountPlan;
import io.sfumato.mechanism.count.CountTree;
import io.sfumato.noise.Framing;
import java.util.List;
import java.util.Optional;

/**
 * Counts.
 *
 * @param spec of the file
 * @param plan the candidate with the narrowest error bars
 * @param candidates the plans among which the method chose, at least one
 * @param former the plan of earlier programs, where it was another
 */
public record PlannedCounts(
    CountSpec spec, CountPlan plan, List<CountPlan> candidates, Optional<CountPlan> former)
    implements PlannedRelease {
  @Override
  public void digest(Framing digest) {
    digest
        .text(
            switch (spec.grouping()) {
              case CATEGORY -> "CATEGORY";
              case TOTAL -> "TOTAL";
              case LEFT_OUT -> "LEFT_OUT";
            })
        .number(spec.running().map(CountTree::windows).orElse(0));
  }

  @Override
  public Optional<PlannedRelease> formerly() {
    return former.map(plan -> new PlannedCounts(spec, plan, List.of(plan), Optional.empty()));
  }

  @Override
  public Share share() {
    return plan.share();
  }

  @Override
  public Charge charge() {
    return plan.mechanism().charge();
  }
}
