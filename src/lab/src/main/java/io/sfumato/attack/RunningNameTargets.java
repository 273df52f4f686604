// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

import static io.sfumato.attack.CountTargets.EPSILON;

import io.sfumato.accounting.Delta;
import io.sfumato.estimate.partitionselection.RunningSelectionCalibrator;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.partitionselection.NameBounds;
import io.sfumato.mechanism.partitionselection.RowNoise;
import io.sfumato.mechanism.partitionselection.RunningBounds;
import io.sfumato.mechanism.partitionselection.RunningDiscovery;
import io.sfumato.mechanism.partitionselection.RunningDiscoveryMechanism;
import io.sfumato.mechanism.partitionselection.RunningName;
import io.sfumato.mechanism.partitionselection.TestSchedule;
import io.sfumato.random.KeyedRandom;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;

/** Names that are counted, and found, over several windows. */
final class RunningNameTargets {
  private static final int NAMES = 8;
  private static final int WINDOWS = 8;
  private static final TestSchedule TWO_TESTS = new TestSchedule(WINDOWS, WINDOWS / 2);
  private static final RunningBounds BOUNDS =
      new RunningBounds.PerWindow(new NameBounds(NAMES, NAMES, 1), 1);

  /** What sampling can see: one time in twenty. */
  private static final String COMMON = "0.05";

  private static final String USER = "a user of 8 names more, in one window";

  private RunningNameTargets() {}

  /** All of them. */
  static List<AttackTarget> all() {
    return List.of(
        known(plan("1e-6")),
        alone(plan(COMMON))
            .because("chances of both tests are added up; a threshold is a whole number"));
  }

  private static RunningDiscovery plan(String delta) {
    return RunningSelectionCalibrator.gaussian(
            "attacked", EPSILON, Delta.of(delta), BOUNDS, TWO_TESTS)
        .orElseThrow();
  }

  /** Names that were public when the block began: all rows that hold the user's records. */
  private static AttackTarget known(RunningDiscovery plan) {
    return new AdditiveTarget<>(
            new RowsOfWindows(
                plan.fine(), WINDOWS, LongStream.generate(() -> 1).limit(NAMES).toArray()),
            new RowsOfWindows(plan.fine(), WINDOWS, new long[NAMES]),
            NoisyVector::values,
            new long[NAMES * WINDOWS],
            IndependentNoiseLaw.of(plan.fine().noise()))
        .target(
            "names that are public, rows of 8",
            USER,
            CountTargets.PROMISE,
            PrivacyClaim.of(new RunningDiscoveryMechanism(plan).charge())
                .but(plan.thresholdDelta().doubleValue()));
  }

  /** Names of one user alone, tested twice: any that passes gives the user away. */
  private static AttackTarget alone(RunningDiscovery plan) {
    double passes = passes(plan);
    double any = -StrictMath.expm1(NAMES * StrictMath.log1p(-passes));
    ToDoubleFunction<KeyedRandom> passed =
        random -> {
          boolean some = false;
          for (int i = 0; i < NAMES; i++) {
            some |= passes(plan, random);
          }
          return some ? 1 : 0;
        };
    return NameTargets.givesAway(
        "names of one user alone, 2 tests", USER, plan.thresholdDelta().doubleValue(), any, passed);
  }

  private static boolean passes(RunningDiscovery plan, KeyedRandom random) {
    RowNoise noise = (place, mechanism, exact) -> mechanism.distribution(exact).draw(random);
    RunningName name = RunningName.unseen(plan);
    for (int window = 1; window <= WINDOWS; window++) {
      RunningName.Step step = name.after(plan, window, window == 1 ? 1 : 0, noise);
      if (step.published().isPresent()) {
        return true;
      }
      name = step.next();
    }
    return false;
  }

  /**
   * 1 - P[z_1 below a, z_1 / 2 + z_2 below b], a and b the thresholds less the one record, in
   * deviations: the root of running sums weighs rows by 1 and 1/2. The noise is so wide that it is
   * taken as the normal law.
   */
  private static double passes(RunningDiscovery plan) {
    double deviation = plan.coarse().deviation();
    double a = (plan.thresholds().get(0).least() - 1) / deviation;
    double b = (plan.thresholds().get(1).least() - 1) / deviation;
    double from = -12;
    int steps = 4000;
    double width = (a - from) / steps;
    double sum = 0;
    for (int i = 0; i <= steps; i++) {
      double z = from + width * i;
      double weight = i == 0 || i == steps ? 1 : i % 2 == 0 ? 2 : 4;
      sum +=
          weight
              * StrictMath.exp(-z * z / 2)
              / Math.sqrt(2 * Math.PI)
              * IndependentNoiseLaw.normal(z / 2 - b);
    }
    // Of both parts: beyond a at the first test, or beyond b at the second one and not at the
    // first.
    return IndependentNoiseLaw.normal(-a) + sum * width / 3;
  }
}
