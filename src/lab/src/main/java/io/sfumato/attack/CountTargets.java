// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.HistogramPlan;
import io.sfumato.estimate.PlanningModel;
import io.sfumato.estimate.additive.AdditiveCalibrator;
import io.sfumato.estimate.additive.VectorCalibrator;
import io.sfumato.estimate.continual.BestLags;
import io.sfumato.estimate.continual.Horizon;
import io.sfumato.estimate.continual.RunningCalibrator;
import io.sfumato.estimate.count.RunningErrors;
import io.sfumato.estimate.history.LearningCounts;
import io.sfumato.estimate.history.ReleaseHistory;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.additive.CountMeasurement;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.mechanism.additive.NoisyHistogram;
import io.sfumato.mechanism.additive.PostProcessing;
import io.sfumato.mechanism.continual.RunningMechanism;
import io.sfumato.mechanism.count.CountQuery;
import io.sfumato.mechanism.count.CountTree;
import io.sfumato.mechanism.matrix.RootQuery;
import io.sfumato.mechanism.matrix.RootSensitivity;
import io.sfumato.mechanism.matrix.ToeplitzRoot;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** Noise on counts: histograms, counts, and counts that run over windows. */
public final class CountTargets {
  static final Epsilon EPSILON = Epsilon.of("1");
  static final Delta DELTA = Delta.of("1e-6");
  static final AttackTarget.Promise PROMISE = AttackTarget.Promise.of(1, 1e-6);

  /** The share of all targets that have a delta, of one release. */
  static final CalibrationTarget REQUEST = new CalibrationTarget("attacked", EPSILON, DELTA, 1);

  static final String ADDED = "3 records of a user more";
  static final String REPLACED = "1 record replaced";
  static final String RENYI = "charged at one R\u00e9nyi order";

  private static final int USER = 3;
  private static final int WINDOWS = 8;
  private static final int LEARNED = 5;
  private static final PlanningModel MODEL = PlanningModel.zipf(4, 1000);

  private CountTargets() {}

  /** All of them. */
  public static List<AttackTarget> all() {
    Sensitivity one = Sensitivity.replaceOne();
    Sensitivity user = Sensitivity.addOrRemove(USER);
    return List.of(
        histogram("histogram, Gaussian", gaussian(Accountant.EXACT, one), one),
        histogram("histogram, Gaussian", gaussian(Accountant.RENYI, one), one).because(RENYI),
        histogram("histogram, Gaussian", gaussian(Accountant.RENYI, user), user).because(RENYI),
        histogram("histogram, Laplace", laplace(Accountant.EXACT, one), one),
        histogram("histogram, Laplace", laplace(Accountant.RENYI, user), user),
        count(gaussianCounts(user)).because(RENYI),
        count(laplaceCounts(user)),
        learning(laplaceCounts(user)),
        tree(treePlan()).because(RENYI),
        rows(rowsPlan()),
        factorised(factorisedPlan()));
  }

  static CountMeasurement<CountQuery> gaussianCounts(Sensitivity sensitivity) {
    return VectorCalibrator.gaussianWindows(REQUEST, new CountQuery(), sensitivity)
        .orElseThrow()
        .mechanism();
  }

  static CountMeasurement<CountQuery> laplaceCounts(Sensitivity sensitivity) {
    return VectorCalibrator.laplaceWindows(REQUEST, new CountQuery(), sensitivity)
        .orElseThrow()
        .mechanism();
  }

  /** A histogram's plan of Gaussian noise. */
  public static NoisyHistogram gaussian(Accountant accountant, Sensitivity sensitivity) {
    return noisy(
        AdditiveCalibrator.gaussian(
            REQUEST, accountant, PostProcessing.POSTERIOR_MEAN, sensitivity, MODEL));
  }

  /** A histogram's plan of Laplace noise. */
  public static NoisyHistogram laplace(Accountant accountant, Sensitivity sensitivity) {
    return noisy(AdditiveCalibrator.laplace(REQUEST, accountant, sensitivity, MODEL));
  }

  private static NoisyHistogram noisy(Optional<HistogramPlan> plan) {
    HistogramMechanism mechanism = plan.orElseThrow().mechanism();
    return (NoisyHistogram) mechanism;
  }

  /** What is attacked of a histogram: its noisy counts, of which shares are made. */
  public static AttackTarget histogram(String name, NoisyHistogram plan, Sensitivity neighbours) {
    boolean replaced = neighbours.sizeIsPublic();
    Histogram second = replaced ? new Histogram(50, 51, 9, 0) : new Histogram(50, 50, 9, 0);
    Histogram first = replaced ? new Histogram(51, 50, 9, 0) : new Histogram(53, 50, 9, 0);
    return AdditiveTarget.of(
            plan.counts(), ExactVector.byCategory(first), ExactVector.byCategory(second))
        .target(name, replaced ? REPLACED : ADDED, PROMISE, plan.charge());
  }

  /** Counts by two groups. */
  public static AttackTarget count(CountMeasurement<CountQuery> plan) {
    return AdditiveTarget.of(plan, new ExactVector(53, 4), new ExactVector(50, 4))
        .target(
            "count, " + (plan.method().equals("laplace") ? "Laplace" : "Gaussian"),
            ADDED,
            PROMISE,
            plan.charge());
  }

  /** A count that learns from windows before it, all of the same fifty, as its errors see it. */
  public static AttackTarget learning(CountMeasurement<CountQuery> plan) {
    LearningCounts learning = new LearningCounts(plan.noise());
    ReleaseHistory past = ReleaseHistory.none(2);
    for (int window = 1; window <= LEARNED; window++) {
      past = learning.made(past, window, new long[] {50, 4}).past();
    }
    ReleaseHistory before = past;
    AttackTarget plain = count(plan);
    ToDoubleFunction<NoisyVector> score =
        noisy -> learning.made(before, LEARNED + 1, noisy.values()).counts().get(0);
    return new AttackTarget(
        "count that learns, Laplace",
        plain.neighbours(),
        plain.promise(),
        plain.claim(),
        plain.distribution(),
        Optional.of(
            new AttackTarget.Draws(
                random ->
                    score.applyAsDouble(plan.distribution(new ExactVector(53, 4)).draw(random)),
                random ->
                    score.applyAsDouble(plan.distribution(new ExactVector(50, 4)).draw(random)))),
        plain.fit(),
        "");
  }

  /** Of eight windows, of which a user counts in one. */
  public static CountMeasurement<CountQuery> treePlan() {
    Sensitivity window =
        new CountTree(WINDOWS).perWindow(Sensitivity.addOrRemove(USER), REQUEST.horizon());
    return gaussianCounts(window);
  }

  /** All nodes of a tree that hold its first window. */
  public static AttackTarget tree(CountMeasurement<CountQuery> plan) {
    return tree(plan, 1);
  }

  /** All nodes that hold one of the first windows, in each of which a user has all records. */
  public static AttackTarget tree(CountMeasurement<CountQuery> plan, int windows) {
    List<Integer> held = new ArrayList<>();
    for (int size = 1; size <= WINDOWS; size *= 2) {
      for (int begin = 0; begin < windows; begin += size) {
        held.add(USER * Math.min(size, windows - begin));
      }
    }
    return new AdditiveTarget<>(
            nodes(plan, held),
            nodes(plan, Collections.nCopies(held.size(), 0)),
            NoisyVector::values,
            new long[held.size()],
            IndependentNoiseLaw.of(plan.noise()))
        .target("running count, tree of 8", ADDED + ", in one window", PROMISE, plan.charge());
  }

  private static OutputDistribution<NoisyVector> nodes(
      CountMeasurement<CountQuery> plan, List<Integer> records) {
    return new Joint<>(
        records.stream().map(held -> plan.distribution(new ExactVector(held))).toList(),
        NoisyVector::values);
  }

  /** Rows of eight windows. */
  public static RunningMechanism rowsPlan() {
    GridSensitivity window = RunningErrors.window(USER);
    return RunningCalibrator.gaussian(
            REQUEST, window, BestLags.of(new Horizon.Until(WINDOWS), REQUEST.horizon()), 0)
        .orElseThrow()
        .mechanism();
  }

  /** All rows that hold the first window's records. */
  public static AttackTarget rows(RunningMechanism plan) {
    return new AdditiveTarget<>(
            new RowsOfWindows(plan, WINDOWS, USER),
            new RowsOfWindows(plan, WINDOWS, 0),
            NoisyVector::values,
            new long[WINDOWS],
            IndependentNoiseLaw.of(plan.noise()))
        .target("running count, rows of 8", ADDED + ", in one window", PROMISE, plan.charge());
  }

  /** The root of eight windows. */
  public static GridMeasurement<RootQuery> factorisedPlan() {
    ToeplitzRoot root = ToeplitzRoot.full(WINDOWS);
    return VectorCalibrator.gaussian(
            REQUEST, new RootQuery(root), RootSensitivity.addOrRemove(root, USER, 1))
        .orElseThrow()
        .mechanism();
  }

  /** All rows at once. */
  public static AttackTarget factorised(GridMeasurement<RootQuery> plan) {
    long[] first = new long[WINDOWS];
    first[0] = USER;
    return AdditiveTarget.of(plan, new ExactVector(first), ExactVector.none(WINDOWS))
        .target("running count, root of 8", ADDED + ", in one window", PROMISE, plan.charge());
  }
}
