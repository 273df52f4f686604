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
import io.sfumato.estimate.Planned;
import io.sfumato.estimate.ShareRequest;
import io.sfumato.estimate.features.FeaturePlanner;
import io.sfumato.mechanism.abc.FeatureSum;
import io.sfumato.mechanism.abc.GaussianBudget;
import io.sfumato.mechanism.additive.GaussianNoise;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReplayableRandom;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What noise on features is charged as, which coordinates have it, and what is refused. */
class FeaturesAtLimitsTest {
  private static final long STEPS = RoundedSums.STEPS;

  private static FeatureMechanism mechanism(long steps, FeatureSensitivity sensitivity) {
    return new FeatureMechanism(new GaussianNoise(steps), sensitivity);
  }

  /** 2 and a step of each of m sums; C records of norm sqrt(1 + k^2), and S roundings of them. */
  @ParameterizedTest
  @CsvSource({"2, 1, 1", "16, 3, 2", "81, 2, 5", "10000, 40, 7"})
  void recordsMoveSumsByTheirNormsAndRoundings(int features, int records, int subjects) {
    FeatureSensitivity one = FeatureSensitivity.replaceOne(features);
    double replaced = 2 * STEPS + Math.sqrt(features);
    assertThat(one.steps()).isBetween(replaced, replaced * (1 + 1e-11));
    assertThat(one.recordSteps()).isZero();
    assertThat(one.word()).isEqualTo("replace-one");
    FeatureSensitivity users = FeatureSensitivity.addOrRemove(features, records, subjects);
    long weight = Math.round(STEPS * Math.pow(features, -0.25));
    assertThat(users.recordSteps()).isEqualTo(weight);
    double moved =
        records * Math.hypot(STEPS, weight)
            + Math.sqrt((double) features * Math.min(records, subjects));
    assertThat(users.steps()).isBetween(moved * (1 + 1e-13), moved * (1 + 1e-11));
  }

  @Test
  void aSensitivityIsAboveNothing() {
    assertThat(new FeatureSensitivity("any", PrivacyUnit.USER, 1, 0, 1e-9).sizeIsPublic()).isTrue();
    assertThatThrownBy(() -> new FeatureSensitivity("any", PrivacyUnit.USER, 0, 0, 1))
        .hasMessageContaining("at least 1 feature");
    assertThatThrownBy(() -> new FeatureSensitivity("any", PrivacyUnit.USER, 1, -1, 1))
        .hasMessageContaining("above 0");
    for (double steps : new double[] {0, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> new FeatureSensitivity("any", PrivacyUnit.USER, 1, 0, steps))
          .hasMessageContaining("above 0");
    }
    assertThat(FeatureSensitivity.addOrRemove(4, 1, 1).features()).isEqualTo(4);
    assertThatThrownBy(() -> FeatureSensitivity.addOrRemove(4, 1, 0))
        .hasMessageContaining("to 1 subject");
  }

  /** Of a variance of v steps the bridge takes 16: mu = D / sqrt(v - 16), never less. */
  @Test
  void chargesNameTheirNoiseAndCoverIt() {
    FeatureSensitivity users = FeatureSensitivity.addOrRemove(16, 3, 2);
    FeatureMechanism mechanism = mechanism(100_000L << 10, users);
    double mu = users.steps() / Math.sqrt(100_000 - 16);
    assertThat(mechanism.mu()).isBetween(mu * (1 + 1e-14), mu * (1 + 1e-13));
    assertThat(mechanism.charge().mechanism())
        .isEqualTo(
            "discrete-gaussian features add-or-remove-3-of-2 m=16 sigma^2=102400000/2^10 of 2^-16");
    assertThat(mechanism.charge().unit()).isEqualTo(PrivacyUnit.USER);
    assertThat(mechanism.charge().curve().at(2)).isCloseTo(mu * mu, within(1e-9 * mu * mu));
    assertThat(mechanism.charge().profile().orElseThrow().delta(1))
        .isEqualTo(PrivacyProfile.gaussian(mechanism.mu()).delta(1));
    assertThat(mechanism.method()).isEqualTo("gaussian");
    double sigma = Math.sqrt(100_000) / STEPS;
    double ofRecords = Math.sqrt(100_000) / users.recordSteps();
    assertThat(mechanism.parameters())
        .isEqualTo(Map.of("sigma", sigma, "sigma_records", ofRecords));
    assertThat(mechanism(100_000L << 10, FeatureSensitivity.replaceOne(16)).parameters())
        .isEqualTo(Map.of("sigma", sigma));
  }

  @Test
  void noiseIsWiderThanTwoBridges() {
    FeatureSensitivity one = FeatureSensitivity.replaceOne(2);
    assertThatThrownBy(() -> mechanism((32 << 10) - 1, one)).hasMessageContaining("above 32");
    assertThat(mechanism((32 << 10) + 1, one).noise().steps()).isEqualTo((32 << 10) + 1);
  }

  /** As much noise as asked for on each coordinate in its order, the number of records last. */
  @Test
  void everyCoordinateIsDrawnInItsOrder() {
    RoundedSums exact = new RoundedSums(41, new long[] {3, -70_000, 1 << 20});
    FeatureSensitivity[] both = {
      FeatureSensitivity.addOrRemove(3, 1, 1), FeatureSensitivity.replaceOne(3)
    };
    for (FeatureSensitivity sensitivity : both) {
      FeatureMechanism mechanism = mechanism(5_000L << 10, sensitivity);
      NoisySums drawn = mechanism.law(exact).draw(ReplayableRandom.ofPublicSeed("in order"));
      ReplayableRandom same = ReplayableRandom.ofPublicSeed("in order");
      ToLongFunction<ReplayableRandom> noise = mechanism.noise().sampler();
      for (int i = 0; i < 3; i++) {
        assertThat(drawn.sums()[i] * STEPS)
            .isEqualTo((double) (exact.steps()[i] + noise.applyAsLong(same)));
      }
      double records =
          sensitivity.sizeIsPublic()
              ? 41
              : (41 * sensitivity.recordSteps() + noise.applyAsLong(same))
                  / (double) sensitivity.recordSteps();
      assertThat(drawn.records()).isEqualTo(records);
      Framing framed = new Framing();
      mechanism.law(exact).frame(framed);
      Framing expected =
          new Framing()
              .text("features")
              .text("gaussian")
              .number(5_000L << 10)
              .number(sensitivity.recordSteps())
              .number(41)
              .numbers(exact.steps());
      assertThat(framed.toBytes()).isEqualTo(expected.toBytes());
    }
    RoundedSums more = new RoundedSums(42, new long[] {5, -70_000, 1 << 20});
    double weight = both[0].recordSteps();
    assertThat(mechanism(5_000L << 10, both[0]).divergence(2, exact, more).orElseThrow())
        .isCloseTo((4 + weight * weight) / 5_000, within(1e-6));
    assertThat(mechanism(5_000L << 10, both[1]).divergence(2, exact, more).orElseThrow())
        .isCloseTo(4 / 5_000.0, within(1e-12));
  }

  /**
   * The least variance is D^2 T / mu^2, and 16; nothing where that is too much, or nothing fits.
   */
  @Test
  void plansTakeTheLeastNoiseAndNameWhatTheyCount() {
    FeatureSensitivity users = FeatureSensitivity.addOrRemove(16, 3, 2);
    ShareRequest share = new ShareRequest("sums", Epsilon.of("1"), Delta.of("1e-6"), 9);
    Planned<FeatureMechanism> plan = FeaturePlanner.gaussian(share, users).orElseThrow();
    double mu = GaussianBudget.mu(Epsilon.of("1"), Delta.of("1e-6"), Accountant.EXACT);
    double needed = Math.pow(users.steps() * 3 / mu, 2) + 16;
    assertThat(plan.mechanism().noise().steps() / 1024.0)
        .isBetween(needed, needed * (1 + 1e-11) + 1 / 1024.0);
    assertThat(plan.releases()).isEqualTo(9);
    assertThat(plan.share().name()).isEqualTo("sums");
    ShareRequest rich = new ShareRequest("sums", Epsilon.of("900000"), Delta.of("1e-6"), 1);
    assertThat(FeaturePlanner.gaussian(rich, FeatureSensitivity.replaceOne(2)).orElseThrow())
        .as("33 squared steps at least")
        .satisfies(
            least ->
                assertThat(least.mechanism().noise().steps()).isGreaterThanOrEqualTo(33 << 10));
    ShareRequest poor = new ShareRequest("sums", Epsilon.of("1e-30"), Delta.of("1e-30"), 1);
    assertThat(FeaturePlanner.gaussian(poor, users)).isEmpty();
    ShareRequest far = new ShareRequest("sums", Epsilon.of("1e-4"), Delta.of("1e-9"), 1L << 40);
    assertThat(FeaturePlanner.gaussian(far, users)).isEmpty();
  }

  /** To the nearest step of 2^-16, halves up, below 0 as above it. */
  @Test
  void sumsAreRoundedToTheNearestStep() {
    long half = 1L << 15;
    FeatureSum exact =
        new FeatureSum(
            7, new long[] {0, half - 1, half, -half, -half - 1, 3 * (1L << 16) + half, 1L << 40});
    RoundedSums rounded = RoundedSums.of(exact);
    assertThat(rounded.steps()).containsExactly(0, 0, 1, 0, -1, 4, 1L << 24);
    assertThat(rounded.size()).isEqualTo(7);
    assertThat(rounded.coordinates(0)).isEqualTo(rounded.steps());
    assertThat(rounded.coordinates(5)).containsExactly(0, 0, 1, 0, -1, 4, 1L << 24, 35);
    RoundedSums same = new RoundedSums(7, rounded.steps());
    assertThat(rounded)
        .isEqualTo(same)
        .hasSameHashCodeAs(same)
        .hasToString("RoundedSums[7 features]")
        .isNotEqualTo(new RoundedSums(8, rounded.steps()))
        .isNotEqualTo(new RoundedSums(7, new long[7]))
        .isNotEqualTo("sums");
    NoisySums noisy = new NoisySums(-1.5, new double[] {1, 2});
    noisy.sums()[0] = 9;
    assertThat(noisy.sums()).as("a copy").containsExactly(1, 2);
  }
}
