// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyProfile;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.additive.VectorCalibrator;
import io.sfumato.estimate.features.NoisySums;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.abc.FeatureSum;
import io.sfumato.mechanism.abc.GaussianBudget;
import io.sfumato.mechanism.additive.FineGridGaussian;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.mechanism.additive.TheoremD;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.KeyedRandom;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What noise on features is charged as, which coordinates have it, and what is refused. */
class FeaturesAtLimitsTest {
  private static final long STEPS = FeatureQuery.STEPS;

  private static GridMeasurement<FeatureQuery> mechanism(
      long steps, FeatureQuery query, GridSensitivity sensitivity) {
    return new GridMeasurement<>(query, sensitivity, new FineGridGaussian(16, steps));
  }

  private static GridMeasurement<FeatureQuery> replaceOne(long steps, int features) {
    return mechanism(
        steps, FeatureQuery.ofPublicSize(features), FeatureSensitivity.replaceOne(features));
  }

  /** 2 and a step of each of m sums; C records of norm sqrt(1 + k^2), and S roundings of them. */
  @ParameterizedTest
  @CsvSource({"2, 1, 1", "16, 3, 2", "81, 2, 5", "10000, 40, 7"})
  void recordsMoveSumsByTheirNormsAndRoundings(int features, int records, int subjects) {
    GridSensitivity one = FeatureSensitivity.replaceOne(features);
    double replaced = 2 * STEPS + Math.sqrt(features);
    assertThat(one.l2()).isBetween(replaced, replaced * (1 + 1e-11));
    assertThat(FeatureQuery.ofPublicSize(features).recordSteps()).isZero();
    assertThat(one.word()).isEqualTo("features replace-one m=" + features);
    GridSensitivity users = FeatureSensitivity.addOrRemove(features, records, subjects);
    long weight = Math.round(STEPS * Math.pow(features, -0.25));
    assertThat(FeatureQuery.ofPrivateSize(features).recordSteps()).isEqualTo(weight);
    double moved =
        records * Math.hypot(STEPS, weight)
            + Math.sqrt((double) features * Math.min(records, subjects));
    assertThat(users.l2()).isBetween(moved * (1 + 1e-13), moved * (1 + 1e-11));
    int in = Math.min(records, subjects);
    assertThat((double) users.l1())
        .as("as many coordinates as are moved, each by the same")
        .isBetween(
            moved * Math.sqrt((features + 1.0) * in),
            1 + moved * Math.sqrt((features + 1.0) * in) * (1 + 1e-11));
  }

  @Test
  void aSensitivityIsAboveNothing() {
    assertThatThrownBy(() -> new FeatureQuery(0, 0)).hasMessageContaining("at least 1 feature");
    assertThat(new FeatureQuery(1, 0).vector(new ExactVector(5, 9))).containsExactly(5);
    assertThatThrownBy(() -> new FeatureQuery(1, -1)).hasMessageContaining("at least 0 steps");
    assertThatThrownBy(() -> FeatureSensitivity.replaceOne(0))
        .hasMessageContaining("at least 1 feature");
    assertThatThrownBy(() -> FeatureSensitivity.addOrRemove(4, 0, 1))
        .hasMessageContaining("at least 1 record");
    assertThatThrownBy(() -> FeatureSensitivity.addOrRemove(4, 1, 0))
        .hasMessageContaining("to 1 subject");
  }

  /** Of a variance of v steps the bridge takes 16: mu = D / sqrt(v - 16), never less. */
  @Test
  void chargesNameTheirNoiseAndCoverIt() {
    GridSensitivity users = FeatureSensitivity.addOrRemove(16, 3, 2);
    GridMeasurement<FeatureQuery> mechanism =
        mechanism(100_000L << 10, FeatureQuery.ofPrivateSize(16), users);
    double mu = users.l2() / Math.sqrt(100_000 - 16);
    double charged = TheoremD.mu(users.l2(), Math.pow(mechanism.noise().deviation(), 2));
    assertThat(charged).isBetween(mu * (1 + 1e-14), mu * (1 + 1e-13));
    assertThat(mechanism.charge().mechanism())
        .isEqualTo(
            "discrete-gaussian features add-or-remove-3-of-2 m=16 sigma^2=102400000/2^10 of 2^-16");
    assertThat(mechanism.charge().unit()).isEqualTo(PrivacyUnit.USER);
    assertThat(mechanism.charge().curve().at(2)).isCloseTo(mu * mu, within(1e-9 * mu * mu));
    assertThat(mechanism.charge().profile().orElseThrow().delta(1))
        .isEqualTo(PrivacyProfile.gaussian(charged).delta(1));
    assertThat(mechanism.method()).isEqualTo("gaussian");
    double sigma = Math.sqrt(100_000) / STEPS;
    double ofRecords = Math.sqrt(100_000) / mechanism.query().recordSteps();
    assertThat(mechanism.parameters())
        .isEqualTo(Map.of("sigma", sigma, "sigma_records", ofRecords));
    assertThat(replaceOne(100_000L << 10, 16).parameters()).isEqualTo(Map.of("sigma", sigma));
  }

  @Test
  void noiseIsWiderThanTwoBridges() {
    assertThatThrownBy(() -> replaceOne((32 << 10) - 1, 2)).hasMessageContaining("above 32");
    assertThat(replaceOne((32 << 10) + 1, 2).noise().steps()).isEqualTo((32 << 10) + 1);
  }

  /** As much noise as asked for on each coordinate in its order, the number of records last. */
  @Test
  void everyCoordinateIsDrawnInItsOrder() {
    long[] sums = {3, -70_000, 1 << 20};
    ExactVector exact = new ExactVector(3, -70_000, 1 << 20, 41);
    GridMeasurement<FeatureQuery> users =
        mechanism(
            5_000L << 10, FeatureQuery.ofPrivateSize(3), FeatureSensitivity.addOrRemove(3, 1, 1));
    GridMeasurement<FeatureQuery> ofRecords = replaceOne(5_000L << 10, 3);
    for (GridMeasurement<FeatureQuery> mechanism : List.of(users, ofRecords)) {
      NoisySums drawn =
          NoisySums.of(
              mechanism.query(),
              mechanism.distribution(exact).draw(KeyedRandom.ofPublicSeed("in order")));
      KeyedRandom same = KeyedRandom.ofPublicSeed("in order");
      ToLongFunction<KeyedRandom> noise = mechanism.noise().sampler();
      for (int i = 0; i < 3; i++) {
        assertThat(drawn.sums()[i] * STEPS).isEqualTo((double) (sums[i] + noise.applyAsLong(same)));
      }
      double records =
          mechanism.sizeIsPublic()
              ? 41
              : (41 * mechanism.query().recordSteps() + noise.applyAsLong(same))
                  / (double) mechanism.query().recordSteps();
      assertThat(drawn.records()).isEqualTo(records);
      CanonicalEncoder encoded = new CanonicalEncoder();
      mechanism.distribution(exact).encodeInput(encoded);
      CanonicalEncoder expected =
          new CanonicalEncoder()
              .text("features")
              .text("gaussian")
              .number(5_000L << 10)
              .number(mechanism.query().recordSteps())
              .number(41)
              .numbers(sums);
      assertThat(encoded.toBytes()).isEqualTo(expected.toBytes());
    }
    ExactVector more = new ExactVector(5, -70_000, 1 << 20, 42);
    double weight = users.query().recordSteps();
    assertThat(users.divergence(2, exact, more).orElseThrow())
        .isCloseTo((4 + weight * weight) / 5_000, within(1e-6));
    ExactVector replaced = new ExactVector(5, -70_000, 1 << 20, 41);
    assertThat(ofRecords.divergence(2, exact, replaced).orElseThrow())
        .isCloseTo(4 / 5_000.0, within(1e-12));
    assertThat(ofRecords.divergence(2, exact, more).orElseThrow())
        .as("of datasets that are no neighbours")
        .isInfinite();
  }

  /**
   * The least variance is D^2 T / mu^2, and 16; nothing where that is too much, or nothing fits.
   */
  @Test
  void plansTakeTheLeastNoiseAndNameWhatTheyCount() {
    GridSensitivity users = FeatureSensitivity.addOrRemove(16, 3, 2);
    FeatureQuery query = FeatureQuery.ofPrivateSize(16);
    CalibrationTarget share = new CalibrationTarget("sums", Epsilon.of("1"), Delta.of("1e-6"), 9);
    Calibrated<GridMeasurement<FeatureQuery>> plan =
        VectorCalibrator.fineGaussian(share, query, users).orElseThrow();
    double mu = GaussianBudget.mu(Epsilon.of("1"), Delta.of("1e-6"), Accountant.EXACT);
    double needed = Math.pow(users.l2() * 3 / mu, 2) + 16;
    assertThat(plan.mechanism().noise().steps() / 1024.0)
        .isBetween(needed, needed * (1 + 1e-11) + 1 / 1024.0);
    assertThat(plan.releases()).isEqualTo(9);
    assertThat(plan.share().name()).isEqualTo("sums");
    CalibrationTarget rich =
        new CalibrationTarget("sums", Epsilon.of("900000"), Delta.of("1e-6"), 1);
    assertThat(
            VectorCalibrator.fineGaussian(
                    rich, FeatureQuery.ofPublicSize(2), FeatureSensitivity.replaceOne(2))
                .orElseThrow())
        .as("33 squared steps at least")
        .satisfies(
            least ->
                assertThat(least.mechanism().noise().steps()).isGreaterThanOrEqualTo(33 << 10));
    CalibrationTarget poor =
        new CalibrationTarget("sums", Epsilon.of("1e-30"), Delta.of("1e-30"), 1);
    assertThat(VectorCalibrator.fineGaussian(poor, query, users)).isEmpty();
    CalibrationTarget far =
        new CalibrationTarget("sums", Epsilon.of("1e-4"), Delta.of("1e-9"), 1L << 40);
    assertThat(VectorCalibrator.fineGaussian(far, query, users)).isEmpty();
  }

  /** To the nearest step of 2^-16, halves up, below 0 as above it. */
  @Test
  void sumsAreRoundedToTheNearestStep() {
    long half = 1L << 15;
    FeatureSum exact =
        new FeatureSum(
            7, new long[] {0, half - 1, half, -half, -half - 1, 3 * (1L << 16) + half, 1L << 40});
    ExactVector rounded = FeatureQuery.rounded(exact);
    assertThat(rounded.values()).containsExactly(0, 0, 1, 0, -1, 4, 1L << 24, 7);
    assertThat(new FeatureQuery(7, 0).records(rounded)).hasValue(7);
    assertThat(new FeatureQuery(7, 0).vector(rounded)).containsExactly(0, 0, 1, 0, -1, 4, 1L << 24);
    assertThat(new FeatureQuery(7, 5).vector(rounded))
        .containsExactly(0, 0, 1, 0, -1, 4, 1L << 24, 35);
    assertThatThrownBy(() -> new FeatureQuery(8, 5).vector(rounded))
        .hasMessageContaining("8 numbers for 8 features");
    NoisySums noisy = new NoisySums(-1.5, new double[] {1, 2});
    noisy.sums()[0] = 9;
    assertThat(noisy.sums()).as("a copy").containsExactly(1, 2);
  }
}
