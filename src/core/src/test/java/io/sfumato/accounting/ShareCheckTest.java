// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.mechanism.abc.GaussianBudget;
import java.math.BigDecimal;
import org.apache.commons.math3.util.CombinatoricsUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShareCheckTest {
  private static final Epsilon ONE = Epsilon.of("1");
  private static final Delta SMALL = Delta.of("1e-6");
  private static final String NAME = "mechanism";

  private static BudgetShare share(Epsilon epsilon, Delta delta, PrivacyFilter filter) {
    return new BudgetShare("mix", epsilon, delta, filter);
  }

  private static boolean isKept(BudgetShare share, PrivacyCost charge) {
    return ShareCheck.isKept(share, charge, BigDecimal.ZERO);
  }

  private static PrivacyCost gaussian(double mu) {
    return PrivacyCost.of(
        NAME, PrivacyUnit.RECORD, RenyiCurve.gaussian(mu), PrivacyProfile.gaussian(mu));
  }

  @Test
  void shouldTakeNoMoreThanAnOrderLeaves() {
    PrivacyFilter.RenyiFilter all = PrivacyFilter.RenyiFilter.of(ONE, SMALL, 16);
    assertThat(isKept(share(ONE, SMALL, all), gaussian(1))).isTrue();
    assertThat(isKept(share(ONE, SMALL, all.withCap(all.cap() + 1)), gaussian(1))).isFalse();
  }

  @Test
  void shouldTakeNoMorePureEpsilonThanThereIs() {
    PrivacyFilter.PureDpFilter all = PrivacyFilter.PureDpFilter.of(ONE);
    PrivacyCost charge = PrivacyCost.pure(NAME, PrivacyUnit.RECORD, 0.3);
    assertThat(isKept(share(ONE, Delta.of("0"), all), charge)).isTrue();
    assertThat(isKept(share(ONE, Delta.of("0"), all.withCap(all.cap() + 1)), charge)).isFalse();
  }

  /** The closed form of the field: squares of mu add up. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 4, 1_000})
  void shouldAddSquaresOfGaussians(long releases) {
    double all = GaussianBudget.mu(ONE, SMALL, Accountant.EXACT);
    PrivacyCost charge = gaussian(all / Math.sqrt(releases) * (1 - 1e-15));
    assertThat(isKept(atMost(ONE, SMALL, releases), charge)).isTrue();
    assertThat(isKept(atMost(ONE, SMALL, releases + 1), charge)).isFalse();
    assertThat(isKept(atMost(ONE, SMALL, releases), gaussian(1.001 * all / Math.sqrt(releases))))
        .isFalse();
  }

  private static BudgetShare atMost(Epsilon epsilon, Delta delta, long releases) {
    return share(epsilon, delta, new PrivacyFilter.FixedCountFilter(NAME, releases));
  }

  /** Without a delta only basic composition is left. */
  @Test
  void shouldAddPureEpsilons() {
    PrivacyCost quarter = PrivacyCost.pure(NAME, PrivacyUnit.RECORD, Math.nextUp(0.25));
    assertThat(isKept(atMost(ONE, Delta.of("0"), 4), quarter)).isTrue();
    assertThat(isKept(atMost(ONE, Delta.of("0"), 5), quarter)).isFalse();
    PrivacyCost more = PrivacyCost.pure(NAME, PrivacyUnit.RECORD, 0.25 + 1e-15);
    assertThat(isKept(atMost(ONE, Delta.of("0"), 4), more)).isFalse();
  }

  /** Composed randomised response is a sum of binomial terms (Kairouz, Oh, Viswanath 2015). */
  @ParameterizedTest
  @CsvSource({"0.1, 40", "0.3, 25", "1, 6"})
  void shouldComposeLossDistributions(double each, int releases) {
    double epsilon = 0.7 * each * releases;
    double exact = 0;
    for (int k = 0; k <= releases; k++) {
      double gain = Math.exp(each * (releases - k)) - Math.exp(epsilon + each * k);
      exact += CombinatoricsUtils.binomialCoefficientDouble(releases, k) * Math.max(0, gain);
    }
    exact /= Math.pow(1 + Math.exp(each), releases);
    PrivacyCost charge = PrivacyCost.pure(NAME, PrivacyUnit.RECORD, each);
    Epsilon whole = new Epsilon(new BigDecimal(epsilon));
    assertThat(isKept(atMost(whole, new Delta(new BigDecimal(1.01 * exact)), releases), charge))
        .isTrue();
    assertThat(isKept(atMost(whole, new Delta(new BigDecimal(0.99 * exact)), releases), charge))
        .isFalse();
  }

  /** Releases that share noise have a curve and nothing else. */
  @Test
  void shouldAddRenyiDivergencesWhereNothingElseIsKnown() {
    PrivacyCost charge = PrivacyCost.renyi(NAME, PrivacyUnit.USER, RenyiCurve.gaussian(0.02));
    long affordable = 0;
    for (int i = 0; i < RenyiOrders.size(); i++) {
      PrivacyFilter at = PrivacyFilter.RenyiFilter.of(ONE, SMALL, RenyiOrders.at(i));
      affordable = Math.max(affordable, at.cap() / at.cost(charge));
    }
    assertThat(isKept(atMost(ONE, SMALL, affordable), charge)).isTrue();
    assertThat(isKept(atMost(ONE, SMALL, affordable + 1), charge)).isFalse();
  }

  @Test
  void shouldLeaveWhatThresholdsSpend() {
    Delta half = Delta.of("5e-7");
    PrivacyCost charge = gaussian(GaussianBudget.mu(ONE, half, Accountant.EXACT));
    BigDecimal threshold = new BigDecimal("5e-7");
    assertThat(ShareCheck.isKept(atMost(ONE, SMALL, 1), charge, threshold)).isTrue();
    assertThat(ShareCheck.isKept(atMost(ONE, SMALL, 1), charge, new BigDecimal("6e-7"))).isFalse();
    assertThat(ShareCheck.isKept(atMost(ONE, SMALL, 1), charge, new BigDecimal("2e-6"))).isFalse();
    PrivacyFilter.RenyiFilter order = PrivacyFilter.RenyiFilter.of(ONE, SMALL, 16);
    assertThat(ShareCheck.isKept(share(ONE, SMALL, order), charge, threshold)).isFalse();
  }

  /** One release fits a delta that is its own to the last bit, and two do not. */
  @Test
  void shouldTakeADeltaThatIsUsedUp() {
    PrivacyProfile profile = PrivacyProfile.gaussian(0.5);
    Delta own = new Delta(new BigDecimal(profile.delta(1)));
    assertThat(isKept(atMost(ONE, own, 1), gaussian(0.5))).isTrue();
    assertThat(isKept(atMost(ONE, own, 2), gaussian(0.5))).isFalse();
    double two = profile.composed(2).orElseThrow().delta(1);
    assertThat(isKept(atMost(ONE, new Delta(new BigDecimal(two)), 2), gaussian(0.5))).isTrue();
  }

  @Test
  void shouldTakeNoGaussianWithoutADelta() {
    assertThat(isKept(atMost(ONE, Delta.of("0"), 1), gaussian(0.01))).isFalse();
    assertThat(isKept(atMost(ONE, Delta.of("0"), 2), gaussian(0.01))).isFalse();
  }

  /** What it may never be spent on costs nothing. */
  @Test
  void shouldKeepAShareThatAdmitsNothing() {
    PrivacyCost other = PrivacyCost.pure("another", PrivacyUnit.RECORD, 100);
    assertThat(isKept(atMost(ONE, SMALL, 1_000), other)).isTrue();
    assertThat(isKept(atMost(ONE, SMALL, 0), gaussian(100))).isTrue();
  }
}
