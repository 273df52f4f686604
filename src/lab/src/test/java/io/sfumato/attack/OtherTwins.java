// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

import static io.sfumato.attack.AbcTargets.CANDIDATES;
import static io.sfumato.attack.AbcTargets.PURE;
import static io.sfumato.attack.AbcTargets.SENSITIVITY;
import static io.sfumato.attack.AbcTargets.THRESHOLD;
import static io.sfumato.attack.CountTargets.DELTA;
import static io.sfumato.attack.CountTargets.EPSILON;
import static io.sfumato.attack.CountTargets.REQUEST;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.estimate.additive.VectorCalibrator;
import io.sfumato.estimate.tables.BestWeights;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.NumberBounds;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.abc.GaussianBudget;
import io.sfumato.mechanism.abc.RejectionCoin;
import io.sfumato.mechanism.abc.SoftQueries;
import io.sfumato.mechanism.abc.SoftWeights;
import io.sfumato.mechanism.abc.SparseVectorPlan.Threshold;
import io.sfumato.mechanism.abc.SparseVectorQueries;
import io.sfumato.mechanism.additive.CountMeasurement;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.mechanism.bounds.BucketQuery;
import io.sfumato.mechanism.features.FeatureQuery;
import io.sfumato.mechanism.features.FeatureSensitivity;
import io.sfumato.mechanism.matrix.RootSensitivity;
import io.sfumato.mechanism.mollifier.Boosting;
import io.sfumato.mechanism.mollifier.LikelihoodRatioBand;
import io.sfumato.mechanism.moments.BernsteinParts;
import io.sfumato.mechanism.moments.MomentQuery;
import io.sfumato.mechanism.moments.MomentSensitivity;
import io.sfumato.mechanism.partitionselection.DiscoveryMechanism;
import io.sfumato.mechanism.quantile.QuantileQuery;
import io.sfumato.mechanism.tables.TableQuery;
import io.sfumato.mechanism.tables.Tables;
import io.sfumato.random.KeyedRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Broken twins of numbers, names, answers and items. */
final class OtherTwins {
  private OtherTwins() {}

  static List<Twin> all() {
    return List.of(
        clampForgotten(),
        twoBuckets(),
        oneTooMany(),
        longFeatures(),
        exactSize(),
        oneTableAlone(),
        thresholdShort(),
        twiceByName(),
        sigmaHalved(),
        clipForgotten(),
        oneCandidateCharged(),
        keyReused(),
        acceptancesGoOn(),
        widerBand(),
        largerTheta());
  }

  /** A number of 4 where 1 is the largest: its parts are (-3, 4) records. */
  private static Twin clampForgotten() {
    MomentSensitivity way = MomentSensitivity.addOrRemove(1, 1, 3);
    GridMeasurement<MomentQuery> plan =
        VectorCalibrator.laplace(REQUEST, new MomentQuery(way), way.moved())
            .orElseThrow()
            .mechanism();
    AttackTarget honest = NumberTargets.means(plan, 3, 1);
    BernsteinParts parts = new BernsteinParts(new NumberBounds(0, 1), 1);
    ExactVector second = new ExactVector(parts.of(0.5));
    OutputDistribution<NoisyVector> distribution = plan.distribution(second);
    long[] wild = {-9L << 20, 12L << 20};
    OutputDistribution<NoisyVector> unclamped =
        new CountTwins.Changed(
            distribution,
            noisy -> {
              Arrays.setAll(noisy, i -> noisy[i] + wild[i]);
              return noisy;
            });
    return Twin.of(
        "numbers not clamped to their bounds",
        honest,
        new AdditiveTarget<>(
                unclamped,
                distribution,
                NoisyVector::values,
                second.values(),
                IndependentNoiseLaw.of(plan.noise()))
            .target(honest.name(), honest.neighbours(), honest.promise(), honest.claim()));
  }

  private static Twin twoBuckets() {
    CountMeasurement<BucketQuery> plan =
        VectorCalibrator.once(REQUEST, new BucketQuery(), Sensitivity.addOrRemove(3))
            .get(0)
            .mechanism();
    return Twin.of(
        "a record counts twice", NumberTargets.bounds(plan, 3), NumberTargets.bounds(plan, 6));
  }

  private static Twin oneTooMany() {
    QuantileQuery query = new QuantileQuery(NumberTargets.bins(), 1);
    GridMeasurement<QuantileQuery> plan =
        NumberTargets.gaussian(query, RootSensitivity.addOrRemove(query.root(), 3, 1));
    return Twin.of(
        "4 records of a user count, charged for 3",
        NumberTargets.quantiles(
            plan, CountTargets.ADDED, NumberTargets.counts(0, 3), NumberTargets.counts(0, 0)),
        NumberTargets.quantiles(
            plan, CountTargets.ADDED, NumberTargets.counts(0, 4), NumberTargets.counts(0, 0)));
  }

  private static GridMeasurement<FeatureQuery> features() {
    return VectorCalibrator.fineGaussian(
            REQUEST, FeatureQuery.ofPrivateSize(2), FeatureSensitivity.addOrRemove(2, 3, 1))
        .orElseThrow()
        .mechanism();
  }

  /** Each record's features have the norm 2. */
  private static Twin longFeatures() {
    GridMeasurement<FeatureQuery> plan = features();
    AttackTarget honest = NumberTargets.features(plan, 3);
    ExactVector first = new ExactVector(6 * FeatureQuery.STEPS, 0, 3);
    return Twin.of(
        "features of norm 2",
        honest,
        AdditiveTarget.of(plan, first, ExactVector.none(3))
            .target(honest.name(), honest.neighbours(), honest.promise(), honest.claim()));
  }

  private static Twin exactSize() {
    GridMeasurement<FeatureQuery> plan = features();
    AttackTarget honest = NumberTargets.features(plan, 3);
    return Twin.of(
        "number of records told without noise",
        honest,
        honest.drawing(new AttackTarget.Draws(random -> 3, random -> 0)));
  }

  private static Twin oneTableAlone() {
    TableQuery query = BestWeights.query(NumberTargets.columns(), Tables.Total.MEASURED);
    long moved = 3 * Arrays.stream(query.weights().steps()).max().orElseThrow();
    GridSensitivity one = new GridSensitivity("one table", PrivacyUnit.USER, 1, moved, moved);
    return Twin.of(
        "only one of the tables is paid for",
        NumberTargets.tables(NumberTargets.gaussian(query, query.weights().addOrRemove(3)), 3),
        NumberTargets.tables(NumberTargets.gaussian(query, one), 3));
  }

  private static Twin thresholdShort() {
    DiscoveryMechanism plan = NameTargets.commonPlan();
    return Twin.of(
        "threshold short by one",
        NameTargets.alone(plan, 0.05),
        NameTargets.alone(
            plan,
            new io.sfumato.mechanism.partitionselection.Threshold(plan.threshold().least() - 1),
            0.05));
  }

  private static Twin twiceByName() {
    AttackTarget honest = NameTargets.all().get(0);
    return Twin.of("a user counts twice for a name", honest, NameTargets.counts(42));
  }

  private static RejectionCoin coin(double bound, double sigma) {
    return new RejectionCoin(SENSITIVITY, bound, THRESHOLD, sigma);
  }

  private static AttackTarget coins(RejectionCoin coin) {
    return AbcTargets.coins("accept, exact", coin, 1, PURE, PrivacyClaim.pure(1));
  }

  private static Twin sigmaHalved() {
    RejectionCoin plan = AbcTargets.oneCoin();
    return Twin.of("noise halved", coins(plan), coins(coin(plan.bound(), plan.sigma() / 2)));
  }

  private static Twin clipForgotten() {
    RejectionCoin plan = AbcTargets.oneCoin();
    return Twin.of(
        "distances not clipped", coins(plan), coins(coin(4 * plan.bound(), plan.sigma())));
  }

  private static SoftQueries soft() {
    return new SoftQueries(THRESHOLD, GaussianBudget.mu(EPSILON, DELTA, Accountant.EXACT));
  }

  private static Twin oneCandidateCharged() {
    SoftQueries plan = soft();
    return Twin.of(
        "noise for 1 candidate, of which there are 20",
        AbcTargets.soft(plan.noise(SENSITIVITY, CANDIDATES), plan.charge()),
        AbcTargets.soft(plan.noise(SENSITIVITY, 1), plan.charge()));
  }

  /** Two candidates, one of which a record brings nearer and the other one takes away. */
  private static Twin keyReused() {
    SoftQueries plan = soft();
    SoftWeights noise = plan.noise(SENSITIVITY, CANDIDATES);
    AttackTarget honest = AbcTargets.soft(noise, plan.charge());
    return Twin.of(
        "one key for two candidates",
        honest,
        honest.drawing(
            new AttackTarget.Draws(
                random -> difference(noise, SENSITIVITY, random),
                random -> difference(noise, 0, random))));
  }

  private static double difference(SoftWeights noise, double moved, KeyedRandom random) {
    String key = Long.toString(random.nextLong());
    return drawn(noise, THRESHOLD + moved, key) - drawn(noise, THRESHOLD - moved, key);
  }

  private static long drawn(SoftWeights noise, double rho, String key) {
    return noise.answer(rho, Optional.empty()).draw(KeyedRandom.ofPublicSeed(key)).outcome();
  }

  private static Twin acceptancesGoOn() {
    SparseVectorQueries plan = new SparseVectorQueries(THRESHOLD, EPSILON, 1, Threshold.KEPT);
    SparseVectorQueries given = new SparseVectorQueries(THRESHOLD, EPSILON, 2, Threshold.KEPT);
    return Twin.of(
        "one acceptance too many",
        SparseTarget.of(plan, plan, SENSITIVITY),
        SparseTarget.of(plan, given, SENSITIVITY));
  }

  private static Twin widerBand() {
    double[] even = new double[10];
    Arrays.fill(even, 0.1);
    return Twin.of(
        "a band of twice the width",
        ItemTargets.finite("mollifier, finite", LikelihoodRatioBand.mollifier(EPSILON), even),
        ItemTargets.finite(
            "mollifier, finite", LikelihoodRatioBand.mollifier(Epsilon.of("2")), even));
  }

  private static Twin largerTheta() {
    Boosting plan = ItemTargets.boosting(new ItemTargets.Eager(0.01));
    Boosting twin =
        new Boosting(Epsilon.of("2"), plan.rounds(), plan.learner(), plan.reference(), plan.pool());
    return Twin.of(
        "steps theta of twice the epsilon", ItemTargets.boosted(plan), ItemTargets.boosted(twin));
  }
}
