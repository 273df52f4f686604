// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

import static io.sfumato.attack.CountTargets.ADDED;
import static io.sfumato.attack.CountTargets.PROMISE;
import static io.sfumato.attack.CountTargets.REPLACED;
import static io.sfumato.attack.CountTargets.REQUEST;

import io.sfumato.estimate.additive.VectorCalibrator;
import io.sfumato.estimate.continual.BestLags;
import io.sfumato.estimate.continual.Horizon;
import io.sfumato.estimate.moments.RunningMoments;
import io.sfumato.estimate.tables.BestWeights;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.NumberBounds;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.abc.FeatureSum;
import io.sfumato.mechanism.abc.RandomFeatures;
import io.sfumato.mechanism.additive.CountMeasurement;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.mechanism.additive.LaplaceNoise;
import io.sfumato.mechanism.additive.VectorQuery;
import io.sfumato.mechanism.bounds.BucketQuery;
import io.sfumato.mechanism.bounds.PowerBuckets;
import io.sfumato.mechanism.continual.RunningMechanism;
import io.sfumato.mechanism.features.FeatureQuery;
import io.sfumato.mechanism.features.FeatureSensitivity;
import io.sfumato.mechanism.matrix.RootSensitivity;
import io.sfumato.mechanism.moments.BernsteinParts;
import io.sfumato.mechanism.moments.MomentQuery;
import io.sfumato.mechanism.moments.MomentSensitivity;
import io.sfumato.mechanism.moments.MomentShape;
import io.sfumato.mechanism.quantile.Bins;
import io.sfumato.mechanism.quantile.QuantileQuery;
import io.sfumato.mechanism.tables.CrossTables;
import io.sfumato.mechanism.tables.TableQuery;
import io.sfumato.mechanism.tables.Tables;
import java.util.Arrays;
import java.util.List;

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
  public static List<AttackTarget> all() {
    MomentSensitivity user = MomentSensitivity.addOrRemove(1, 1, USER);
    Sensitivity added = Sensitivity.addOrRemove(USER);
    QuantileQuery bins = new QuantileQuery(bins(), 1);
    TableQuery measured = BestWeights.query(columns(), Tables.Total.MEASURED);
    TableQuery publicSize = BestWeights.query(columns(), Tables.Total.PUBLIC);
    return List.of(
        means(gaussian(new MomentQuery(user), user.moved()), USER, 1),
        means(
            VectorCalibrator.laplace(REQUEST, new MomentQuery(user), user.moved())
                .orElseThrow()
                .mechanism(),
            USER,
            1),
        meansOverWindows(),
        meansOfPublicSize(1, 0),
        meansOfPublicSize(2, FAR),
        bounds(VectorCalibrator.once(REQUEST, new BucketQuery(), added).get(0).mechanism(), USER),
        quantiles(
            gaussian(bins, RootSensitivity.addOrRemove(bins.root(), USER, 1)),
            ADDED,
            counts(0, USER),
            counts(0, 0)),
        quantiles(
                gaussian(bins, RootSensitivity.replaceOne(bins.root())),
                REPLACED,
                counts(0, 1),
                counts(BINS - 1, 1))
            .because("two columns of the root are taken to be at a right angle"),
        features(FeatureQuery.ofPrivateSize(2), FeatureSensitivity.addOrRemove(2, USER, 1), USER),
        features(FeatureQuery.ofPublicSize(2), FeatureSensitivity.replaceOne(2), 1),
        tables(gaussian(measured, measured.weights().addOrRemove(USER)), USER),
        tables(gaussian(publicSize, publicSize.weights().replaceOne()), 1));
  }

  static <Q extends VectorQuery> GridMeasurement<Q> gaussian(Q query, GridSensitivity sensitivity) {
    return VectorCalibrator.gaussian(REQUEST, query, sensitivity).orElseThrow().mechanism();
  }

  /**
   * A user's records of the largest number.
   *
   * @param records of the user
   * @param largest number, by which the bounds' clamp is tried: 1 is the upper bound
   */
  public static AttackTarget means(GridMeasurement<MomentQuery> plan, int records, double largest) {
    MomentShape shape = new MomentShape(1, 1, 1);
    BernsteinParts parts = new BernsteinParts(UNIT, 1);
    ExactVector second = shape.record(0, parts.of(0.5));
    ExactVector first = second;
    for (int i = 0; i < records; i++) {
      first = first.plus(shape.record(0, parts.of(largest)));
    }
    return AdditiveTarget.of(plan, first, second)
        .target(name("mean", plan), ADDED, PROMISE, plan.charge());
  }

  /** Rows of eight windows, in the first of which a user has records of the largest number. */
  private static AttackTarget meansOverWindows() {
    RunningMechanism plan =
        RunningMoments.gaussian(
                REQUEST,
                MomentSensitivity.addOrRemove(1, 1, USER),
                BestLags.of(new Horizon.Until(WINDOWS), REQUEST.horizon()))
            .orElseThrow()
            .mechanism();
    long[] moved = Arrays.stream(new BernsteinParts(UNIT, 1).of(1)).map(k -> USER * k).toArray();
    return new AdditiveTarget<>(
            new RowsOfWindows(plan, WINDOWS, moved),
            new RowsOfWindows(plan, WINDOWS, new long[moved.length]),
            NoisyVector::values,
            new long[WINDOWS * moved.length],
            IndependentNoiseLaw.of(plan.noise()))
        .target("mean, rows of 8", ADDED + ", in one window", PROMISE, plan.charge());
  }

  private static String name(String what, Mechanism<?, ?> plan) {
    return what + (plan.method().equals("laplace") ? ", Laplace" : ", Gaussian");
  }

  private static AttackTarget meansOfPublicSize(int degree, double far) {
    MomentSensitivity way = MomentSensitivity.replaceOneOfOneGroup(degree, 1);
    GridMeasurement<MomentQuery> plan = gaussian(new MomentQuery(way), way.moved());
    BernsteinParts parts = new BernsteinParts(UNIT, degree);
    ExactVector other = new ExactVector(parts.of(0.5));
    return AdditiveTarget.of(
            plan,
            other.plus(new ExactVector(parts.of(1))),
            other.plus(new ExactVector(parts.of(far))))
        .target(
            degree == 1 ? "mean, Gaussian" : "mean and variance, Gaussian",
            REPLACED,
            PROMISE,
            plan.charge());
  }

  /** A user's records in one bucket of numbers. */
  public static AttackTarget bounds(CountMeasurement<BucketQuery> plan, int records) {
    long[] counts = new long[PowerBuckets.NUMBER];
    counts[PowerBuckets.of(7)] = 40;
    ExactVector second = new ExactVector(counts);
    counts[PowerBuckets.of(900)] = records;
    boolean pure = plan.noise() instanceof LaplaceNoise;
    return AdditiveTarget.of(plan, new ExactVector(counts), second)
        .target(
            pure ? "bounds, Laplace" : "bounds, Gaussian",
            plan.sizeIsPublic() ? REPLACED : ADDED,
            PROMISE,
            plan.charge());
  }

  /** Sixteen bins of the unit interval. */
  public static Bins bins() {
    return Bins.of(0, 1, BINS, Bins.Scale.LINEAR);
  }

  /** Records in one bin. */
  public static ExactVector counts(int bin, long records) {
    long[] counts = new long[BINS];
    counts[bin] = records;
    return new ExactVector(counts);
  }

  /** Noisy rows over bins. */
  public static AttackTarget quantiles(
      GridMeasurement<QuantileQuery> plan,
      String neighbours,
      ExactVector first,
      ExactVector second) {
    return AdditiveTarget.of(plan, first, second)
        .target("quantiles, Gaussian", neighbours, PROMISE, plan.charge());
  }

  /** Records at one place, or one record at the place that is furthest from it. */
  private static AttackTarget features(
      FeatureQuery query, GridSensitivity sensitivity, int records) {
    return features(
        VectorCalibrator.fineGaussian(REQUEST, query, sensitivity).orElseThrow().mechanism(),
        records);
  }

  /** The same of any mechanism. */
  public static AttackTarget features(GridMeasurement<FeatureQuery> plan, int records) {
    RandomFeatures features = new RandomFeatures(1, 2, 1, "attack");
    double opposite = Math.PI / features.frequencies()[0][0];
    boolean replaced = plan.sizeIsPublic();
    double[][] at = new double[records][1];
    ExactVector first = FeatureQuery.rounded(FeatureSum.of(features, at));
    ExactVector second =
        FeatureQuery.rounded(
            replaced
                ? FeatureSum.of(features, new double[][] {{opposite}})
                : FeatureSum.empty(features));
    return AdditiveTarget.of(plan, first, second)
        .target("features, Gaussian", replaced ? REPLACED : ADDED, PROMISE, plan.charge());
  }

  /** All pairs of three columns. */
  public static Tables columns() {
    return CrossTables.of(2, 3, 2, 4);
  }

  /** Records of one combination, or one record that another one replaces in all columns. */
  public static AttackTarget tables(GridMeasurement<TableQuery> plan, int records) {
    boolean replaced = plan.sizeIsPublic();
    CrossTables tables = (CrossTables) plan.query().tables();
    long[] same = new long[records];
    Arrays.fill(same, tables.category(0, 0, 0));
    ExactVector second =
        replaced ? tables.counts(tables.category(1, 1, 1)) : ExactVector.none(tables.cells());
    return AdditiveTarget.of(plan, tables.counts(same), second)
        .target("tables of pairs, Gaussian", replaced ? REPLACED : ADDED, PROMISE, plan.charge());
  }
}
