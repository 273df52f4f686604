// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.additive.VectorCalibrator;
import io.sfumato.estimate.features.NoisySums;
import io.sfumato.gate.Gate;
import io.sfumato.gate.Measured;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.gate.Permit;
import io.sfumato.gate.ReleaseId;
import io.sfumato.gate.Secret;
import io.sfumato.gate.StateEpoch;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.abc.GaussianBudget;
import io.sfumato.mechanism.additive.FineGridGaussian;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.mechanism.additive.TheoremD;
import io.sfumato.random.DiscreteGaussian;
import io.sfumato.random.KeyedRandom;
import io.sfumato.testkit.KolmogorovSmirnov;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Noise on sums of features: what it costs, and that it is what it says. */
class FeatureQueryTest {
  private static final Gate GATE =
      new Gate(
          NoiseSecret.parse("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")
              .derive());

  private static final NormalDistribution NORMAL = new NormalDistribution(null, 0, 1);

  private static GridMeasurement<FeatureQuery> mechanism(
      double variance, FeatureQuery query, GridSensitivity sensitivity) {
    return new GridMeasurement<>(
        query, sensitivity, new FineGridGaussian(16, (long) (variance * DiscreteGaussian.STEPS)));
  }

  private static GridMeasurement<FeatureQuery> replaceOne(double variance, int features) {
    return mechanism(
        variance, FeatureQuery.ofPublicSize(features), FeatureSensitivity.replaceOne(features));
  }

  private static GridMeasurement<FeatureQuery> addOrRemove(
      double variance, int features, int records, int subjects) {
    return mechanism(
        variance,
        FeatureQuery.ofPrivateSize(features),
        FeatureSensitivity.addOrRemove(features, records, subjects));
  }

  private static GridMeasurement<FeatureQuery> planned(
      String epsilon, String delta, long horizon, FeatureQuery query, GridSensitivity sensitivity) {
    return VectorCalibrator.fineGaussian(
            new CalibrationTarget("sums", Epsilon.of(epsilon), Delta.of(delta), horizon),
            query,
            sensitivity)
        .orElseThrow()
        .mechanism();
  }

  private static double variance(GridMeasurement<FeatureQuery> mechanism) {
    return Math.pow(mechanism.noise().deviation(), 2);
  }

  private static double mu(GridMeasurement<FeatureQuery> mechanism) {
    return TheoremD.mu(mechanism.sensitivity().l2(), variance(mechanism));
  }

  private static ExactVector sums(long records, long... steps) {
    long[] exact = Arrays.copyOf(steps, steps.length + 1);
    exact[steps.length] = records;
    return new ExactVector(exact);
  }

  /** The noise is continuous noise of a variance that is less by 16, rounded: Theorem D. */
  @ParameterizedTest
  @CsvSource({"33, 2, 1, 1", "1e6, 50, 2, 1", "7e9, 100, 5, 3", "1e15, 10000, 1000, 9"})
  void shouldChargeForTheContinuousNoiseThatItIsMadeOf(
      double variance, int features, int records, int subjects) {
    for (GridMeasurement<FeatureQuery> mechanism :
        List.of(
            replaceOne(variance, features), addOrRemove(variance, features, records, subjects))) {
      double mu = mechanism.sensitivity().l2() / Math.sqrt(variance - 16);
      assertThat(mu(mechanism)).isBetween(mu, mu * (1 + 1e-12));
      assertThat(mechanism.charge().unit()).isEqualTo(mechanism.sensitivity().unit());
      for (double order : new double[] {1.5, 2, 17, 256}) {
        assertThat(mechanism.charge().curve().at(order))
            .isCloseTo(order * mu * mu / 2, within(1e-9 * order * mu * mu));
      }
    }
  }

  @Test
  void shouldHaveAProfileThatIsTheGaussiansOwn() {
    GridMeasurement<FeatureQuery> mechanism =
        planned(
            "1.5",
            "1e-6",
            1,
            FeatureQuery.ofPrivateSize(50),
            FeatureSensitivity.addOrRemove(50, 2, 1));
    double mu = mu(mechanism);
    for (double epsilon : new double[] {0.2, 1.5, 3}) {
      // Balle and Wang 2018, Theorem 8.
      double delta =
          NORMAL.cumulativeProbability(mu / 2 - epsilon / mu)
              - Math.exp(epsilon) * NORMAL.cumulativeProbability(-mu / 2 - epsilon / mu);
      assertThat(mechanism.charge().profile().orElseThrow().delta(epsilon))
          .isCloseTo(delta, within(1e-12 + 1e-6 * delta));
    }
  }

  /** Neighbours at the claimed distance lose what is charged, but for the bridge of 16 steps. */
  @Test
  void shouldLoseNoMoreThanIsCharged() {
    GridMeasurement<FeatureQuery> mechanism = addOrRemove(1e7, 2, 3, 1);
    ExactVector none = sums(0, 0, 0);
    ExactVector three = sums(3, 3 * FeatureQuery.STEPS, 0);
    for (double order : new double[] {1.1, 2, 40}) {
      double charged = mechanism.charge().curve().at(order);
      assertThat(mechanism.divergence(order, none, three).orElseThrow())
          .isBetween(0.999 * charged, charged);
      assertThat(mechanism.divergence(order, three, none).orElseThrow())
          .isBetween(0.999 * charged, charged);
    }
  }

  /** The number of records alone tells whether somebody was there. */
  @Test
  void shouldCountWhatTheNumberOfRecordsLoses() {
    GridMeasurement<FeatureQuery> mechanism = addOrRemove(1e7, 2, 1, 1);
    ExactVector five = sums(5, 0, 0);
    ExactVector six = sums(6, 0, 0);
    double moved = mechanism.query().recordSteps();
    assertThat(mechanism.divergence(2, five, six).orElseThrow())
        .isCloseTo(moved * moved / 1e7, within(1e-6 * moved * moved / 1e7));
    GridMeasurement<FeatureQuery> ofRecords = replaceOne(1e7, 2);
    assertThat(ofRecords.divergence(2, five, five).orElseThrow()).isZero();
    assertThat(ofRecords.divergence(2, five, six).orElseThrow()).isInfinite();
  }

  /**
   * 400,000 draws: of the mean, and of the variance in its normal limit, seven standard errors:
   * false alarms below 1e-11. The distribution at 2e-10.
   */
  @ParameterizedTest
  @CsvSource({"33", "250000.5", "3e11"})
  void shouldDrawNoiseOfItsVarianceOnEveryCoordinate(double variance) {
    GridMeasurement<FeatureQuery> mechanism = addOrRemove(variance, 100, 2, 1);
    long[] exact = new long[100];
    Arrays.setAll(exact, i -> (i - 50) * 12_345L);
    OutputDistribution<NoisyVector> law = mechanism.distribution(sums(777, exact));
    KeyedRandom random = KeyedRandom.ofPublicSeed("features " + variance);
    int draws = 4_000;
    double[] noise = new double[draws * 100];
    double[] ofRecords = new double[draws];
    double ofOne = mechanism.query().recordsDeviation(mechanism.noise());
    for (int draw = 0; draw < draws; draw++) {
      NoisySums drawn = NoisySums.of(mechanism.query(), law.draw(random));
      for (int i = 0; i < 100; i++) {
        double steps = drawn.sums()[i] * FeatureQuery.STEPS;
        assertThat(steps).isEqualTo(Math.rint(steps));
        noise[draw * 100 + i] = (steps - exact[i]) / Math.sqrt(variance);
      }
      ofRecords[draw] = (drawn.records() - 777) / ofOne;
    }
    assertThat(mechanism.deviation()).isEqualTo(Math.sqrt(variance) / 65536, within(1e-12));
    for (double[] sample : List.of(noise, ofRecords)) {
      double mean = Arrays.stream(sample).average().orElseThrow();
      double squares = Arrays.stream(sample).map(x -> x * x).average().orElseThrow();
      assertThat(mean).isCloseTo(0, within(7 / Math.sqrt(sample.length)));
      assertThat(squares).isCloseTo(1, within(7 * Math.sqrt(2.0 / sample.length)));
    }
    if (variance > 1e5) {
      // Wide enough that whole steps do not show.
      KolmogorovSmirnov.assertFollows(noise, NORMAL::cumulativeProbability);
      KolmogorovSmirnov.assertFollows(ofRecords, NORMAL::cumulativeProbability);
    }
  }

  private static NoisySums drawn(
      GridMeasurement<FeatureQuery> mechanism, ReleaseId id, ExactVector exact) {
    return NoisySums.of(
        mechanism.query(),
        GATE.release(
            Permit.ofMadeUpData(id, mechanism), id, Measured.of(mechanism, Secret.of(exact))));
  }

  /** Another id, input, number of records or noise never meets the same random numbers. */
  @Test
  void shouldDrawTheSameAgainForOneIdAndInputAlone() {
    ReleaseId id = new ReleaseId("p", new StateEpoch(1, 2), 1, "sums", "north", 0, 0);
    ReleaseId next = new ReleaseId("p", new StateEpoch(1, 2), 1, "sums", "north", 1, 0);
    GridMeasurement<FeatureQuery> mechanism = addOrRemove(1e9, 4, 2, 1);
    ExactVector exact = sums(9, 4, -70_000, 0, 123_456);
    NoisySums once = drawn(mechanism, id, exact);
    NoisySums again = drawn(mechanism, id, new ExactVector(exact.values()));
    assertThat(again.sums()).containsExactly(once.sums());
    assertThat(again.records()).isEqualTo(once.records());
    Set<Double> noises = new HashSet<>();
    noises.add(once.sums()[2]);
    noises.add(drawn(mechanism, next, exact).sums()[2]);
    noises.add(drawn(mechanism, id, sums(8, 4, -70_000, 0, 123_456)).sums()[2]);
    noises.add(drawn(mechanism, id, sums(9, 5, -70_000, 0, 123_456)).sums()[2]);
    noises.add(drawn(addOrRemove(1e9 + 1, 4, 2, 1), id, exact).sums()[2]);
    noises.add(drawn(replaceOne(1e9, 4), id, exact).sums()[2]);
    assertThat(noises).hasSize(6);
  }

  /** The number of records is public where one of them is replaced, and goes out as it is. */
  @Test
  void shouldTellThePublicNumberOfRecordsWithoutNoise() {
    GridMeasurement<FeatureQuery> mechanism = replaceOne(1e9, 2);
    assertThat(mechanism.query().recordsDeviation(mechanism.noise())).isZero();
    assertThat(mechanism.parameters()).containsOnlyKeys("sigma");
    NoisyVector drawn =
        mechanism.distribution(sums(41, 0, 0)).draw(KeyedRandom.ofPublicSeed("any"));
    assertThat(drawn.records()).hasValue(41);
    assertThat(NoisySums.of(mechanism.query(), drawn).records()).isEqualTo(41);
    assertThat(NoisySums.of(mechanism.query(), drawn).sums()).hasSize(2);
  }

  /** As many releases as planned are one of the affordable mu; with less noise they are not. */
  @ParameterizedTest
  @CsvSource({"1.5, 1e-6, 1", "1, 1e-6, 52", "0.1, 1e-9, 4"})
  void shouldTakeTheLeastNoiseThatAShareAffords(String epsilon, String delta, long horizon) {
    GridMeasurement<FeatureQuery> mechanism =
        planned(
            epsilon,
            delta,
            horizon,
            FeatureQuery.ofPrivateSize(50),
            FeatureSensitivity.addOrRemove(50, 2, 1));
    double mu = GaussianBudget.mu(Epsilon.of(epsilon), Delta.of(delta), Accountant.EXACT);
    double together = mu(mechanism) * Math.sqrt(horizon);
    assertThat(together).isBetween(mu * (1 - 1e-6), mu);
  }

  @Test
  void shouldRefuseNoiseThatTheBridgeWouldUseUp() {
    assertThatThrownBy(() -> replaceOne(31.9, 2)).isInstanceOf(IllegalArgumentException.class);
    FeatureQuery query = FeatureQuery.ofPublicSize(2);
    assertThat(planned("900000", "1e-6", 1, query, FeatureSensitivity.replaceOne(2)).deviation())
        .isGreaterThan(Math.sqrt(32) / FeatureQuery.STEPS);
  }

  /** Whoever cannot be hidden at all gets no plan rather than a mechanism that fails. */
  @Test
  void shouldFindNoNoiseThatIsTooLarge() {
    CalibrationTarget request =
        new CalibrationTarget("sums", Epsilon.of("1e-9"), Delta.of("1e-12"), 1_000_000_000);
    assertThat(
            VectorCalibrator.fineGaussian(
                request,
                FeatureQuery.ofPrivateSize(10_000),
                FeatureSensitivity.addOrRemove(10_000, 1000, 9)))
        .isEmpty();
  }
}
