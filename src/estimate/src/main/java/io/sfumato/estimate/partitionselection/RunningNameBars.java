// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.partitionselection;

import io.sfumato.estimate.continual.RowErrorBars;
import io.sfumato.mechanism.continual.RunningSums;
import io.sfumato.mechanism.partitionselection.CoarseEstimates;
import io.sfumato.mechanism.partitionselection.PublicName;
import io.sfumato.mechanism.partitionselection.RunningDiscovery;
import io.sfumato.mechanism.partitionselection.TestSchedule;
import java.util.stream.IntStream;

/**
 * How far the running count of a public name may be off by its noise, in records:
 * docs/theory/partition-selection.md, Theorem N, "Error bars".
 */
public final class RunningNameBars {
  private static final double QUANTILE = 1.959963984540054;

  /** Roundings of what is told of a row, and the step between discrete noise and continuous. */
  private static final double STEPS = 1.5;

  /** Tables of the normal law, the same for all plans. */
  private static final class Tables {
    static final PassedTail JUST_FOUND = new PassedTail(0.025);
    static final PassedTail LATER = new PassedTail(TwoTails.HALF);
    static final TwoTails TWO = new TwoTails();
  }

  private final RunningDiscovery plan;
  private final double[] coarse;
  private final double[] fine;

  /** Of names that this plan finds. */
  public RunningNameBars(RunningDiscovery plan) {
    this.plan = plan;
    TestSchedule tests = plan.tests();
    CoarseEstimates estimates = new CoarseEstimates(plan.coarse(), tests.count());
    this.coarse =
        IntStream.rangeClosed(0, tests.count())
            .mapToDouble(test -> test == 0 ? 0 : estimates.deviation(test))
            .toArray();
    RowErrorBars bars = new RowErrorBars(plan.fine());
    this.fine =
        IntStream.rangeClosed(0, tests.windows())
            .mapToDouble(n -> n == 0 ? 0 : bars.deviation(n, n))
            .toArray();
  }

  /**
   * An interval of a name's true running count, of what counts.
   *
   * @param low 0 or more of a name that was found; else what noise tells, not cut off
   * @param high at least low
   */
  public record Interval(double low, double high) {}

  /**
   * Standard deviation of a running count.
   *
   * @param test at which the name was found, from 1; 0 if it was public when the block began
   * @param windows since then
   */
  public double deviation(int test, int windows) {
    return Math.sqrt(coarse[test] * coarse[test] + fine[windows] * fine[windows]);
  }

  /**
   * The distance from the truth within which it lies in 95 of 100 cases, of all names alike.
   *
   * @param test at which the name was found, from 1; 0 if it was public when the block began
   * @param windows since then
   */
  public double halfWidth(int test, int windows) {
    return QUANTILE * deviation(test, windows) + roundings(test, windows);
  }

  /**
   * 95 of 100 such intervals hold the truth of names whose estimate passed, however small it is.
   * The upper end is that of all names; the lower one knows that what passes is too large on
   * average.
   */
  public Interval of(PublicName name) {
    int test = name.test();
    int windows = (int) name.windows();
    double told = records(name.told());
    double width = halfWidth(test, windows);
    if (test == 0) {
      return new Interval(told - width, told + width);
    }
    double below = below(name.found(), test, windows) + roundings(test, windows);
    return new Interval(Math.max(0, told - below), Math.max(0, told) + width);
  }

  /**
   * How far the lower end lies below what is told, of a name that passed, without roundings.
   *
   * @param found its estimate at the test, in steps
   * @param test from 1
   * @param windows since then
   */
  double below(long found, int test, int windows) {
    double passed = records(found) - plan.thresholds().get(test - 1).least();
    double deviations = passed / coarse[test];
    if (windows == 0) {
      return passed + coarse[test] * Tables.JUST_FOUND.below(deviations);
    }
    double deviation = deviation(test, windows);
    return records(found)
        - leastFound(test, deviations, Tables.LATER.below(deviations), TwoTails.OF_HALF)
        + deviation * Tables.TWO.of(coarse[test] / deviation);
  }

  /**
   * h at the lower end a_0 of what the name had when it was found, or at 0 if that is higher: h
   * does not fall, and nobody has fewer records than none.
   *
   * @param test at which it was found, from 1
   * @param passed by how much, in deviations
   * @param below how far a_0 is below the threshold, in deviations
   * @param quantile x' there: above it is the level that belongs to a_0
   */
  double leastFound(int test, double passed, double below, double quantile) {
    double least = plan.thresholds().get(test - 1).least();
    double most = least / coarse[test];
    return below <= most
        ? least - coarse[test] * (below - quantile)
        : coarse[test] * PassedTail.score(most, passed);
  }

  /** What roundings add to a width, and the step between discrete noise and continuous. */
  static double roundings(int test, int windows) {
    return Math.scalb(STEPS * (test + windows), -RunningSums.TOLD_DIGITS);
  }

  private static double records(long steps) {
    return Math.scalb((double) steps, -RunningSums.TOLD_DIGITS);
  }
}
