// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

import static io.sfumato.attack.CountTargets.EPSILON;
import static io.sfumato.attack.CountTargets.REQUEST;

import io.sfumato.accounting.Delta;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.partitionselection.SelectionCalibrator;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.partitionselection.DiscoveryMechanism;
import io.sfumato.mechanism.partitionselection.NameBounds;
import io.sfumato.mechanism.partitionselection.NameCount;
import io.sfumato.mechanism.partitionselection.NoisyName;
import io.sfumato.mechanism.partitionselection.Threshold;
import io.sfumato.random.KeyedRandom;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** Names, and subjects, that nobody listed: what is counted, and what passes. */
public final class NameTargets {
  private static final int NAMES = 2;
  private static final NameBounds BOUNDS = new NameBounds(NAMES, NAMES, 1);

  /** What sampling can see: one time in twenty. */
  private static final String COMMON = "0.05";

  private NameTargets() {}

  /** All of them. */
  public static List<AttackTarget> all() {
    SelectionCalibrator.Found laplace = SelectionCalibrator.laplace(REQUEST, BOUNDS).orElseThrow();
    SelectionCalibrator.Found gaussian =
        SelectionCalibrator.gaussian(REQUEST, BOUNDS).orElseThrow();
    return List.of(
        counts("Laplace", laplace, 41),
        counts("Gaussian", gaussian, 41),
        alone(laplace.planned(REQUEST).mechanism(), REQUEST.delta().roundedDown())
            .because("a threshold is a whole number of users"),
        alone(commonPlan(), commonDelta()));
  }

  /** A plan of a delta that can be seen. */
  public static DiscoveryMechanism commonPlan() {
    CalibrationTarget request = new CalibrationTarget("attacked", EPSILON, Delta.of(COMMON), 1);
    return SelectionCalibrator.laplace(request, BOUNDS).orElseThrow().planned(request).mechanism();
  }

  private static double commonDelta() {
    return Delta.of(COMMON).roundedDown();
  }

  /**
   * Two public names of 40 users each, beside the same with one user more.
   *
   * @param with how many there are with the user: 41
   */
  public static AttackTarget counts(long with) {
    SelectionCalibrator.Found laplace = SelectionCalibrator.laplace(REQUEST, BOUNDS).orElseThrow();
    return counts("Laplace", laplace, with);
  }

  private static AttackTarget counts(String noise, SelectionCalibrator.Found found, long with) {
    DiscoveryMechanism plan = found.planned(REQUEST).mechanism();
    long steps = 1L << plan.noise().digits();
    long[] second = new long[NAMES];
    Arrays.fill(second, 40 * steps);
    return new AdditiveTarget<>(
            all(plan, with),
            all(plan, 40),
            NoisyVector::values,
            second,
            IndependentNoiseLaw.of(plan.noise()))
        .target(
            "names that are public, " + noise,
            "a user of 2 names more",
            CountTargets.PROMISE,
            PrivacyClaim.of(plan.charge()).but(found.thresholdDelta().doubleValue()));
  }

  private static OutputDistribution<NoisyVector> all(DiscoveryMechanism plan, long users) {
    return new Joint<>(
        Collections.nCopies(NAMES, plan.distribution(new NameCount(users))),
        (NoisyName name) -> new long[] {name.steps()});
  }

  /**
   * Names of one user alone: any that passes gives the user away, since without this user none is
   * drawn.
   */
  public static AttackTarget alone(DiscoveryMechanism plan, double delta) {
    return alone(plan, plan.threshold(), delta);
  }

  /** The same with any threshold. */
  public static AttackTarget alone(DiscoveryMechanism plan, Threshold threshold, double delta) {
    GridNoise noise = plan.noise();
    double steps = Math.scalb((double) threshold.least() - 1, noise.digits());
    double passes = IndependentNoiseLaw.of(noise).atMost(-steps);
    double any = -StrictMath.expm1(NAMES * StrictMath.log1p(-passes));
    ToDoubleFunction<KeyedRandom> passed =
        random -> {
          double sum = 0;
          for (int i = 0; i < NAMES; i++) {
            sum += plan.distribution(new NameCount(1)).draw(random).passes(threshold) ? 1 : 0;
          }
          return Math.min(1, sum);
        };
    return givesAway("names of one user alone", "a user of 2 names more", delta, any, passed);
  }

  /**
   * Something that happens only with the user, whom it gives away.
   *
   * @param delta that is promised to bound its chance
   * @param chance that it happens
   * @param happens 1 where a draw with the user shows it, 0 elsewhere
   */
  static AttackTarget givesAway(
      String name,
      String neighbours,
      double delta,
      double chance,
      ToDoubleFunction<KeyedRandom> happens) {
    return new AttackTarget(
        name,
        neighbours,
        new AttackTarget.Promise(EPSILON.roundedDown(), delta, AttackTarget.Told.DELTA),
        PrivacyClaim.pure(0).but(delta),
        Optional.of(
            () -> Events.of(List.of(new Events.Atom(chance, 0), new Events.Atom(1 - chance, 1)))),
        Optional.of(new AttackTarget.Draws(happens, random -> 0)),
        Optional.empty(),
        "");
  }
}
