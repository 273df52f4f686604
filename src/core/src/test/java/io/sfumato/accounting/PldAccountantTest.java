// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.PldAccountant.Bound;
import io.sfumato.accounting.PldAccountant.Part;
import io.sfumato.accounting.PldAccountant.Precision;
import io.sfumato.mechanism.abc.RejectionCoin;
import java.util.List;
import org.apache.commons.math3.util.CombinatoricsUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PldAccountantTest {
  /** k Gaussian releases are one with mu sqrt(k): the analytic formula (Balle, Wang 2018). */
  @ParameterizedTest
  @CsvSource({
    "1, 1, 1e-6",
    "2, 0.5, 1e-9",
    "10, 0.3, 1e-5",
    "100, 0.1, 1e-6",
    "100, 0.4, 1e-10",
    "1000, 0.02, 1e-6",
    "1000, 0.1, 1e-12",
    "10000, 0.01, 1e-6",
    "10000, 0.05, 1e-9",
    "10000, 0.001, 1e-6"
  })
  void gaussianCompositionEqualsTheAnalyticFormula(long count, double mu, double delta) {
    PrivacyProfile exact = PrivacyProfile.gaussian(mu * Math.sqrt(count));
    double epsilon = inverse(exact, delta);
    PldAccountant composition =
        PldAccountant.of(PrivacyProfile.gaussian(mu), count, Precision.FINEST);
    Bound bound = composition.epsilon(delta);
    assertThat(bound.value()).isGreaterThanOrEqualTo(epsilon);
    assertThat(bound.value()).isCloseTo(epsilon, within(1e-3 * epsilon));
    assertThat(bound.value() - bound.width()).isLessThanOrEqualTo(epsilon);
    assertThat(composition.delta(epsilon, delta))
        .isGreaterThanOrEqualTo(delta * (1 - 1e-9))
        .isCloseTo(delta, within(1e-3 * delta));
  }

  /**
   * Independent: sums over the binomial number of lies (Kairouz, Oh, Viswanath 2015, Theorem 3.3).
   */
  @ParameterizedTest
  @CsvSource({"1, 1, 0.3", "5, 0.7, 1.1", "50, 0.1, 0.9", "60, 0.5, 6.5"})
  void pureCompositionEqualsTheSumOverLies(int count, double pure, double epsilon) {
    double delta = 0;
    for (int lies = 0; lies <= count; lies++) {
      double loss = (count - 2 * lies) * pure;
      if (loss > epsilon) {
        delta +=
            Math.exp(
                    CombinatoricsUtils.binomialCoefficientLog(count, lies)
                        + (count - lies) * pure
                        - count * Math.log1p(Math.exp(pure)))
                * (1 - Math.exp(epsilon - loss));
      }
    }
    double bound =
        PldAccountant.of(PrivacyProfile.pure(pure), count, Precision.FINEST).delta(epsilon, delta);
    assertThat(bound).isGreaterThanOrEqualTo(delta * (1 - 1e-9));
    assertThat(bound).isCloseTo(delta, within(2e-3 * delta));
  }

  @Test
  void mixedLedgerIsTheSumOfItsParts() {
    // Two Gaussian parts are one Gaussian with the squares added.
    PldAccountant mixed =
        PldAccountant.of(
            List.of(
                new Part(PrivacyProfile.gaussian(0.3), 4),
                new Part(PrivacyProfile.gaussian(0.1), 64)),
            Precision.FINE);
    double epsilon = inverse(PrivacyProfile.gaussian(1), 1e-6);
    assertThat(mixed.epsilon(1e-6).value())
        .isGreaterThanOrEqualTo(epsilon)
        .isCloseTo(epsilon, within(1e-3 * epsilon));
  }

  /** The coin's closed form against a search over every distance, both outcomes and directions. */
  @ParameterizedTest
  @CsvSource({"0.002, 2, 0.2, 0.05", "0.1, 2, 0.2, 0.3", "0.05, 0.4, 0.2, 0.02", "1, 1, 0.3, 1"})
  void coinProfileIsTheWorstOverAllDistances(
      double sensitivity, double bound, double threshold, double sigma) {
    PrivacyProfile coin = new RejectionCoin(sensitivity, bound, threshold, sigma).profile();
    for (double epsilon : new double[] {0, 0.001, 0.05, 0.3, 1, 2.5}) {
      double worst = 0;
      int steps = 20_000;
      for (int i = 0; i <= steps; i++) {
        double rho = (bound - sensitivity) * i / steps;
        double heads = phi((threshold - rho) / sigma);
        double other = phi((threshold - rho - sensitivity) / sigma);
        double tails = phi((rho - threshold) / sigma);
        double otherTails = phi((rho + sensitivity - threshold) / sigma);
        double e = Math.exp(epsilon);
        worst = Math.max(worst, Math.max(heads - e * other, other - e * heads));
        worst = Math.max(worst, Math.max(tails - e * otherTails, otherTails - e * tails));
      }
      assertThat(coin.delta(epsilon)).isGreaterThanOrEqualTo(worst * (1 - 1e-9));
      assertThat(coin.delta(epsilon)).isCloseTo(worst, within(1e-5 * worst + 1e-13));
    }
  }

  /** T coins lie below T Gaussians (post-processing) and below T pure releases. */
  @Test
  void coinsComposeBelowBothOfTheirBounds() {
    PrivacyProfile coin = new RejectionCoin(0.002, 0.4, 0.2, 0.05).profile();
    double gaussian = inverse(PrivacyProfile.gaussian(0.04 * Math.sqrt(500)), 1e-6);
    double composed = PldAccountant.of(coin, 500, Precision.FINE).epsilon(1e-6).value();
    assertThat(composed).isLessThan(gaussian);
  }

  /** A mixed ledger: every accountant speaks, the smallest first, each as it is defined. */
  @Test
  void reportOfAMixedLedgerHasEveryAccountantsClaim() {
    PrivacyCost gaussian =
        PrivacyCost.of(
            "g", PrivacyUnit.RECORD, RenyiCurve.gaussian(0.2), PrivacyProfile.gaussian(0.2));
    PrivacyCost pure = PrivacyCost.pure("p", PrivacyUnit.RECORD, 0.01);
    LossReport report =
        LossReport.of(
            List.of(new LossReport.Counted(gaussian, 9), new LossReport.Counted(pure, 20)), 1e-6);
    assertThat(report.claims())
        .extracting(LossReport.Claim::accountant)
        .containsExactlyInAnyOrder("renyi", "pure + renyi", "loss distribution");
    double conversion =
        Conversion.epsilon(RenyiCurve.zero().plus(9, RenyiCurve.gaussian(0.2)), 1e-6);
    assertThat(claim(report, "pure + renyi").epsilon()).isCloseTo(0.2 + conversion, within(1e-9));
    assertThat(report.best().accountant()).isEqualTo("loss distribution");
    // Below it: the Gaussians alone.
    double alone = inverse(PrivacyProfile.gaussian(0.6), 1e-6);
    assertThat(report.best().epsilon()).isBetween(alone, claim(report, "renyi").epsilon());
    // A charge of which only the curve is proved silences the loss distribution.
    PrivacyCost curveOnly = PrivacyCost.renyi("c", PrivacyUnit.RECORD, RenyiCurve.gaussian(0.1));
    assertThat(LossReport.of(List.of(new LossReport.Counted(curveOnly, 3)), 1e-6).claims())
        .hasSize(1);
    assertThat(LossReport.of(List.of(), 1e-6).best().epsilon()).isZero();
  }

  private static LossReport.Claim claim(LossReport report, String accountant) {
    return report.claims().stream()
        .filter(claim -> claim.accountant().equals(accountant))
        .findFirst()
        .orElseThrow();
  }

  /** Curves of the two standard profiles, from the definition of the divergence. */
  @Test
  void standardCurvesAreTheDivergencesOfTheirPairs() {
    for (double epsilon : new double[] {1e-6, 0.3, 2, 30}) {
      RenyiCurve curve = RenyiCurve.pure(epsilon);
      double p = 1 / (1 + Math.exp(-epsilon));
      double q = 1 - p;
      for (double order : new double[] {1.1, 2, 7.5, 64}) {
        double sum =
            Math.log(
                    Math.exp(order * Math.log(p) + (1 - order) * Math.log(q))
                        + Math.exp(order * Math.log(q) + (1 - order) * Math.log(p)))
                / (order - 1);
        assertThat(curve.at(order)).isCloseTo(Math.min(epsilon, sum), within(1e-9));
        assertThat(curve.at(order)).isLessThanOrEqualTo(order * epsilon * epsilon / 2 + 1e-11);
      }
    }
    assertThat(RenyiCurve.gaussian(0.3).at(8)).isCloseTo(8 * 0.09 / 2, within(1e-12));
  }

  /** A share may be so small: its plan ended with an array of -1 places. */
  @Test
  void whatLosesNextToNothingComposes() {
    PrivacyProfile tiny = PrivacyProfile.pure(1e-14);
    assertThat(PldAccountant.of(tiny, 1, Precision.FINEST).epsilon(1e-7).value())
        .isBetween(0.0, 1e-9);
    PrivacyProfile gaussian = PrivacyProfile.gaussian(0.2);
    assertThat(
            PldAccountant.of(
                    List.of(new Part(gaussian, 9), new Part(tiny, 20), new Part(epsilon -> 0, 1)),
                    Precision.FINE)
                .epsilon(1e-6)
                .value())
        .isCloseTo(inverse(PrivacyProfile.gaussian(0.6), 1e-6), within(1e-3));
  }

  @Test
  void widthShrinksWithThePrecision() {
    PrivacyProfile gaussian = PrivacyProfile.gaussian(0.05);
    double fine = PldAccountant.of(gaussian, 400, Precision.FINE).epsilon(1e-6).width();
    double finest = PldAccountant.of(gaussian, 400, Precision.FINEST).epsilon(1e-6).width();
    assertThat(finest).isLessThan(fine).isLessThan(0.01);
  }

  @Test
  void farTailsOfThePhiKeepTheirDigits() {
    // ln Phi(-40) from its asymptotic series to eight terms, by hand: -804.6084420137538.
    assertThat(StandardNormal.lnPhi(-40)).isCloseTo(-804.6084420137538, within(1e-9));
    assertThat(StandardNormal.lnPhi(-25.0001))
        .isCloseTo(StandardNormal.lnPhi(-24.9999) - 0.0002 * 25.04, within(1e-5));
    assertThat(StandardNormal.lnPhi(0)).isCloseTo(Math.log(0.5), within(1e-15));
  }

  @Test
  void badArgumentsAreRefused() {
    assertThatThrownBy(() -> PrivacyProfile.gaussian(0)).hasMessageContaining("above 0");
    assertThatThrownBy(() -> PrivacyProfile.pure(Double.NaN)).hasMessageContaining("at least 0");
    assertThatThrownBy(() -> new RejectionCoin(1, 0.5, 0, 1)).hasMessageContaining("bound");
    assertThatThrownBy(() -> PldAccountant.of(List.of(), Precision.FINE))
        .hasMessageContaining("at least one");
  }

  private static double phi(double x) {
    return Math.exp(StandardNormal.lnPhi(x));
  }

  private static double inverse(PrivacyProfile profile, double delta) {
    double low = 0;
    double high = 1000;
    for (int i = 0; i < 200; i++) {
      double middle = (low + high) / 2;
      if (profile.delta(middle) > delta) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  /** A bounded loss: randomised response, once and several times, in closed form. */
  @ParameterizedTest
  @CsvSource({"2, 1, 1e-7", "2, 1, 1e-3", "0.5, 1, 1e-6", "2.0000001, 1, 1e-7", "1, 4, 1e-6"})
  void boundedLossesAreFoundToo(double bound, int times, double delta) {
    double found =
        PldAccountant.of(PrivacyProfile.pure(bound), times, Precision.FINEST)
            .epsilon(delta)
            .value();
    // The sum of the losses is bound (2 k - times) with binomial k; delta is linear between.
    double p = 1 / (1 + Math.exp(-bound));
    double low = 0;
    double high = bound * times;
    for (int i = 0; i < 100; i++) {
      double middle = (low + high) / 2;
      double sum = 0;
      for (int k = 0; k <= times; k++) {
        double loss = bound * (2 * k - times);
        double mass = Math.pow(p, k) * Math.pow(1 - p, times - k);
        for (int j = 0; j < k; j++) {
          mass *= (times - j) / (j + 1.0);
        }
        sum += loss > middle ? mass * -Math.expm1(middle - loss) : 0;
      }
      if (sum > delta) {
        low = middle;
      } else {
        high = middle;
      }
    }
    assertThat(found).isGreaterThanOrEqualTo(high * (1 - 1e-9)).isCloseTo(high, within(2e-3));
  }
}
