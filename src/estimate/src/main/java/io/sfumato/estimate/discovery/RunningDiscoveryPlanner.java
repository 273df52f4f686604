// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.discovery;

import io.sfumato.accounting.Counting;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.Share;
import io.sfumato.estimate.Planned;
import io.sfumato.estimate.ShareRequest;
import io.sfumato.estimate.additive.LeastNoise;
import io.sfumato.estimate.additive.NoiseCalibration;
import io.sfumato.estimate.running.BestLags;
import io.sfumato.estimate.running.Extent;
import io.sfumato.mechanism.additive.GridGaussian;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.mechanism.additive.TheoremD;
import io.sfumato.mechanism.discovery.CoarseEstimates;
import io.sfumato.mechanism.discovery.RunningBounds;
import io.sfumato.mechanism.discovery.RunningDiscovery;
import io.sfumato.mechanism.discovery.RunningDiscoveryMechanism;
import io.sfumato.mechanism.discovery.Tests;
import io.sfumato.mechanism.discovery.Threshold;
import io.sfumato.mechanism.discovery.TwoSequences;
import io.sfumato.mechanism.running.Lags;
import io.sfumato.mechanism.running.RootLags;
import io.sfumato.mechanism.running.RunningMechanism;
import io.sfumato.noise.WideGaussian;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The least thresholds that a share affords for names over several windows, and the noise below
 * them.
 */
public final class RunningDiscoveryPlanner {
  /** Parts of a delta; one of them at least is the thresholds', and another one the noise's. */
  private static final int PARTS = 8;

  /** What the last test has of the thresholds' part where there are others. */
  private static final double LAST = 0.5;

  /** Covers the roundings of a chance. */
  private static final double DOWN = 1 - 1e-12;

  /** Largest deviation of a row's noise, in steps: sums of 65,536 windows stay within 2^63. */
  private static final double MOST = 0x1p44;

  private RunningDiscoveryPlanner() {}

  /**
   * The plan with the lowest threshold at the last test, and of these the one with the least noise;
   * nothing if no noise is enough.
   *
   * @param name of the share
   * @param epsilon of all that a user's bounds leave
   * @param delta likewise, above 0
   */
  public static Optional<RunningDiscovery> gaussian(
      String name, Epsilon epsilon, Delta delta, RunningBounds bounds, Tests tests) {
    int windows = bounds.windowsOf(tests);
    Lags fine = BestLags.of(new Extent.Until(tests.windows()), windows);
    Lags coarse = coarse(tests, (windows - 1) / tests.every() + 1);
    TwoSequences moves = bounds.moves(tests, coarse, fine);
    return IntStream.range(1, PARTS)
        .mapToObj(part -> part(delta, part))
        .flatMap(
            thresholds ->
                NoiseCalibration.gaussian(
                    new ShareRequest(
                        name,
                        epsilon,
                        new Delta(delta.value().subtract(thresholds)),
                        bounds.horizon()),
                    moves.fine(),
                    Lags.DIGITS)
                    .filter(least -> least.noise().steps() <= MOST / Math.max(1, moves.ratio()))
                    .map(least -> plan(bounds, tests, coarse, fine, moves, least, thresholds))
                    .stream())
        .min(
            Comparator.<RunningDiscovery>comparingLong(
                    plan -> plan.thresholds().get(tests.count() - 1).least())
                .thenComparingDouble(plan -> plan.fine().deviation()));
  }

  /** The root, whose last estimate errs least: there most names pass that ever do. */
  private static Lags coarse(Tests tests, int ofUser) {
    return ofUser == 1
        ? new RootLags(tests.count())
        : BestLags.of(new Extent.Until(tests.count()), ofUser);
  }

  private static BigDecimal part(Delta delta, int part) {
    return delta.value().multiply(BigDecimal.valueOf(part)).divide(BigDecimal.valueOf(PARTS));
  }

  private static RunningDiscovery plan(
      RunningBounds bounds,
      Tests tests,
      Lags coarseLags,
      Lags fineLags,
      TwoSequences moves,
      LeastNoise<GridNoise> least,
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
        least.counting(),
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
        Lags.DIGITS, Math.min(WideGaussian.LARGEST, Math.max(GridGaussian.LEAST, least)));
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
      RunningBounds.Exposed exposed, Tests tests, RunningMechanism coarse, BigDecimal delta) {
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

  /** With its share: so many charges of this very one. */
  public static Planned<RunningDiscoveryMechanism> planned(
      String share, Epsilon epsilon, Delta delta, RunningDiscovery plan) {
    RunningDiscoveryMechanism mechanism = new RunningDiscoveryMechanism(plan);
    return new Planned<>(
        new Share(
            share,
            epsilon,
            delta,
            new Counting.AtMost(mechanism.charge().mechanism(), plan.bounds().horizon())),
        mechanism);
  }
}
