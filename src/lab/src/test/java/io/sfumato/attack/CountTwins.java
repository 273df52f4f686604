// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.estimate.history.LearningCounts;
import io.sfumato.estimate.history.ReleaseHistory;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.additive.CountMeasurement;
import io.sfumato.mechanism.additive.GridGaussian;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.mechanism.additive.NoisyHistogram;
import io.sfumato.mechanism.continual.RunningMechanism;
import io.sfumato.mechanism.count.CountQuery;
import io.sfumato.mechanism.dirichlet.DirichletBound;
import io.sfumato.mechanism.dirichlet.DirichletMechanism;
import io.sfumato.mechanism.dirichlet.DirichletParameters;
import io.sfumato.mechanism.matrix.RootQuery;
import io.sfumato.mechanism.matrix.ToeplitzRoot;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.KeyedRandom;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;

/** Broken twins of histograms and counts. */
final class CountTwins {
  private static final Sensitivity USER = Sensitivity.addOrRemove(3);
  private static final Sensitivity ONE = Sensitivity.replaceOne();

  private CountTwins() {}

  static List<Twin> all() {
    return List.of(
        weightDoubled(false),
        weightDoubled(true),
        raiseForgotten(),
        halved(),
        shared(),
        halvedLaplace(),
        oneTooMany(),
        reused(),
        noNoise(),
        twoWindows(),
        laterRowsForgotten(),
        diagonalAlone());
  }

  /** What is drawn, changed afterwards. */
  record Changed(OutputDistribution<NoisyVector> distribution, UnaryOperator<long[]> change)
      implements OutputDistribution<NoisyVector> {
    @Override
    public void encodeInput(CanonicalEncoder encoder) {
      distribution.encodeInput(encoder);
    }

    @Override
    public NoisyVector draw(KeyedRandom random) {
      return new NoisyVector(change.apply(distribution.draw(random).values()));
    }
  }

  private static Twin weightDoubled(boolean items) {
    DirichletMechanism plan = DirichletTargets.exactPlan();
    DirichletMechanism heavy =
        new DirichletMechanism(
            new DirichletParameters(2 * plan.pair().rSteps(), plan.pair().aSteps()),
            new DirichletBound.ReplaceOne(),
            3);
    return items
        ? Twin.of(
            "a record's weight doubled",
            DirichletTargets.items(plan, 100),
            DirichletTargets.items(heavy, 100))
        : Twin.of(
            "a record's weight doubled",
            DirichletTargets.replaced("Dirichlet", plan, 1, 0),
            DirichletTargets.replaced("Dirichlet", heavy, 1, 0));
  }

  private static Twin raiseForgotten() {
    DirichletMechanism plan = DirichletTargets.leastPlan();
    DirichletMechanism bare =
        new DirichletMechanism(plan.pair(), new DirichletBound.ReplaceOne(), 3);
    return Twin.of(
        "counts not raised to the least count",
        DirichletTargets.replaced("Dirichlet, least count", plan, 1, DirichletTargets.LEAST),
        DirichletTargets.replaced("Dirichlet, least count", bare, 1, 0));
  }

  private static final Histogram FIRST = new Histogram(51, 50, 9, 0);
  private static final Histogram SECOND = new Histogram(50, 51, 9, 0);

  private static AttackTarget histogram(
      AttackTarget honest,
      NoisyHistogram plan,
      UnaryOperator<long[]> first,
      UnaryOperator<long[]> second) {
    return new AdditiveTarget<>(
            new Changed(plan.counts().distribution(ExactVector.byCategory(FIRST)), first),
            new Changed(plan.counts().distribution(ExactVector.byCategory(SECOND)), second),
            NoisyVector::values,
            SECOND.counts(),
            IndependentNoiseLaw.of(plan.noise()))
        .target(honest.name(), honest.neighbours(), honest.promise(), honest.claim());
  }

  private static UnaryOperator<long[]> halfNoise(long[] exact) {
    return noisy -> {
      for (int i = 0; i < noisy.length; i++) {
        noisy[i] = exact[i] + (noisy[i] - exact[i]) / 2;
      }
      return noisy;
    };
  }

  /** The second count has the first one's noise. */
  private static UnaryOperator<long[]> sharedNoise(long[] exact) {
    return noisy -> {
      noisy[1] = exact[1] + noisy[0] - exact[0];
      return noisy;
    };
  }

  private static Twin halved() {
    NoisyHistogram plan = CountTargets.gaussian(Accountant.EXACT, ONE);
    AttackTarget honest = CountTargets.histogram("histogram, Gaussian", plan, ONE);
    return Twin.of(
        "noise halved",
        honest,
        histogram(honest, plan, halfNoise(FIRST.counts()), halfNoise(SECOND.counts())));
  }

  private static Twin shared() {
    NoisyHistogram plan = CountTargets.gaussian(Accountant.EXACT, ONE);
    AttackTarget honest = CountTargets.histogram("histogram, Gaussian", plan, ONE);
    return Twin.of(
        "two categories share a noise",
        honest,
        histogram(honest, plan, sharedNoise(FIRST.counts()), sharedNoise(SECOND.counts())));
  }

  private static Twin halvedLaplace() {
    NoisyHistogram plan = CountTargets.laplace(Accountant.EXACT, ONE);
    AttackTarget honest = CountTargets.histogram("histogram, Laplace", plan, ONE);
    return Twin.of(
        "noise halved",
        honest,
        histogram(honest, plan, halfNoise(FIRST.counts()), halfNoise(SECOND.counts())));
  }

  private static Twin oneTooMany() {
    return Twin.of(
        "noise for 2 records of a user, of whom 3 count",
        CountTargets.count(CountTargets.gaussianCounts(USER)),
        CountTargets.count(CountTargets.gaussianCounts(Sensitivity.addOrRemove(2))));
  }

  /** Two windows; in the first one the user is there or not. */
  private static Twin reused() {
    CountMeasurement<CountQuery> plan = CountTargets.laplaceCounts(USER);
    AttackTarget honest = CountTargets.count(plan);
    ToDoubleFunction<KeyedRandom> with = random -> difference(plan, 53, random);
    ToDoubleFunction<KeyedRandom> without = random -> difference(plan, 50, random);
    return Twin.of(
        "one key for two windows", honest, honest.drawing(new AttackTarget.Draws(with, without)));
  }

  private static double difference(
      CountMeasurement<CountQuery> plan, long records, KeyedRandom random) {
    String key = Long.toString(random.nextLong());
    long first =
        plan.distribution(new ExactVector(records)).draw(KeyedRandom.ofPublicSeed(key)).of(0);
    long second = plan.distribution(new ExactVector(50)).draw(KeyedRandom.ofPublicSeed(key)).of(0);
    return first - second;
  }

  /** Where there is a past, the window's own count is looked at without its noise. */
  private static Twin noNoise() {
    CountMeasurement<CountQuery> plan = CountTargets.laplaceCounts(USER);
    AttackTarget honest = CountTargets.learning(plan);
    LearningCounts learning = new LearningCounts(plan.noise());
    ReleaseHistory past = learning.made(ReleaseHistory.none(2), 1, new long[] {50, 4}).past();
    double with = learning.made(past, 2, new long[] {53, 4}).counts().get(0);
    double without = learning.made(past, 2, new long[] {50, 4}).counts().get(0);
    return Twin.of(
        "learns from an exact count",
        honest,
        honest.drawing(new AttackTarget.Draws(random -> with, random -> without)));
  }

  private static Twin twoWindows() {
    CountMeasurement<CountQuery> plan = CountTargets.treePlan();
    return Twin.of(
        "a user counts in 2 windows, charged for 1",
        CountTargets.tree(plan),
        CountTargets.tree(plan, 2));
  }

  private static Twin laterRowsForgotten() {
    RunningMechanism plan = CountTargets.rowsPlan();
    GridSensitivity own = new GridSensitivity("own", PrivacyUnit.USER, 1, 3L << 20, 3L << 20);
    long steps = Math.round(plan.noise().steps() * own.l2() / plan.sensitivity().l2());
    RunningMechanism twin =
        new RunningMechanism(plan.coefficients(), new GridGaussian(20, steps), 0, own);
    return Twin.of(
        "only a window's own row is paid for", CountTargets.rows(plan), CountTargets.rows(twin));
  }

  private static Twin diagonalAlone() {
    ToeplitzRoot root = ToeplitzRoot.full(8);
    GridSensitivity diagonal =
        new GridSensitivity("diagonal", PrivacyUnit.USER, 1, 3L << 20, 3L << 20);
    GridMeasurement<RootQuery> twin = NumberTargets.gaussian(new RootQuery(root), diagonal);
    return Twin.of(
        "only the root's diagonal is paid for",
        CountTargets.factorised(CountTargets.factorisedPlan()),
        CountTargets.factorised(twin));
  }
}
