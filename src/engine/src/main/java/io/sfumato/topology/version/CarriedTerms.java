// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.version;

import io.sfumato.accounting.Period;
import io.sfumato.pipeline.BudgetSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.WindowSpec.Clock;
import io.sfumato.release.Plan;
import io.sfumato.topology.context.PipelineStopException;
import java.util.List;
import java.util.Optional;

/**
 * The terms of a sealed budget as another pipeline file goes on with them.
 *
 * <p>A budget may be lowered at any time: what was granted still has to fit. It may be raised from
 * a period on that holds no window of before: every earlier period then keeps the bound that it was
 * promised, and every later one has the new bound. The floor rises to the start of that period, so
 * that no later file can begin before it with the higher budget. Unit and period never change: what
 * was charged counts another thing, or adds up over other windows.
 *
 * @param terms with epsilon and delta of the file
 * @param floor no window that starts before it is released again, milliseconds since 1970; {@link
 *     Long#MIN_VALUE} if no window was closed
 */
public record CarriedTerms(BudgetTerms terms, long floor) {

  /**
   * How a file goes on.
   *
   * @param sealed what the sealed budget granted
   * @param floor where it was sealed, milliseconds since 1970
   * @throws PipelineStopException if the file promises something else about windows that share a
   *     period with windows of before
   */
  public static CarriedTerms of(BudgetTerms sealed, Plan plan, long floor) {
    Pipeline pipeline = plan.pipeline();
    requireSameKind(sealed, pipeline.budget());
    if (!raises(sealed, plan)) {
      return checked(new CarriedTerms(with(sealed, plan, sealed.shares()), floor), plan);
    }
    GrantRollover rollover = GrantRollover.of(pipeline, floor);
    if (rollover.last() >= rollover.now()) {
      throw raisedTooEarly(sealed, pipeline, rollover.last());
    }
    long first = Math.max(floor, pipeline.window().begin().orElse(floor));
    return checked(
        new CarriedTerms(with(sealed, plan, rollover.ended(sealed.shares())), first), plan);
  }

  /**
   * How a file goes on from the first window on that shares no period with a window of before.
   *
   * @param sealed what the sealed budget granted
   * @param floor where it was sealed, milliseconds since 1970
   * @throws PipelineStopException if the budget's unit or period differs, or there is no such
   *     window
   */
  public static CarriedTerms fromNextPeriod(BudgetTerms sealed, Plan plan, long floor) {
    Pipeline pipeline = plan.pipeline();
    requireSameKind(sealed, pipeline.budget());
    if (floor == Long.MIN_VALUE || pipeline.budget().period() instanceof Period.Lifetime) {
      return of(sealed, plan, floor);
    }
    GrantRollover rollover = GrantRollover.of(pipeline, floor);
    long end = pipeline.budget().period().endOf(rollover.last());
    long first = Math.max(end, pipeline.window().begin().orElse(end));
    return checked(
        new CarriedTerms(with(sealed, plan, rollover.ended(sealed.shares())), first), plan);
  }

  /** Whether a file's budget has a higher epsilon or delta than was granted. */
  public static boolean raises(BudgetTerms sealed, Plan plan) {
    BudgetSpec budget = plan.pipeline().budget();
    return budget.epsilon().compareTo(sealed.epsilon()) > 0
        || budget.delta().compareTo(sealed.delta()) > 0;
  }

  /**
   * Why a file can never go on with a ledger, wherever and whenever that is sealed.
   *
   * @param granted what the budget has granted
   * @return one or two sentences; nothing if there is a time from which the file can go on
   */
  static Optional<String> refusal(BudgetTerms granted, Plan plan) {
    // A floor in 1970: what it says of lifetimes and units holds of every other one.
    try {
      fromNextPeriod(granted, plan, 0);
      return Optional.empty();
    } catch (PipelineStopException e) {
      return Optional.of(e.getMessage());
    }
  }

  private static BudgetTerms with(BudgetTerms sealed, Plan plan, List<GrantedShare> shares) {
    BudgetSpec budget = plan.pipeline().budget();
    boolean same =
        budget.epsilon().compareTo(sealed.epsilon()) == 0
            && budget.delta().compareTo(sealed.delta()) == 0;
    return new BudgetTerms(
        sealed.unit(),
        same ? sealed.epsilon() : budget.epsilon(),
        same ? sealed.delta() : budget.delta(),
        sealed.period(),
        sealed.charges(),
        shares);
  }

  private static CarriedTerms checked(CarriedTerms carried, Plan plan) {
    carried.terms.extended(plan, carried.floor);
    return carried;
  }

  private static void requireSameKind(BudgetTerms sealed, BudgetSpec budget) {
    if (!sealed.unit().equals(budget.unit().word())
        || !sealed.period().equals(budget.period().word())) {
      throw new PipelineStopException(
          ("the ledger counts charges by unit %s and period %s; the file has unit %s and period "
                  + "%s. Put budget.unit and budget.period back. Or give the pipeline and its "
                  + "budget new names and start without this ledger: the new loss adds to the "
                  + "former one")
              .formatted(
                  sealed.unit(), sealed.period(), budget.unit().word(), budget.period().word()));
    }
  }

  private static PipelineStopException raisedTooEarly(
      BudgetTerms sealed, Pipeline pipeline, long last) {
    BudgetSpec budget = pipeline.budget();
    Period period = budget.period();
    String what =
        "budget '%s' has epsilon %s, delta %s in the file, and the ledger was granted %s, %s for the running period. A running period keeps its bound"
            .formatted(
                budget.name(), budget.epsilon(), budget.delta(), sealed.epsilon(), sealed.delta());
    if (period instanceof Period.Lifetime) {
      return new PipelineStopException(
          what
              + ", and a lifetime never ends: restore them, or lower them. For more, give the "
              + "pipeline and its budget new names and start without this ledger: the new "
              + "loss adds to the former one");
    }
    if (last == Long.MIN_VALUE) {
      return new PipelineStopException(
          what
              + ", and no window has closed yet: nothing was released. Give the pipeline and its"
              + " budget other names, and run it without this ledger");
    }
    if (pipeline.window().clock() == Clock.RECORDS) {
      return new PipelineStopException(
          what + ": seal the ledger when the last window of a period has closed");
    }
    long next = pipeline.window().firstStartFrom(period.endOf(last));
    return new PipelineStopException(
        what
            + ": let the file's windows begin with the next period, window: {..., begin: %s}"
                .formatted(pipeline.window().startText(next)));
  }
}
