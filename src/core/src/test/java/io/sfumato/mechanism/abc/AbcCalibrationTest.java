// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PldAccountant;
import io.sfumato.accounting.PldAccountant.Precision;
import io.sfumato.accounting.PrivacyProfile;
import io.sfumato.mechanism.abc.SparseVectorPlan.Threshold;
import io.sfumato.random.ExactBernoulli;
import io.sfumato.random.KeyedRandom;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AbcCalibrationTest {
  private static final double D = 0.002;
  private static final double THRESHOLD = 0.2;

  /** N = 1000, B = 2, threshold 0.2: the paper's noise over the exact one, and the clip's gain. */
  @ParameterizedTest
  @CsvSource({"0.001, 1.14", "0.01, 1.90", "0.1, 4.07", "1, 9.98"})
  void exactNoiseIsSmallerThanThePapersByTheKnownRatios(String epsilon, double ratio) {
    double exact = single(epsilon, 2, Accountant.EXACT).sigma();
    double paper = single(epsilon, 2, Accountant.PAPER).sigma();
    assertThat(paper / exact).isCloseTo(ratio, within(0.006 * Math.max(1, ratio / 2)));
  }

  @ParameterizedTest
  @CsvSource({"0.01, 0.630, 0.266", "0.1, 0.191, 0.066", "1, 0.060, 0.020"})
  void clippingDistancesAtTwoThresholdsLowersTheNoise(
      String epsilon, double unclipped, double clipped) {
    assertThat(single(epsilon, 2, Accountant.EXACT).sigma()).isCloseTo(unclipped, within(0.0006));
    assertThat(single(epsilon, RejectionCoin.clip(THRESHOLD), Accountant.EXACT).sigma())
        .isCloseTo(clipped, within(0.0006));
  }

  private static RejectionCoin single(String epsilon, double bound, Accountant accountant) {
    return RejectionPlan.single(Epsilon.of(epsilon), D, bound, THRESHOLD, accountant);
  }

  /** delta = 1e-4, T = 200, unit sensitivity. */
  @ParameterizedTest
  @CsvSource({"1, 45.05", "2, 24.53", "4, 13.56", "8, 7.680"})
  void softNoiseIsThatOfTheAnalyticGaussian(String epsilon, double sigma) {
    double exact = soft(epsilon, Accountant.EXACT);
    assertThat(exact).isCloseTo(sigma, within(0.006));
    assertThat(soft(epsilon, Accountant.RENYI)).isGreaterThan(exact).isLessThan(1.2 * exact);
  }

  private static double soft(String epsilon, Accountant accountant) {
    return GaussianBudget.sigma(
        GaussianBudget.mu(Epsilon.of(epsilon), Delta.of("1e-4"), accountant), 200, 1);
  }

  @Test
  void sparseVectorHasItsTwoScales() {
    assertThat(SparseVectorPlan.scale(Epsilon.of("1"), 10, D, Threshold.REDRAWN))
        .isCloseTo(0.04, within(1e-12));
    assertThat(SparseVectorPlan.scale(Epsilon.of("1"), 10, D, Threshold.KEPT))
        .isCloseTo(0.022, within(1e-12));
  }

  /** T coins need less noise than the Gaussian that they are made of. */
  @Test
  void composedCoinsFitTheirBudgetWithLessNoiseThanTheGaussian() {
    double bound = RejectionCoin.clip(THRESHOLD);
    RejectionCoin coin =
        RejectionPlan.composed(Epsilon.of("1"), Delta.of("1e-6"), 500, D, bound, THRESHOLD);
    double gaussian =
        GaussianBudget.sigma(
            GaussianBudget.mu(Epsilon.of("1"), Delta.of("1e-6"), Accountant.EXACT), 500, D);
    assertThat(coin.sigma()).isLessThan(gaussian);
    double delta = PldAccountant.of(coin.profile(), 500, Precision.FINEST).delta(1, 1e-6);
    assertThat(delta).isLessThanOrEqualTo(1e-6).isGreaterThan(0.98e-6);
  }

  /** What a pipeline charges for a query covers the exact loss of the coins that it draws. */
  @ParameterizedTest
  @CsvSource({"1, 0.05", "20, 0.3", "500, 1.5"})
  void aQuerysChargeCoversItsCoins(long candidates, double mu) {
    double clip = RejectionCoin.clip(THRESHOLD);
    RejectionQueries queries =
        new RejectionQueries(clip, THRESHOLD, new RejectionQueries.Contract.Gaussian(mu));
    PrivacyProfile charged = queries.charge().profile().orElseThrow();
    PrivacyProfile coin = queries.noise(D, candidates).profile();
    for (double epsilon : new double[] {0.1, 0.5, 1, 3}) {
      // The composition itself lies above the truth by its grid.
      assertThat(
              PldAccountant.of(coin, candidates, Precision.FINEST)
                  .delta(epsilon, charged.delta(epsilon)))
          .isLessThanOrEqualTo(charged.delta(epsilon) * (1 + 1e-3) + 1e-12);
    }
  }

  /** Frequency of a coin against its probability: Hoeffding at 1e-9, fixed public seed. */
  @ParameterizedTest
  @CsvSource({"0", "0.15", "0.2", "0.31"})
  void coinFallsAsOftenAsItsProbability(double rho) {
    RejectionCoin coin = new RejectionCoin(D, 0.4, THRESHOLD, 0.1);
    KeyedRandom random = KeyedRandom.ofPublicSeed("coin " + rho);
    int draws = 200_000;
    int heads = 0;
    for (int i = 0; i < draws; i++) {
      heads += coin.answer(rho, Optional.empty()).draw(random).outcome();
    }
    assertThat(heads / (double) draws)
        .isCloseTo(coin.acceptance(rho), within(Math.sqrt(Math.log(2e9) / (2.0 * draws))));
  }

  @Test
  void extremeDistancesAreClippedAndClamped() {
    RejectionCoin coin = new RejectionCoin(D, 0.4, THRESHOLD, 1e-4);
    assertThat(coin.acceptance(1e300)).isEqualTo(0x1.0p-40);
    assertThat(coin.acceptance(-5)).isEqualTo(1 - 0x1.0p-40);
    assertThatThrownBy(() -> coin.acceptance(Double.NaN)).hasMessageContaining("number");
    assertThat(ExactBernoulli.heads(KeyedRandom.ofPublicSeed("x"), 0x1.0p-40)).isFalse();
  }
}
