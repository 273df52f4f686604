// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.version;

import io.sfumato.accounting.BudgetShare;
import io.sfumato.accounting.ContinuedShare;
import io.sfumato.accounting.Period;
import io.sfumato.pipeline.BudgetSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.WindowSpec.Clock;
import io.sfumato.topology.context.PipelineStopException;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
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
  List<GrantedShare> inOrder(
      List<GrantedShare> ended,
      Map<String, GrantedShare> inUse,
      Map<String, ContinuedShare> continued) {
    return Stream.concat(
            ended.stream()
                .filter(
                    old ->
                        isRemembered(old, inUse.keySet())
                            || continued.containsKey(old.ledger()) && old.countsIn(now)),
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
   * How a share goes on while former shares of its name still count.
   *
   * @param costs of former charges as the share counts them, by their ids
   * @param both what holds for all charges together, where the terms differ
   */
  record Continuation(Map<Integer, Long> costs, Optional<ContinuedShare> both) {
    /**
     * Costs of the former charges and of the share's own one. Where the former terms charged the
     * same mechanism, ledgers cannot tell their charges from the share's own. Nor need they: what
     * one of them loses does not depend on the terms that it was made under.
     */
    SortedMap<Integer, Long> costsWith(int own, long cost) {
      TreeMap<Integer, Long> all = new TreeMap<>(costs);
      if (both.isPresent()) {
        all.put(own, cost);
      } else {
        all.merge(own, cost, Math::max);
      }
      return all;
    }
  }

  /**
   * How a share goes on: of users under other terms too, if these have a currency in common with
   * the former ones (docs/theory/versions.md, Theorem Q).
   *
   * @param ended shares that are not in use, of any name
   * @param charges of all shares, by their ids; the release's is one of them
   * @throws PipelineStopException if their charges cannot be added up with the new ones
   */
  Continuation continuing(List<GrantedShare> ended, PlannedRelease release, List<String> charges) {
    int own = charges.indexOf(release.charge().mechanism());
    List<GrantedShare> former =
        ended.stream()
            .filter(old -> old.ledger().equals(release.share().name()) && old.countsIn(now))
            .toList();
    List<GrantedShare> charged =
        former.stream().filter(old -> isCounted(old, release, own)).toList();
    Optional<ContinuedShare> both =
        charged.stream().anyMatch(old -> !old.sameTerms(pipeline, release))
                && canContinue(charged, release)
                && former.stream().noneMatch(old -> old.discovers(charges))
            ? ContinuedShare.of(terms(charged), release.share(), release.charge())
            : Optional.empty();
    Map<Integer, Long> costs = new TreeMap<>();
    for (GrantedShare old : former) {
      if (both.isEmpty()) {
        requireSameTerms(old, release);
      }
      old.costs()
          .forEach(
              (id, cost) ->
                  costs.merge(
                      id, both.isPresent() ? scaled(cost, old, release.share()) : cost, Math::max));
    }
    return new Continuation(costs, both);
  }

  /**
   * Whether a former share has terms of its own among those that are added up: other terms than the
   * file's, or the same ones but other charges, whose loss these terms bound in their own currency.
   */
  private boolean isCounted(GrantedShare old, PlannedRelease release, int own) {
    return !old.sameTerms(pipeline, release)
        || old.costs().keySet().stream().anyMatch(id -> id != own);
  }

  private static long scaled(long cost, GrantedShare old, BudgetShare share) {
    return ContinuedShare.cost(cost, old.terms().orElseThrow().filter(), share.filter());
  }

  private static List<ContinuedShare.Terms> terms(List<GrantedShare> former) {
    return former.stream().flatMap(old -> old.terms().stream()).toList();
  }

  /**
   * Of users, who are charged for windows, by one calendar, and for all of the share's delta. A
   * ledger that counts records, or thresholds of partition selection, goes on as it is: also where
   * the former version had them, in a ledger that was carried over.
   */
  private boolean canContinue(List<GrantedShare> former, PlannedRelease release) {
    return pipeline.population().isPresent()
        && !pipeline.discoversAmongUsers()
        && !release.spec().chargesRecords()
        && release.deltaBesides().signum() == 0
        && former.stream()
            .allMatch(old -> old.terms().isPresent() && old.countsSameWindows(pipeline, release));
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
                  + "release's share, windows, method, categories and contributions, or give it a "
                  + "share of its own with 'share: {..., ledger: NEW}', which the budget must cover "
                  + "beside the old one: epsilon %s, delta %s together%s")
              .formatted(
                  share.name(),
                  old.epsilon(),
                  old.delta(),
                  GrantedShare.words(old.filter()),
                  share.epsilon(),
                  share.delta(),
                  GrantedShare.words(GrantedShare.countingOf(pipeline, release)),
                  old.epsilon().value().add(share.epsilon().value()).toPlainString(),
                  old.delta().value().add(share.delta().value()),
                  fromWhenOn(List.of(old))));
    }
  }

  /**
   * Basic composition over every share that may have been charged in a period.
   *
   * @param continued what holds for shares whose former charges count with those of other terms
   * @throws PipelineStopException if they are more than the budget
   */
  void requireCovered(List<GrantedShare> shares, Map<String, ContinuedShare> continued) {
    BudgetSpec budget = pipeline.budget();
    BigDecimal sumOfEpsilons = BigDecimal.ZERO;
    BigDecimal sumOfDeltas = BigDecimal.ZERO;
    List<GrantedShare> counted = shares.stream().filter(share -> share.countsIn(now)).toList();
    for (GrantedShare share : counted) {
      Optional<ContinuedShare> both = Optional.ofNullable(continued.get(share.ledger()));
      if (share.isInUse() || both.isEmpty()) {
        sumOfEpsilons =
            sumOfEpsilons.add(both.map(ContinuedShare::epsilon).orElse(share.epsilon()).value());
        sumOfDeltas =
            sumOfDeltas.add(both.map(ContinuedShare::delta).orElse(share.delta()).value());
      }
    }
    if (sumOfEpsilons.compareTo(budget.epsilon().value()) > 0
        || sumOfDeltas.compareTo(budget.delta().value()) > 0) {
      throw new PipelineStopException(
          ("the shares granted in this period add up to epsilon %s, delta %s, the budget is %s, "
                  + "%s. %s%s")
              .formatted(
                  sumOfEpsilons.toPlainString(),
                  sumOfDeltas,
                  budget.epsilon(),
                  budget.delta(),
                  reserved(counted, continued),
                  fromWhenOn(counted)));
    }
  }

  /** Why shares count that the file does not have, or has with less, and what to do. */
  private static String reserved(
      List<GrantedShare> counted, Map<String, ContinuedShare> continued) {
    List<String> gone =
        counted.stream()
            .filter(share -> !share.isInUse() && !continued.containsKey(share.ledger()))
            .map(GrantedShare::ledger)
            .toList();
    if (!gone.isEmpty()) {
      return "The file no longer has %s, whose share stays reserved: if an output was renamed, keep its ledger with 'share: {..., ledger: OLD}'; otherwise lower the new shares, or start with a new period"
          .formatted(gone);
    }
    return continued.isEmpty()
        ? "Lower the new shares, or start with a new period"
        : "Windows of the former terms and of these lie in one period, where both together count as %s. Lower the new shares, or start with a new period"
            .formatted(
                continued.entrySet().stream()
                    .map(
                        share ->
                            "epsilon %s of '%s'"
                                .formatted(share.getValue().epsilon(), share.getKey()))
                    .sorted()
                    .collect(Collectors.joining(", ")));
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
