// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import io.sfumato.accounting.LossReport.Claim;
import io.sfumato.accounting.LossReport.Counted;
import io.sfumato.accounting.Period;
import io.sfumato.pipeline.BudgetSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.release.LongRun;
import io.sfumato.release.Plan;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

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
   * @param run what its outputs come to by adding up
   * @param claims all charges, composed by Rényi curves or pure sums, at that delta; the smallest
   *     first
   */
  public record Stretch(String said, LongRun run, List<Claim> claims) {
    /** The smallest; nothing where none is known. */
    Optional<Claim> best() {
      return claims.stream().findFirst();
    }

    /** Whether epsilons at this delta say anything. */
    boolean isBounded() {
      return run.delta().compareTo(BigDecimal.ONE) < 0;
    }
  }

  static Total of(Plan plan) {
    List<PlannedRelease> all = plan.releases();
    BudgetSpec budget = plan.pipeline().budget();
    List<Stretch> longer = new ArrayList<>();
    List<String> sharesNoise = List.of();
    for (int days : DAYS) {
      Optional<LongRun> run = LongRun.of(plan, Duration.ofDays(days));
      sharesNoise = run.map(LongRun::unbounded).orElse(List.of());
      if (run.isPresent() && sharesNoise.size() < all.size()) {
        if (!longer.isEmpty()
            && longer.get(longer.size() - 1).run().periods() == run.get().periods()) {
          longer.remove(longer.size() - 1);
        }
        longer.add(stretch(said(days), run.get(), all));
      }
    }
    return new Total(
        sum(all, release -> release.share().epsilon().value()),
        sum(all, release -> release.share().delta().value()),
        Losses.of(charges(all, 1), forNoise(all, 1, budget.delta().value())),
        longer,
        longerSaid(plan.pipeline()),
        switch (budget.unit()) {
          case RECORD -> "one record in every window";
          case DATASET -> "all records of one subject";
          case USER -> "all that one user does";
        },
        sharesNoise);
  }

  private static Stretch stretch(String said, LongRun run, List<PlannedRelease> all) {
    List<PlannedRelease> apart =
        all.stream().filter(release -> release.spec().windowsCounted() == 1).toList();
    BigDecimal delta = run.delta();
    if (delta.compareTo(BigDecimal.ONE) >= 0) {
      return new Stretch(said, run, List.of());
    }
    // Of a chain nothing better than the sum is known.
    double chained =
        run.parts().stream()
            .filter(part -> part.sharesNoise() && !run.unbounded().contains(part.output()))
            .mapToDouble(part -> part.epsilon().doubleValue())
            .reduce(0, (sum, next) -> Math.nextUp(sum + Math.nextUp(next)));
    List<Claim> claims =
        apart.isEmpty()
            ? List.of(new Claim("pure", chained, 0))
            : Losses.quickly(charges(apart, run.periods()), forNoise(apart, run.periods(), delta))
                .stream()
                .map(
                    claim ->
                        chained == 0
                            ? claim
                            : new Claim(
                                claim.accountant(), Math.nextUp(claim.epsilon() + chained), 0))
                .toList();
    return new Stretch(said, run, claims);
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

  private static String said(int days) {
    return String.format(Locale.ROOT, "%,d days", days);
  }

  private static String longerSaid(Pipeline pipeline) {
    if (pipeline.budget().period() instanceof Period.Lifetime) {
      return "The budget is for a lifetime: this is the total loss.";
    }
    return switch (pipeline.budget().unit()) {
      case RECORD ->
          "A record is in one window, so the loss of one record does not grow with time. A "
              + "person with a record in every window loses with each of them. For one record in "
              + "every window, all attacked together, the loss is at most:";
      case DATASET ->
          "For a subject whose records of all that time are attacked together, the loss is at "
              + "most:";
      case USER ->
          "For a user who has records all that time, all attacked together, the loss is at most:";
    };
  }
}
