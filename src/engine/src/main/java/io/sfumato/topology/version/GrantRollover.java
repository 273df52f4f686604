// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.version;

import io.sfumato.accounting.BudgetShare;
import io.sfumato.accounting.Period;
import io.sfumato.pipeline.BudgetSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.WindowSpec.Clock;
import io.sfumato.topology.context.PipelineStopException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Where a budget goes over to another file: which shares that were granted before still count.
 *
 * @param pipeline that begins
 * @param last number of the last period whose charges are added up with any of before
 * @param live number of the first period that anybody may still charge: whoever goes on with this
 *     budget later may begin before the file does
 * @param now number of the first period that the file charges
 */
record GrantRollover(Pipeline pipeline, long last, long live, long now) {
  /**
   * That at a time; of a budget that begins, the beginning of time.
   *
   * @param from nothing that starts earlier is released by the file, nor anything later by those
   *     before
   */
  static GrantRollover of(Pipeline pipeline, long from) {
    if (from == Long.MIN_VALUE) {
      return new GrantRollover(pipeline, from, from, from);
    }
    Period periods = pipeline.budget().period();
    // Windows that lie before the file's first one are never released.
    long first = Math.max(from, pipeline.window().begin().orElse(from));
    return new GrantRollover(
        pipeline,
        periods.lastWith(periods.indexOf(from - 1)),
        periods.indexOf(from),
        periods.indexOf(first));
  }

  /** Shares of before, none of them in use any more. */
  List<GrantedShare> ended(List<GrantedShare> shares) {
    return shares.stream().map(share -> share.isInUse() ? share.until(last) : share).toList();
  }

  /** Those and what is in use now, by name, first what ended first. */
  List<GrantedShare> inOrder(List<GrantedShare> ended, Map<String, GrantedShare> inUse) {
    return Stream.concat(
            ended.stream().filter(old -> isRemembered(old, inUse.keySet())),
            inUse.values().stream())
        .sorted(Comparator.comparing(GrantedShare::ledger).thenComparingLong(GrantedShare::until))
        .toList();
  }

  /**
   * A share whose name is in use again is one with that where they charge the same periods. Where
   * they do not, it still counts for whoever begins before the file does; else it is over.
   */
  private boolean isRemembered(GrantedShare old, Set<String> inUse) {
    return !inUse.contains(old.ledger()) || old.countsIn(live) && !old.countsIn(now);
  }

  /**
   * Refuses a share that goes on as another.
   *
   * @throws PipelineStopException with what to do
   */
  void requireSameTerms(GrantedShare old, PlannedRelease release) {
    BudgetShare share = release.share();
    if (!old.sameTerms(pipeline, release)) {
      throw new PipelineStopException(
          ("share '%s' was granted epsilon %s, delta %s, composed with %s, for this whole "
                  + "period; the file plans epsilon %s, delta %s, composed with %s. Restore the "
                  + "release's share, windows, method and categories, or give it a share of its "
                  + "own with 'share: {..., ledger: NEW}', which the budget must cover beside the "
                  + "old one%s")
              .formatted(
                  share.name(),
                  old.epsilon(),
                  old.delta(),
                  GrantedShare.words(old.filter()),
                  share.epsilon(),
                  share.delta(),
                  GrantedShare.words(GrantedShare.countingOf(pipeline, release)),
                  fromWhenOn(List.of(old))));
    }
  }

  /**
   * Basic composition over every share that may have been charged in a period.
   *
   * @throws PipelineStopException if they are more than the budget
   */
  void requireCovered(List<GrantedShare> shares) {
    BudgetSpec budget = pipeline.budget();
    BigDecimal sumOfEpsilons = BigDecimal.ZERO;
    BigDecimal sumOfDeltas = BigDecimal.ZERO;
    List<GrantedShare> gone = new ArrayList<>();
    for (GrantedShare share : shares) {
      if (share.countsIn(now)) {
        sumOfEpsilons = sumOfEpsilons.add(share.epsilon().value());
        sumOfDeltas = sumOfDeltas.add(share.delta().value());
        if (!share.isInUse()) {
          gone.add(share);
        }
      }
    }
    if (sumOfEpsilons.compareTo(budget.epsilon().value()) > 0
        || sumOfDeltas.compareTo(budget.delta().value()) > 0) {
      throw new PipelineStopException(
          ("the shares granted in this period add up to epsilon %s, delta %s, the budget is %s, "
                  + "%s. The file no longer has %s, whose share stays reserved: if an output was "
                  + "renamed, keep its ledger with 'share: {..., ledger: OLD}'; otherwise lower "
                  + "the new shares, or start with a new period%s")
              .formatted(
                  sumOfEpsilons.toPlainString(),
                  sumOfDeltas,
                  budget.epsilon(),
                  budget.delta(),
                  gone.stream().map(GrantedShare::ledger).toList(),
                  fromWhenOn(gone)));
    }
  }

  /** When every period, or span, that holds a window of shares that end now is over. */
  private String fromWhenOn(List<GrantedShare> ending) {
    OptionalLong until =
        ending.stream().filter(share -> !share.isInUse()).mapToLong(GrantedShare::until).max();
    Period period = pipeline.budget().period();
    boolean ends =
        period instanceof Period.Span
            || (period instanceof Period.Fixed || period instanceof Period.Local)
                && pipeline.window().clock() == Clock.TICKS;
    return !ends || until.isEmpty()
        ? ""
        : (". Windows that start before %s share %s with what was charged: let a version without"
                + " them take over now and this one then, or carry the ledger over to a pipeline"
                + " whose 'window.begin' is that")
            .formatted(
                pipeline.window().timeText(period.endOf(until.getAsLong())),
                pipeline.budget().anySpan().map(Period.Span::spoken).orElse("a period"));
  }
}
