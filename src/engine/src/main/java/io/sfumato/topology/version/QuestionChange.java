// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.version;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.Selections;
import io.sfumato.release.Plan;
import io.sfumato.topology.context.PipelineStopException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a version may change of outputs that are about records, categories or windows of their own.
 * They may come and go. One that stays, or comes back, is about the same records: what it remembers
 * is about these. A count of the users of the last windows does not come back.
 *
 * @param layout how the state was made
 * @param terms what the budget has granted
 */
record QuestionChange(Map<String, String> layout, BudgetTerms terms) {
  /** Of an output that is about what the file says for all. */
  private static final String OF_FILE = "1 0";

  /** Throws if a file must not work on the state. */
  void require(Map<String, String> next, Plan plan) {
    for (ReleaseSpec release : plan.pipeline().releases()) {
      String what = Plan.RECORDS_OF + release.share().ledger();
      boolean wasThere =
          terms.shares().stream()
              .anyMatch(share -> share.ledger().equals(release.share().ledger()));
      if (wasThere
          && !layout.getOrDefault(what, OF_FILE).equals(next.getOrDefault(what, OF_FILE))) {
        throw new PipelineStopException(
            "output '%s': this version has another 'where', 'category' or 'window' for it, or counts users of the last windows with outputs that come before it now. Leave these as they were, or give the output and its 'share.ledger' a new name: it is then another output, and the old one is dropped"
                .formatted(release.name()));
      }
      if (wasThere && remembersUsers(release) && !isInUse(release)) {
        throw new PipelineStopException(
            "output '%s': the version before did not have it, and no longer knows which users were in the last windows. Give the output and its 'share.ledger' a new name"
                .formatted(release.name()));
      }
    }
    next.forEach((what, categories) -> requireAppended(what, categories, plan));
  }

  /**
   * Whether it counts users of the last windows. What its subjects remember and what is kept of its
   * users must go on together: a user whom only one of them knows would count twice.
   */
  private static boolean remembersUsers(ReleaseSpec release) {
    return release.cells().filter(cells -> cells.last() > 1).isPresent();
  }

  private boolean isInUse(ReleaseSpec release) {
    return terms.shares().stream()
        .anyMatch(share -> share.isInUse() && share.ledger().equals(release.share().ledger()));
  }

  /** Counts are stored by their category's place. */
  private void requireAppended(String what, String categories, Plan plan) {
    String known = layout.get(what);
    if (what.startsWith(Plan.CATEGORIES_OF)
        && known != null
        && !(categories + "\n").startsWith(known + "\n")) {
      throw new PipelineStopException(
          "categories of %s: the state was made with %s, this program has %s (the category for unknown values comes last unless the list names it). Append new categories behind those that are there"
              .formatted(
                  outputs(plan.pipeline(), what),
                  List.of(known.split("\n")),
                  List.of(categories.split("\n"))));
    }
  }

  private static String outputs(Pipeline pipeline, String what) {
    Selections selections = Selections.of(pipeline);
    int selection =
        selections.ids().indexOf(Integer.parseInt(what.substring(Plan.CATEGORIES_OF.length())));
    return pipeline.releases().stream()
        .filter(release -> selections.of(release) == selection)
        .map(release -> "'" + release.name() + "'")
        .collect(Collectors.joining(", "));
  }
}
