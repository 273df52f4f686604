// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

import static io.sfumato.attack.CountTargets.ADDED;
import static io.sfumato.attack.CountTargets.PROMISE;
import static io.sfumato.attack.CountTargets.REPLACED;
import static io.sfumato.attack.CountTargets.REQUEST;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.estimate.bounds.BoundsPlanner;
import io.sfumato.estimate.features.FeaturePlanner;
import io.sfumato.estimate.moments.MomentPlanner;
import io.sfumato.estimate.moments.RunningMoments;
import io.sfumato.estimate.quantile.QuantilePlanner;
import io.sfumato.estimate.running.BestLags;
import io.sfumato.estimate.running.Extent;
import io.sfumato.estimate.tables.TablesPlanner;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.NoisyCounts;
import io.sfumato.mechanism.NumberBounds;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.abc.FeatureSum;
import io.sfumato.mechanism.abc.RandomFeatures;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.additive.LaplaceNoise;
import io.sfumato.mechanism.bounds.BoundsMechanism;
import io.sfumato.mechanism.bounds.BucketCounts;
import io.sfumato.mechanism.bounds.NoisyBuckets;
import io.sfumato.mechanism.bounds.PowerBuckets;
import io.sfumato.mechanism.factorised.RowCounts;
import io.sfumato.mechanism.features.FeatureMechanism;
import io.sfumato.mechanism.features.FeatureSensitivity;
import io.sfumato.mechanism.features.RoundedSums;
import io.sfumato.mechanism.moments.BernsteinParts;
import io.sfumato.mechanism.moments.MomentMechanism;
import io.sfumato.mechanism.moments.MomentSensitivity;
import io.sfumato.mechanism.moments.MomentShape;
import io.sfumato.mechanism.moments.MomentSums;
import io.sfumato.mechanism.moments.NoisyMoments;
import io.sfumato.mechanism.quantile.Bins;
import io.sfumato.mechanism.quantile.NoisyBins;
import io.sfumato.mechanism.quantile.QuantileMechanism;
import io.sfumato.mechanism.running.RunningMechanism;
import io.sfumato.mechanism.tables.CrossTables;
import io.sfumato.mechanism.tables.NoisyTables;
import io.sfumato.mechanism.tables.TableCounts;
import io.sfumato.mechanism.tables.Tables;
import io.sfumato.mechanism.tables.TablesMechanism;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** Noise on what numbers and several fields come to. */
public final class NumberTargets {
  private static final int USER = 3;
  private static final int BINS = 16;
  private static final int WINDOWS = 8;
  private static final NumberBounds UNIT = new NumberBounds(0, 1);

  /** Where two numbers of a public total move both of their drawn parts furthest: 1/5 and 1. */
  private static final double FAR = 0.2;

  private NumberTargets() {}

  /** All of them. */
  public static List<Target> all() {
    MomentSensitivity user = MomentSensitivity.addOrRemove(1, 1, USER);
    Sensitivity added = Sensitivity.addOrRemove(USER);
    return List.of(
        means(MomentPlanner.gaussian(REQUEST, user).orElseThrow().mechanism(), USER, 1),
        means(MomentPlanner.laplace(REQUEST, user).orElseThrow().mechanism(), USER, 1),
        meansOverWindows(),
        meansOfPublicSize(1, 0),
        meansOfPublicSize(2, FAR),
        bounds(BoundsPlanner.best(REQUEST, added).get(0).mechanism(), USER),
        quantiles(
            QuantilePlanner.addOrRemove(REQUEST, bins(), USER).orElseThrow().mechanism(),
            ADDED,
            counts(0, USER),
            counts(0, 0)),
        quantiles(
                QuantilePlanner.replaceOne(REQUEST, bins()).orElseThrow().mechanism(),
                REPLACED,
                counts(0, 1),
                counts(BINS - 1, 1))
            .because("two columns of the root are taken to be at a right angle"),
        features(FeatureSensitivity.addOrRemove(2, USER, 1), USER),
        features(FeatureSensitivity.replaceOne(2), 1),
        tables(TablesPlanner.addOrRemove(REQUEST, columns(), USER).orElseThrow().mechanism(), USER),
        tables(TablesPlanner.replaceOne(REQUEST, columns()).orElseThrow().mechanism(), 1));
  }

  /**
   * A user's records of the largest number.
   *
   * @param records of the user
   * @param largest number, by which the bounds' clamp is tried: 1 is the upper bound
   */
  public static Target means(MomentMechanism plan, int records, double largest) {
    MomentShape shape = new MomentShape(1, 1, 1);
    BernsteinParts parts = new BernsteinParts(UNIT, 1);
    MomentSums second = MomentSums.none(shape).plus(0, parts.of(0.5));
    MomentSums first = second;
    for (int i = 0; i < records; i++) {
      first = first.plus(0, parts.of(largest));
    }
    return moments(plan, first, second, 0)
        .target(name("mean", plan), ADDED, PROMISE, plan.charge());
  }

  /** Rows of eight windows, in the first of which a user has records of the largest number. */
  private static Target meansOverWindows() {
    RunningMechanism plan =
        RunningMoments.gaussian(
                REQUEST,
                MomentSensitivity.addOrRemove(1, 1, USER),
                BestLags.of(new Extent.Until(WINDOWS), REQUEST.horizon()))
            .orElseThrow()
            .mechanism();
    MomentSums user = MomentSums.none(new MomentShape(1, 1, 1));
    for (int i = 0; i < USER; i++) {
      user = user.plus(0, new BernsteinParts(UNIT, 1).of(1));
    }
    long[] moved = user.steps();
    return new AdditiveTarget<>(
            new RowsOfWindows(plan, WINDOWS, moved),
            new RowsOfWindows(plan, WINDOWS, new long[moved.length]),
            NoisyCounts::values,
            new long[WINDOWS * moved.length],
            NoiseLaw.of(plan.noise()))
        .target("mean, rows of 8", ADDED + ", in one window", PROMISE, plan.charge());
  }

  private static String name(String what, Mechanism<?, ?> plan) {
    return what + (plan.method().equals("laplace") ? ", Laplace" : ", Gaussian");
  }

  private static Target meansOfPublicSize(int degree, double far) {
    MomentMechanism plan =
        MomentPlanner.gaussian(REQUEST, MomentSensitivity.replaceOneOfOneGroup(degree, 1))
            .orElseThrow()
            .mechanism();
    BernsteinParts parts = new BernsteinParts(UNIT, degree);
    MomentSums none = MomentSums.none(new MomentShape(1, 1, degree)).plus(0, parts.of(0.5));
    return moments(plan, none.plus(0, parts.of(1)), none.plus(0, parts.of(far)), 1)
        .target(
            degree == 1 ? "mean, Gaussian" : "mean and variance, Gaussian",
            REPLACED,
            PROMISE,
            plan.charge());
  }

  /** What is attacked of means: parts from the first one that has noise of its own. */
  public static AdditiveTarget<NoisyMoments> moments(
      MomentMechanism plan, MomentSums first, MomentSums second, int from) {
    Function<long[], long[]> drawn = steps -> Arrays.copyOfRange(steps, from, steps.length);
    return new AdditiveTarget<>(
        plan.law(first),
        plan.law(second),
        noisy -> drawn.apply(noisy.steps()),
        drawn.apply(second.steps()),
        NoiseLaw.of(plan.noise()));
  }

  /** A user's records in one bucket of numbers. */
  public static Target bounds(BoundsMechanism plan, int records) {
    long[] counts = new long[PowerBuckets.NUMBER];
    counts[PowerBuckets.of(7)] = 40;
    BucketCounts second = new BucketCounts(counts);
    counts[PowerBuckets.of(900)] = records;
    BucketCounts first = new BucketCounts(counts);
    boolean pure = plan.noise() instanceof LaplaceNoise;
    return new AdditiveTarget<>(
            plan.law(first),
            plan.law(second),
            NoisyBuckets::counts,
            second.values(),
            NoiseLaw.of(plan.noise()))
        .target(
            pure ? "bounds, Laplace" : "bounds, Gaussian",
            plan.sensitivity().unit() == PrivacyUnit.RECORD ? REPLACED : ADDED,
            PROMISE,
            plan.charge());
  }

  /** Sixteen bins of the unit interval. */
  public static Bins bins() {
    return Bins.of(0, 1, BINS, Bins.Scale.LINEAR);
  }

  /** Records in one bin. */
  public static RowCounts counts(int bin, long records) {
    long[] counts = new long[BINS];
    counts[bin] = records;
    return new RowCounts(counts);
  }

  /** Noisy rows over bins. */
  public static Target quantiles(
      QuantileMechanism plan, String neighbours, RowCounts first, RowCounts second) {
    return new AdditiveTarget<>(
            plan.law(first),
            plan.law(second),
            (NoisyBins drawn) -> drawn.rows().steps(),
            plan.rows().root().times(second),
            NoiseLaw.of((GridNoise) plan.rows().noise()))
        .target("quantiles, Gaussian", neighbours, PROMISE, plan.charge());
  }

  /** Records at one place, or one record at the place that is furthest from it. */
  private static Target features(FeatureSensitivity sensitivity, int records) {
    FeatureMechanism plan = FeaturePlanner.gaussian(REQUEST, sensitivity).orElseThrow().mechanism();
    return features(plan, records);
  }

  /** The same of any mechanism. */
  public static Target features(FeatureMechanism plan, int records) {
    RandomFeatures features = new RandomFeatures(1, 2, 1, "attack");
    double opposite = Math.PI / features.frequencies()[0][0];
    boolean replaced = plan.sensitivity().sizeIsPublic();
    double[][] at = new double[records][1];
    RoundedSums first = RoundedSums.of(FeatureSum.of(features, at));
    RoundedSums second =
        RoundedSums.of(
            replaced
                ? FeatureSum.of(features, new double[][] {{opposite}})
                : FeatureSum.empty(features));
    long weight = plan.sensitivity().recordSteps();
    return new AdditiveTarget<>(
            plan.law(first),
            plan.law(second),
            drawn -> steps(drawn.sums(), drawn.records(), weight),
            second.coordinates(weight),
            NoiseLaw.of(plan.noise()))
        .target("features, Gaussian", replaced ? REPLACED : ADDED, PROMISE, plan.charge());
  }

  private static long[] steps(double[] sums, double records, long weight) {
    long[] steps = new long[weight == 0 ? sums.length : sums.length + 1];
    for (int i = 0; i < sums.length; i++) {
      steps[i] = Math.round(sums[i] * RoundedSums.STEPS);
    }
    if (weight > 0) {
      steps[sums.length] = Math.round(records * weight);
    }
    return steps;
  }

  /** All pairs of three columns. */
  public static Tables columns() {
    return CrossTables.of(2, 3, 2, 4);
  }

  /** Records of one combination, or one record that another one replaces in all columns. */
  public static Target tables(TablesMechanism plan, int records) {
    boolean replaced = plan.sensitivity().unit() == PrivacyUnit.RECORD;
    CrossTables tables = (CrossTables) plan.tables();
    long[] same = new long[records];
    Arrays.fill(same, tables.category(0, 0, 0));
    TableCounts first = TableCounts.of(tables, same);
    TableCounts second =
        replaced ? TableCounts.of(tables, tables.category(1, 1, 1)) : TableCounts.none(tables);
    return new AdditiveTarget<>(
            plan.law(first),
            plan.law(second),
            (NoisyTables drawn) -> drawn.steps(),
            plan.weighted(second),
            NoiseLaw.of(plan.noise()))
        .target("tables of pairs, Gaussian", replaced ? REPLACED : ADDED, PROMISE, plan.charge());
  }
}
