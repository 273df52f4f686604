// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.testkit.HighPrecision;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Closed-form profiles against decimals of many digits: never below, and hardly above. */
class ProfilesTest {
  private static final HighPrecision EXACT = new HighPrecision(40);

  /** What lnPhi may be wrong by, for each nat of a logarithm and one more. */
  private static final double ERROR = 4e-15;

  /** The logarithms' own errors and those of what they were added up from, at their worst. */
  @ParameterizedTest
  @CsvSource({
    "-1, -2, 0",
    "-0.001, -5, 1",
    "-30, -30.5, 0",
    "-30, -31, 900",
    "-2, -600, 5",
    "-700, -700.001, 0",
    "-3, -3.000001, 1e6",
    "0, -0.1, 2000"
  })
  void aDifferenceHoldsAtTheWorstErrorsOfItsTerms(double larger, double smaller, double magnitude) {
    double found = Profiles.difference(larger, smaller, magnitude);
    double largest = exp(larger);
    double sum = largest + exp(smaller);
    // In high precision, since the difference may be far below its terms.
    for (double error : new double[] {0, ERROR * (1 + Math.abs(larger)), 0x1.0p-51 * magnitude}) {
      double ofSmaller = Math.min(error, ERROR * (1 + Math.abs(smaller)));
      BigDecimal truth = wide(larger, error).subtract(wide(smaller, -(error == 0 ? 0 : ofSmaller)));
      assertThat(new BigDecimal(found)).as("error %s", error).isGreaterThanOrEqualTo(truth);
    }
    double nats = 1 + Math.abs(larger) + Math.abs(smaller);
    double allowed = Math.max(5e-14 * nats, 0x1.0p-48 * magnitude) * sum;
    assertThat(found)
        .isLessThanOrEqualTo(
            wide(larger, 0).subtract(wide(smaller, 0)).doubleValue() + allowed + 1e-320);
  }

  private static BigDecimal wide(double ln, double error) {
    return EXACT.exp(new BigDecimal(ln).add(new BigDecimal(error)));
  }

  private static double exp(double ln) {
    return StrictMath.exp(ln);
  }

  @Test
  void aDifferenceStaysBetweenTheSmallestDoubleAndOne() {
    assertThat(Profiles.difference(0, Double.NEGATIVE_INFINITY, 0)).isEqualTo(1);
    assertThat(Profiles.difference(-1, Double.NEGATIVE_INFINITY, 0))
        .isCloseTo(Math.exp(-1), within(1e-12))
        .isGreaterThan(Math.exp(-1));
    assertThat(Profiles.difference(Double.NEGATIVE_INFINITY, Double.NEGATIVE_INFINITY, 0)).isZero();
    assertThat(Profiles.difference(-2000, -2001, 0))
        .as("underflows")
        .isBetween(Double.MIN_VALUE, 1e-320);
    assertThat(Profiles.difference(-5, -1, 0)).as("no difference").isEqualTo(Double.MIN_VALUE);
  }

  @ParameterizedTest
  @CsvSource({"0.01, 0", "0.1, 0.3", "1, 0", "1, 1", "3, 0.001", "3, 20", "0.5, 4", "10, 60"})
  void theGaussianProfileIsThatOfBalleAndWang(double mu, double epsilon) {
    BigDecimal truth = EXACT.gaussian(new BigDecimal(mu), new BigDecimal(epsilon));
    double bound = PrivacyProfile.gaussian(mu).delta(epsilon);
    assertThat(new BigDecimal(bound)).isGreaterThanOrEqualTo(truth);
    assertThat(bound).isCloseTo(truth.doubleValue(), within(1e-8 * truth.doubleValue()));
  }

  /** Where the arguments' own roundings are a hundred times those of the logarithms. */
  @Test
  void theGaussianProfileAllowsForTheRoundingsOfItsArguments() {
    double mu = 40;
    double epsilon = 800;
    double x = mu / 2 + epsilon / mu;
    double terms =
        exp(StandardNormal.lnPhi(mu / 2 - epsilon / mu)) + exp(epsilon + StandardNormal.lnPhi(-x));
    BigDecimal truth = EXACT.gaussian(new BigDecimal(mu), new BigDecimal(epsilon));
    double above =
        new BigDecimal(PrivacyProfile.gaussian(mu).delta(epsilon)).subtract(truth).doubleValue();
    // An ulp of epsilon, and of each argument times the slope |x| + 1 of lnPhi.
    double ulps = 0x1.0p-49 * (epsilon + x * (x + 1));
    assertThat(above / terms).isBetween(0.7 * ulps, 1.3 * ulps);
  }

  @Test
  void whatUnderflowsIsNotLost() {
    for (double ln = -746; ln < -742; ln += 0.01) {
      double found = Profiles.difference(ln, Double.NEGATIVE_INFINITY, 0);
      assertThat(new BigDecimal(found)).isGreaterThanOrEqualTo(EXACT.exp(new BigDecimal(ln)));
    }
  }

  @Test
  void theGaussianProfileFallsWithEpsilonAndRisesWithMu() {
    PrivacyProfile one = PrivacyProfile.gaussian(1);
    assertThat(one.delta(1))
        .isLessThan(one.delta(0.9))
        .isLessThan(PrivacyProfile.gaussian(1.1).delta(1));
    for (double wrong : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> PrivacyProfile.gaussian(wrong)).hasMessageContaining("above 0");
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "1, 0.3", "0.001, 0.0005", "20, 3", "5, 4.999"})
  void thePureProfileIsThatOfRandomisedResponse(double bound, double epsilon) {
    BigDecimal truth = EXACT.randomisedResponse(new BigDecimal(bound), 1, new BigDecimal(epsilon));
    double found = PrivacyProfile.pure(bound).delta(epsilon);
    assertThat(new BigDecimal(found)).isGreaterThanOrEqualTo(truth);
    assertThat(found).isCloseTo(truth.doubleValue(), within(1e-13 * truth.doubleValue()));
  }

  @Test
  void aPureLossEndsAtItsBound() {
    assertThat(PrivacyProfile.pure(1).delta(1)).isZero();
    assertThat(PrivacyProfile.pure(1).delta(Math.nextDown(1.0))).isPositive();
    assertThat(PrivacyProfile.pure(1).delta(2)).isZero();
    assertThat(PrivacyProfile.pure(0).delta(0)).isZero();
    assertThat(PrivacyProfile.pure(1000).delta(0)).as("no probability above 1").isEqualTo(1);
    assertThatThrownBy(() -> PrivacyProfile.pure(-1e-9)).hasMessageContaining("at least 0");
  }

  /** On both sides of where one form of it takes over from another. */
  @Test
  void lnPhiHasItsDigitsOnBothSidesOfEachForm() {
    for (double x : new double[] {-30, -25.1, -24.9, -8, -1, -0.1, 0, 0.5, 0.99, 1.01, 2, 5}) {
      double ln = StandardNormal.lnPhi(x);
      double relative =
          EXACT
              .exp(new BigDecimal(ln))
              .divide(EXACT.phi(new BigDecimal(x)), EXACT.digits())
              .subtract(BigDecimal.ONE)
              .doubleValue();
      assertThat(Math.abs(relative)).as("x = " + x).isLessThanOrEqualTo(StandardNormal.error(ln));
      assertThat(StandardNormal.error(ln))
          .as("the error that terms are made for")
          .isLessThanOrEqualTo(ERROR * (1 + Math.abs(ln)));
    }
    assertThat(StandardNormal.lnPhi(9)).as("relative to its distance from 0").isNegative();
    assertThat(StandardNormal.lnDensity(0))
        .isCloseTo(-Math.log(Math.sqrt(2 * Math.PI)), within(1e-15));
    assertThat(StandardNormal.lnDensity(-3))
        .isCloseTo(StandardNormal.lnDensity(0) - 4.5, within(1e-15));
  }
}
