// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.version;

import io.sfumato.accounting.BudgetShare;
import io.sfumato.pipeline.BudgetSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.release.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where a file differs from the one that its state was made with, as far as the state knows: it
 * keeps what was granted in words, and of the rest of the file a digest.
 */
public final class Differences {
  private final List<String> found = new ArrayList<>();

  private Differences() {}

  /** Says what differs, and what to compare where the state does not know it. */
  public static String of(BudgetTerms terms, Plan plan) {
    Differences differences = new Differences();
    differences.budget(terms, plan.pipeline().budget());
    for (PlannedRelease release : plan.releases()) {
      differences.release(terms, plan.pipeline(), release);
    }
    terms.shares().stream()
        .filter(GrantedShare::isInUse)
        .map(GrantedShare::ledger)
        .filter(ledger -> plan.releases().stream().noneMatch(r -> r.share().name().equals(ledger)))
        .forEach(ledger -> differences.found.add("the share '" + ledger + "' is not in the file"));
    return differences.found.isEmpty()
        ? "the parts that the state stores in full (input fields, window size, categories, "
            + "budget, shares and their charges) are the same. Of the rest it stores only a "
            + "digest, so it cannot name the difference: compare the two files' window.grace, "
            + "max-jump and ahead, input.other and max-bytes, and the outputs' names, order, "
            + "topics, format, by, running, over and output; of 'discover', also most and "
            + "forget-names; of queries, also candidates, keep and waiting"
        : "what differs: " + String.join("; ", differences.found);
  }

  private void budget(BudgetTerms terms, BudgetSpec budget) {
    compare("budget.unit", terms.unit(), budget.unit().word());
    compare("budget.epsilon", terms.epsilon(), budget.epsilon());
    compare("budget.delta", terms.delta(), budget.delta());
    compare("budget.period", terms.period(), budget.period().word());
  }

  private void release(BudgetTerms terms, Pipeline pipeline, PlannedRelease release) {
    BudgetShare share = release.share();
    String output = "output '" + release.spec().name() + "'";
    Optional<GrantedShare> granted =
        terms.shares().stream()
            .filter(GrantedShare::isInUse)
            .filter(s -> s.ledger().equals(share.name()))
            .findFirst();
    if (granted.isEmpty()) {
      found.add(output + " is new, or renamed");
      return;
    }
    compare(output + ", share.epsilon", granted.get().epsilon(), share.epsilon());
    compare(output + ", share.delta", granted.get().delta(), share.delta());
    boolean known =
        granted.get().filter().equals(GrantedShare.countingOf(pipeline, release))
            && granted.get().costs().containsKey(terms.chargeId(release.charge()));
    if (!known) {
      found.add(
          output
              + ", what it charges ("
              + release.charge().mechanism()
              + " in the file): its method, calibration, windows, running, over, plan-size,"
              + " least-count, categories, contributions or the budget's pace");
    }
  }

  private <T extends Comparable<? super T>> void compare(String field, T state, T file) {
    if (state.compareTo(file) != 0) {
      found.add("%s (the state has %s, the file %s)".formatted(field, state, file));
    }
  }
}
