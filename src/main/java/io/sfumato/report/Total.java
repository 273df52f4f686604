// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import io.sfumato.accounting.LossReport.Claim;
import io.sfumato.accounting.LossReport.Counted;
import io.sfumato.accounting.Period;
import io.sfumato.pipeline.BudgetSpec;
import io.sfumato.pipeline.Lengths;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.release.Plan;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.commons.math3.util.ArithmeticUtils;

/**
 * What all outputs come to in a period, and beyond.
 *
 * @param sharesEpsilon all shares added up (basic composition)
 * @param sharesDelta likewise
 * @param together all that shares admit in one period, composed, at the budget's delta
 * @param longer the same over longer times; empty where the budget is for a lifetime
 * @param longerSaid what these figures are about
 * @param about the same in short
 * @param sharesNoise outputs whose windows share their noise: what several periods lose by them
 *     does not add up, so that no figure over longer times contains them
 */
public record Total(
    BigDecimal sharesEpsilon,
    BigDecimal sharesDelta,
    List<Claim> together,
    List<Stretch> longer,
    String longerSaid,
    String about,
    List<String> sharesNoise) {
  private static final int[] DAYS = {30, 365, 3650};

  /**
   * Several periods of somebody who is in all of them.
   *
   * @param said how long
   * @param periods how many budgets it meets at most, wherever it begins
   * @param delta that of a period, as often; from 1 on it bounds nothing by itself
   * @param claims all charges, composed by Rényi curves or pure sums, at that delta; the smallest
   *     first
   */
  public record Stretch(String said, long periods, BigDecimal delta, List<Claim> claims) {
    /** The smallest; nothing where none is known. */
    Optional<Claim> best() {
      return claims.stream().findFirst();
    }

    /** Whether epsilons at this delta say anything. */
    boolean isBounded() {
      return delta.compareTo(BigDecimal.ONE) < 0;
    }
  }

  static Total of(Plan plan) {
    List<PlannedRelease> all = plan.releases();
    List<PlannedRelease> apart =
        all.stream().filter(release -> release.spec().windowsCounted() == 1).toList();
    BudgetSpec budget = plan.pipeline().budget();
    List<Stretch> longer = new ArrayList<>();
    length(plan.pipeline())
        .filter(length -> !apart.isEmpty())
        .ifPresent(
            length -> {
              for (int days : DAYS) {
                long periods = met(days, length, plan.pipeline());
                if (!longer.isEmpty() && longer.get(longer.size() - 1).periods() == periods) {
                  longer.remove(longer.size() - 1);
                }
                longer.add(stretch(said(days), periods, budget.delta().value(), apart));
              }
            });
    return new Total(
        sum(all, release -> release.share().epsilon().value()),
        sum(all, release -> release.share().delta().value()),
        Losses.of(charges(all, 1), forNoise(all, 1, budget.delta().value())),
        longer,
        longerSaid(plan.pipeline()),
        switch (budget.unit()) {
          case RECORD -> "one record of every window";
          case DATASET -> "all records of one subject";
          case USER -> "all that one user does";
        },
        all.stream()
            .filter(release -> !apart.contains(release) && length(plan.pipeline()).isPresent())
            .map(release -> release.spec().name())
            .toList());
  }

  private static Stretch stretch(
      String said, long periods, BigDecimal delta, List<PlannedRelease> releases) {
    BigDecimal added = delta.multiply(BigDecimal.valueOf(periods));
    return new Stretch(
        said,
        periods,
        added,
        added.compareTo(BigDecimal.ONE) < 0
            ? Losses.quickly(charges(releases, periods), forNoise(releases, periods, added))
            : List.of());
  }

  private static List<Counted> charges(List<PlannedRelease> releases, long periods) {
    return releases.stream()
        .map(
            release ->
                new Counted(
                    release.charge(), Math.multiplyExact(periods, release.plan().releases())))
        .toList();
  }

  private static BigDecimal forNoise(
      List<PlannedRelease> releases, long periods, BigDecimal delta) {
    return delta.subtract(
        sum(releases, PlannedRelease::deltaBesides).multiply(BigDecimal.valueOf(periods)));
  }

  private static BigDecimal sum(
      List<PlannedRelease> releases, Function<PlannedRelease, BigDecimal> part) {
    return releases.stream().map(part).reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  /**
   * How many budgets so many days meet at most. Spans begin where one likes, and so many of them
   * cover the days. Otherwise a window belongs to the period that it starts in, so that days meet
   * the periods of all windows that they touch: of n that follow each other, the first of which
   * starts as late in its period as any does.
   */
  private static long met(int days, Duration length, Pipeline pipeline) {
    Duration time = Duration.ofDays(days);
    if (pipeline.budget().anySpan().isPresent()) {
      return Lengths.mostMet(time, length) - 1;
    }
    long size = pipeline.window().size().toMillis();
    long windows = Lengths.mostMet(time, pipeline.window().size());
    if (pipeline.budget().period() instanceof Period.Window) {
      return windows;
    }
    long period = length.toMillis();
    long grid = ArithmeticUtils.gcd(size, period);
    long latest = period - grid + Math.floorMod(pipeline.window().origin(), grid);
    return Math.floorDiv(latest + (windows - 1) * size, period) + 1;
  }

  private static String said(int days) {
    return days % 365 == 0 ? (days == 365 ? "a year" : days / 365 + " years") : days + " days";
  }

  /** How long one budget lasts; nothing for a lifetime. */
  private static Optional<Duration> length(Pipeline pipeline) {
    Period period = pipeline.budget().period();
    if (period instanceof Period.Window) {
      return Optional.of(pipeline.window().size());
    }
    if (period instanceof Period.Fixed fixed) {
      return Optional.of(fixed.length());
    }
    return pipeline.budget().anySpan().map(Period.Any::length);
  }

  private static String longerSaid(Pipeline pipeline) {
    if (length(pipeline).isEmpty()) {
      return "The budget is for a lifetime: there is nothing beyond it.";
    }
    return switch (pipeline.budget().unit()) {
      case RECORD ->
          "A record lies in one window, so the loss of one record does not grow with time. Somebody who has a record in every window loses a little by each of them; of one record in every window, all looked for at once, outputs reveal:";
      case DATASET ->
          "Of a subject all of whose records of that time are looked for at once, outputs reveal:";
      case USER ->
          "Of a user who is in the data all that time, and whose records of all of it are looked for at once, outputs reveal:";
    };
  }
}
