// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.partitionselection;

import io.sfumato.accounting.BudgetShare;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyFilter;
import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.additive.CalibratedNoise;
import io.sfumato.estimate.additive.NoiseCalibration;
import io.sfumato.estimate.continual.BestLags;
import io.sfumato.estimate.continual.Horizon;
import io.sfumato.mechanism.additive.GridGaussian;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.mechanism.additive.TheoremD;
import io.sfumato.mechanism.continual.Coefficients;
import io.sfumato.mechanism.continual.RunningMechanism;
import io.sfumato.mechanism.continual.SquareRootCoefficients;
import io.sfumato.mechanism.partitionselection.CoarseEstimates;
import io.sfumato.mechanism.partitionselection.RunningBounds;
import io.sfumato.mechanism.partitionselection.RunningDiscovery;
import io.sfumato.mechanism.partitionselection.RunningDiscoveryMechanism;
import io.sfumato.mechanism.partitionselection.TestSchedule;
import io.sfumato.mechanism.partitionselection.Threshold;
import io.sfumato.mechanism.partitionselection.TwoSequences;
import io.sfumato.random.LargeDiscreteGaussian;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The least thresholds that a share affords for names over several windows, and the noise below
 * them.
 */
public final class RunningSelectionCalibrator {
  /** Parts of a delta; one of them at least is the thresholds', and another one the noise's. */
  private static final int PARTS = 8;

  /** What the last test has of the thresholds' part where there are others. */
  private static final double LAST = 0.5;

  /** Covers the roundings of a chance. */
  private static final double DOWN = 1 - 1e-12;

  /** Largest deviation of a row's noise, in steps: sums of 65,536 windows stay within 2^63. */
  private static final double MOST = 0x1p44;

  private RunningSelectionCalibrator() {}

  /**
   * The plan with the lowest threshold at the last test, and of these the one with the least noise;
   * nothing if no noise is enough.
   *
   * @param name of the share
   * @param epsilon of all that a user's bounds leave
   * @param delta likewise, above 0
   */
  public static Optional<RunningDiscovery> gaussian(
      String name, Epsilon epsilon, Delta delta, RunningBounds bounds, TestSchedule tests) {
    int windows = bounds.windowsOf(tests);
    Coefficients fine = BestLags.of(new Horizon.Until(tests.windows()), windows);
    Coefficients coarse = coarse(tests, (windows - 1) / tests.every() + 1);
    TwoSequences moves = bounds.moves(tests, coarse, fine);
    return IntStream.range(1, PARTS)
        .mapToObj(part -> part(delta, part))
        .flatMap(
            thresholds ->
                NoiseCalibration.gaussian(
                    new CalibrationTarget(
                        name,
                        epsilon,
                        new Delta(delta.value().subtract(thresholds)),
                        bounds.horizon()),
                    moves.fine(),
                    Coefficients.DIGITS)
                    .filter(least -> least.noise().steps() <= MOST / Math.max(1, moves.ratio()))
                    .map(least -> plan(bounds, tests, coarse, fine, moves, least, thresholds))
                    .stream())
        .min(
            Comparator.<RunningDiscovery>comparingLong(
                    plan -> plan.thresholds().get(tests.count() - 1).least())
                .thenComparingDouble(plan -> plan.fine().deviation()));
  }

  /** The root, whose last estimate errs least: there most names pass that ever do. */
  private static Coefficients coarse(TestSchedule tests, int ofUser) {
    return ofUser == 1
        ? new SquareRootCoefficients(tests.count())
        : BestLags.of(new Horizon.Until(tests.count()), ofUser);
  }

  private static BigDecimal part(Delta delta, int part) {
    return delta.value().multiply(BigDecimal.valueOf(part)).divide(BigDecimal.valueOf(PARTS));
  }

  private static RunningDiscovery plan(
      RunningBounds bounds,
      TestSchedule tests,
      Coefficients coarseLags,
      Coefficients fineLags,
      TwoSequences moves,
      CalibratedNoise<GridNoise> least,
      BigDecimal thresholdDelta) {
    RunningMechanism fine = new RunningMechanism(fineLags, least.noise(), 0, moves.fine());
    RunningMechanism coarse =
        new RunningMechanism(
            coarseLags,
            coarseNoise(least.noise().steps(), moves.ratio()),
            0,
            coarseSensitivity(moves));
    return new RunningDiscovery(
        tests,
        bounds,
        coarse,
        fine,
        thresholds(bounds.exposed(tests), tests, coarse, thresholdDelta),
        least.filter(),
        thresholdDelta);
  }

  /** {@code s_c^2 - 16 >= ratio^2 (s_f^2 - 16)}: also of the continuous noises below. */
  private static GridGaussian coarseNoise(long fine, double ratio) {
    double squared = ratio * ratio;
    double steps =
        Math.ceil(
            Math.sqrt(
                squared * ((double) fine * fine) + TheoremD.BRIDGE * Math.max(0, 1 - squared)));
    // Roundings of what is no square of a whole number.
    long least = ratio == 1 ? fine : (long) steps + 1 + (long) (steps * 0x1p-50);
    return new GridGaussian(
        Coefficients.DIGITS,
        Math.min(LargeDiscreteGaussian.LARGEST, Math.max(GridGaussian.LEAST, least)));
  }

  private static GridSensitivity coarseSensitivity(TwoSequences moves) {
    GridSensitivity fine = moves.fine();
    return new GridSensitivity(
        fine.word() + " coarse", fine.unit(), fine.parts(), fine.each(), fine.l2() * moves.ratio());
  }

  /**
   * Every test has its part of the chance with which names of one user alone pass; the last one
   * half of it, since most names are found by then.
   */
  private static List<Threshold> thresholds(
      RunningBounds.Exposed exposed,
      TestSchedule tests,
      RunningMechanism coarse,
      BigDecimal delta) {
    CoarseEstimates estimates = new CoarseEstimates(coarse, tests.count());
    double all = new Delta(delta).roundedDown();
    int others = tests.count() - 1;
    // Chances of one test multiply; those of several, whose noises go together, are added up.
    double most = others == 0 ? -StrictMath.log1p(-all) : all;
    return IntStream.rangeClosed(1, tests.count())
        .mapToObj(
            test -> {
              double part = others == 0 ? 1 : test > others ? LAST : (1 - LAST) / others;
              double chance =
                  Math.min(
                      Threshold.MOST_CHANCE,
                      -StrictMath.expm1(-most * part / exposed.times()) * DOWN);
              return Threshold.of(x -> estimates.tail(test, x), exposed.names(), chance);
            })
        .toList();
  }

  /**
   * With its share: so many charges of this very one.
   *
   * @param share its name
   */
  public static Calibrated<RunningDiscoveryMechanism> planned(
      String share, Epsilon epsilon, Delta delta, RunningDiscovery plan) {
    RunningDiscoveryMechanism mechanism = new RunningDiscoveryMechanism(plan);
    return new Calibrated<>(
        new BudgetShare(
            share,
            epsilon,
            delta,
            new PrivacyFilter.FixedCountFilter(
                mechanism.charge().mechanism(), plan.bounds().horizon())),
        mechanism);
  }
}
