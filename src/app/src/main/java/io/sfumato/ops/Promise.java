// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import io.sfumato.accounting.Period;
import io.sfumato.pipeline.BudgetSpec;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.release.Plan;
import io.sfumato.release.PlanReport;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What is promised, without a formula; {@link PlanReport#protects} is exact. */
record Promise(Plan plan) {
  /** What is protected, in a few words. */
  String headline() {
    BudgetSpec budget = plan.pipeline().budget();
    String span =
        budget.period() instanceof Period.Lifetime
            ? " at any time"
            : budget.anySpan().map(any -> ", " + any.whatever()).orElse(" in a " + period());
    return switch (budget.unit()) {
      case USER -> "Protected: all that any one user did" + span + ".";
      case DATASET -> "Protected: all records of a subject" + span + ".";
      case RECORD -> "Protected: the content of any single record.";
    };
  }

  /** Whether ledgers are those of windows or of longer times. */
  String period() {
    return plan.pipeline().budget().period() instanceof Period.Window ? "window" : "period";
  }

  /** By how much outputs may tell of it. */
  String odds() {
    BudgetSpec budget = plan.pipeline().budget();
    double factor = Math.exp(budget.epsilon().value().doubleValue());
    String times =
        factor < 100
            ? String.format(Locale.ROOT, "%.1f", factor)
            : factor < 1e9 ? String.format(Locale.ROOT, "%,.0f", factor) : "e^" + budget.epsilon();
    return String.format(
            Locale.ROOT,
            "The outputs together change anyone's odds about %s by a factor of at most %s",
            what(budget),
            times)
        + (budget.delta().value().signum() == 0
            ? "."
            : ", except with probability " + budget.delta() + ".");
  }

  private static String what(BudgetSpec budget) {
    String time = budget.period().during();
    return switch (budget.unit()) {
      case USER -> "what a user did " + time;
      case DATASET -> "a subject's records " + time;
      case RECORD ->
          budget.period() instanceof Period.Window
              ? "the content of a record"
              : "the content of one record of every window " + time;
    };
  }

  /** What sums over windows are beside that; nothing where there are none. */
  Optional<String> sums() {
    List<String> names =
        plan.releases().stream()
            .map(PlannedRelease::spec)
            .filter(spec -> spec.windowsCounted() > 1)
            .map(ReleaseSpec::name)
            .toList();
    if (names.isEmpty()) {
      return Optional.empty();
    }
    String hold =
        names.stream().collect(Collectors.joining(", "))
            + (names.size() == 1 ? " holds" : " hold")
            + " earlier windows too: the guarantee covers all sums that contain a window.";
    return Optional.of(
        plan.pipeline().budget().period() instanceof Period.Lifetime
            ? hold
            : hold
                + " Over longer times such sums reveal more than independent windows, and more "
                + "than the guarantees of single periods add up to. To bound longer times, "
                + "choose a longer budget.period.");
  }
}
