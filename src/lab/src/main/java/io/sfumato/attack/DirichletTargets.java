// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

import static io.sfumato.attack.CountTargets.ADDED;
import static io.sfumato.attack.CountTargets.PROMISE;
import static io.sfumato.attack.CountTargets.REPLACED;
import static io.sfumato.attack.CountTargets.REQUEST;

import io.sfumato.accounting.Accountant;
import io.sfumato.estimate.HistogramPlan;
import io.sfumato.estimate.PlanningModel;
import io.sfumato.estimate.dirichlet.DirichletCalibrator;
import io.sfumato.mechanism.Distribution;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.HistogramRelease;
import io.sfumato.mechanism.ItemCounts;
import io.sfumato.mechanism.dirichlet.DirichletBound;
import io.sfumato.mechanism.dirichlet.DirichletMechanism;
import java.util.List;
import java.util.Optional;

/** One draw y ~ Dirichlet(r f + a), and items drawn from it. */
public final class DirichletTargets {
  private static final int USER = 3;
  private static final int ITEMS = 2000;

  /** In steps of its weight: the heaviest record. */
  private static final long HEAVIEST = 3;

  static final long LEAST = 5;

  /** Where a total is protected, it tells least among so many others. */
  private static final long OTHERS = 2_000_000;

  private static final PlanningModel MODEL = PlanningModel.zipf(3, 1000);
  private static final String RENYI = CountTargets.RENYI;

  private DirichletTargets() {}

  /** All of them. */
  public static List<AttackTarget> all() {
    DirichletMechanism exact = plan(DirichletCalibrator.plan(REQUEST, Accountant.EXACT, MODEL));
    return List.of(
        replaced("Dirichlet (Theorem B)", exact, 1, 0),
        items(exact, ITEMS),
        replaced(
                "Dirichlet (Theorem A)",
                plan(DirichletCalibrator.plan(REQUEST, Accountant.RENYI, MODEL)),
                1,
                0)
            .because(RENYI),
        replaced(
                "Dirichlet (the paper's)",
                plan(DirichletCalibrator.plan(REQUEST, Accountant.PAPER, MODEL)),
                1,
                0)
            .because("the paper's bound, and its tie of a to r"),
        replaced(
            "Dirichlet, weights (F)",
            plan(
                DirichletCalibrator.exact(
                    REQUEST, new DirichletBound.ReplaceWeighted(HEAVIEST), MODEL)),
            HEAVIEST,
            0),
        replaced("Dirichlet, least count", leastPlan(), 1, LEAST),
        statistic(
                plan(DirichletCalibrator.renyi(REQUEST, new DirichletBound.Statistic(2, 1), MODEL)))
            .because(RENYI),
        users(plan(DirichletCalibrator.renyi(REQUEST, new DirichletBound.AddOrRemove(USER), MODEL)))
            .because(RENYI));
  }

  private static DirichletMechanism plan(Optional<HistogramPlan> plan) {
    return (DirichletMechanism) plan.orElseThrow().mechanism();
  }

  /** By the exact profile, for one replaced record. */
  public static DirichletMechanism exactPlan() {
    return plan(DirichletCalibrator.plan(REQUEST, Accountant.EXACT, MODEL));
  }

  /** With a least count. */
  public static DirichletMechanism leastPlan() {
    return plan(
        DirichletCalibrator.exact(
            REQUEST, new DirichletBound.LeastCount(LEAST, new DirichletBound.ReplaceOne()), MODEL));
  }

  /**
   * One record moves from one category to another one, both otherwise empty or at the least count.
   *
   * @param weight of the record in counts
   * @param least count that others are raised to
   */
  public static AttackTarget replaced(
      String name, DirichletMechanism plan, long weight, long least) {
    double s = plan.pair().r() * weight;
    double a = plan.pair().a() + plan.pair().r() * least;
    return new AttackTarget(
        name,
        weight == 1 ? REPLACED : "1 record of weight " + weight + " replaced",
        PROMISE,
        PrivacyClaim.of(plan.charge()),
        Optional.of(() -> LogGrid.beta(a, s, a, s)),
        Optional.of(
            draws(
                plan,
                new Histogram(least + weight, least, 0),
                new Histogram(least, least + weight, 0))),
        Optional.empty(),
        "");
  }

  /** As so many items. */
  public static AttackTarget items(DirichletMechanism plan, int items) {
    DirichletMechanism counted = plan.asCounts(items);
    return new AttackTarget(
        "Dirichlet, " + items + " items",
        REPLACED,
        PROMISE,
        PrivacyClaim.of(counted.charge()),
        Optional.of(() -> LogGrid.items(plan.pair().a(), plan.pair().r(), items)),
        Optional.of(draws(counted, new Histogram(1, 0, 0), new Histogram(0, 1, 0))),
        Optional.empty(),
        "");
  }

  private static AttackTarget statistic(DirichletMechanism plan) {
    return new AttackTarget(
        "Dirichlet, statistic (G)",
        "2 coordinates moved by 1",
        PROMISE,
        PrivacyClaim.of(plan.charge()),
        Optional.of(() -> LogGrid.swapped(LogGrid.gammas(plan.pair().a(), plan.pair().r(), 2))),
        Optional.of(draws(plan, new Histogram(0, 0, OTHERS), new Histogram(1, 1, OTHERS))),
        Optional.empty(),
        "");
  }

  private static AttackTarget users(DirichletMechanism plan) {
    double s = plan.pair().r() * USER;
    return new AttackTarget(
        "Dirichlet (Theorem C)",
        ADDED,
        PROMISE,
        PrivacyClaim.of(plan.charge()),
        Optional.of(
            () -> {
              List<Events.Atom> atoms = LogGrid.gammas(plan.pair().a(), s, 1);
              Events removed = Events.of(atoms);
              Events added = LogGrid.swapped(atoms);
              double delta = PROMISE.delta();
              return removed.epsilon(delta) > added.epsilon(delta) ? removed : added;
            }),
        Optional.of(draws(plan, new Histogram(USER, 0, OTHERS), new Histogram(0, 0, OTHERS))),
        Optional.empty(),
        "");
  }

  /** Of two histograms, scored by their first two categories. */
  public static AttackTarget.Draws draws(
      DirichletMechanism plan, Histogram first, Histogram second) {
    boolean alone = first.count(2) == OTHERS;
    return new AttackTarget.Draws(
        random ->
            score(plan.distribution(first).draw(random), alone, first.count(0) - second.count(0)),
        random ->
            score(plan.distribution(second).draw(random), alone, first.count(0) - second.count(0)));
  }

  private static double score(HistogramRelease release, boolean alone, long sign) {
    if (release instanceof ItemCounts items) {
      return items.count(0) - items.count(1);
    }
    Distribution shares = (Distribution) release;
    double first = StrictMath.log(shares.share(0));
    double second = StrictMath.log(shares.share(1));
    // Where both move alike their product tells, where one moves against the other the quotient.
    return alone ? sign < 0 ? -first - second : first : first - second;
  }
}
