// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.PldAccountant.Bound;
import io.sfumato.accounting.PldAccountant.Precision;
import io.sfumato.mechanism.abc.RejectionCoin;
import io.sfumato.testkit.HighPrecision;
import io.sfumato.testkit.Numerical;
import java.math.BigDecimal;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.commons.math3.special.Beta;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a composition claims is never below the truth, wherever the truth is known. */
@Numerical
class CompositionTruthTest {
  private static final HighPrecision EXACT = new HighPrecision(50);
  private static final double[] EPSILONS = {1e-3, 0.1, 1, 10, 100};

  static Stream<Precision> upToFine() {
    return Stream.of(Precision.COARSE, Precision.FINE);
  }

  /** k Gaussian releases of mu are one of mu sqrt(k). */
  @ParameterizedTest
  @MethodSource("upToFine")
  void manyGaussianReleasesAreOne(Precision precision) {
    for (double mu : new double[] {0.01, 1, 3, 30}) {
      for (long count : new long[] {1, 1000, 100_000, 100_000_000}) {
        for (double epsilon : EPSILONS) {
          neverBelow(mu, count, epsilon, precision);
        }
      }
    }
  }

  /** The same with the largest transforms, for which fewer cases must do. */
  @ParameterizedTest
  @CsvSource({
    "3, 1, 0.01",
    "3, 100000, 1",
    "3, 100000000, 0.01",
    "30, 1000000000, 100",
    "0.01, 1000000000, 0.001"
  })
  void manyGaussianReleasesAreOneInReportsToo(double mu, long count, double epsilon) {
    neverBelow(mu, count, epsilon, Precision.FINEST);
  }

  private static void neverBelow(double mu, long count, double epsilon, Precision precision) {
    double truth = PrivacyProfile.gaussian(mu).delta(epsilon);
    if (truth < 1e-200) {
      return; // below every delta that anybody asks for
    }
    // Square roots of counts are no doubles: a little above, so that the truth is below.
    PrivacyProfile one = PrivacyProfile.gaussian(mu / Math.sqrt(count) * (1 + 1e-15));
    String what = mu + " " + count + " " + epsilon + " " + precision;
    PldAccountant composition = PldAccountant.of(one, count, precision);
    assertThat(composition.delta(epsilon, truth)).as(what).isBetween(truth * (1 - 1e-9), 1.0);
    if (truth < 0.5) {
      Bound bound = composition.epsilon(truth);
      assertThat(bound.value()).as(what).isGreaterThanOrEqualTo(epsilon * (1 - 1e-9));
      assertThat(bound.value() - bound.width()).as(what).isLessThanOrEqualTo(epsilon * (1 + 1e-9));
    }
  }

  /** Where the sum's steps are larger than those of the first look. */
  @Test
  void aHundredMillionReleasesOnTheCoarsestGridAreStillBounded() {
    double truth = PrivacyProfile.gaussian(3).delta(0.01);
    assertThat(truth).isCloseTo(0.866, within(1e-3));
    assertThat(
            PldAccountant.of(PrivacyProfile.gaussian(3e-4), 100_000_000, Precision.COARSE)
                .delta(0.01, truth))
        .isBetween(truth, truth * 1.03);
  }

  /** Bounded losses: the sum has mass at its very ends, which must lie within the window. */
  @ParameterizedTest
  @EnumSource(Precision.class)
  void randomisedResponseIsBoundedByTheSumOverLies(Precision precision) {
    for (double bound : new double[] {1e-3, 31233 / 0x1.0p20, 0.5, 5}) {
      for (int count : precision == Precision.FINEST ? new int[] {20} : new int[] {1, 2, 20, 300}) {
        for (double part : new double[] {0.01, 0.3, 0.8, 0.999, 0.999999}) {
          double epsilon = part * bound * count;
          double truth = randomisedResponse(bound, count, epsilon);
          if (truth < 1e-200) {
            continue;
          }
          String what = bound + " " + count + " " + part;
          PldAccountant composition =
              PldAccountant.of(PrivacyProfile.pure(bound), count, precision);
          assertThat(composition.delta(epsilon, truth))
              .as(what)
              .isGreaterThanOrEqualTo(truth * (1 - 1e-13));
          if (truth < 1) {
            assertThat(composition.epsilon(truth).value())
                .as(what)
                .isGreaterThanOrEqualTo(epsilon * (1 - 1e-12));
          }
        }
      }
    }
  }

  private static double randomisedResponse(double bound, int count, double epsilon) {
    return EXACT
        .randomisedResponse(new BigDecimal(bound), count, new BigDecimal(epsilon))
        .doubleValue();
  }

  /** Discrete Laplace noise: two randomised responses a release, with a loss of 0 between. */
  @ParameterizedTest
  @MethodSource("upToFine")
  void tenLaplaceReleasesAreTwentyRandomisedResponses(Precision precision) {
    double rate = 31233 / 0x1.0p20;
    double both = 1 / (1 + StrictMath.exp(-rate)) / (1 + StrictMath.exp(-rate));
    PrivacyProfile laplace =
        epsilon ->
            epsilon >= 2 * rate ? 0 : both * -StrictMath.expm1(epsilon - 2 * rate) * (1 + 1e-14);
    double truth = randomisedResponse(rate, 20, 0.5);
    assertThat(truth).isGreaterThan(1e-6);
    assertThat(PldAccountant.of(laplace, 10, precision).delta(0.5, 1e-6))
        .isBetween(truth, truth * 1.001);
  }

  /**
   * Dirichlet's dominating pair, twice: independently by bins of Beta's distribution. Bins are
   * post-processing, so what they tell is a lower bound, and near the truth where they are many.
   */
  @ParameterizedTest
  @CsvSource({"1, 3, 0.5", "1, 3, 2", "0.2, 5, 0.3", "4, 20, 1", "0.05, 2, 0.03"})
  void twoDirichletDrawsTellNoLessThanTheirBins(double r, double a, double epsilon) {
    int bins = 1500;
    double[] p = new double[bins];
    double[] q = new double[bins];
    for (int i = 0; i < bins; i++) {
      // Even in the loss, where the mass is.
      double low = 1 / (1 + Math.exp(-(i - bins / 2.0) * 0.02));
      double high = 1 / (1 + Math.exp(-(i + 1 - bins / 2.0) * 0.02));
      p[i] = Beta.regularizedBeta(high, a + r, a) - Beta.regularizedBeta(low, a + r, a);
      q[i] = Beta.regularizedBeta(high, a, a + r) - Beta.regularizedBeta(low, a, a + r);
    }
    double binned = 0;
    for (int i = 0; i < bins; i++) {
      for (int j = 0; j < bins; j++) {
        binned += Math.max(0, p[i] * p[j] - Math.exp(epsilon) * q[i] * q[j]);
      }
    }
    PrivacyProfile pair =
        eps -> {
          double x = 1 / (1 + Math.exp(eps / r));
          return Math.max(
              0,
              Beta.regularizedBeta(x, a, a + r) * (1 + 1e-11)
                  - Math.exp(eps) * Beta.regularizedBeta(x, a + r, a) * (1 - 1e-11));
        };
    assertThat(PldAccountant.of(pair, 2, Precision.FINE).delta(epsilon, binned))
        .isBetween(binned * (1 - 1e-9), binned * 1.01);
  }

  /** There and back again: no sum of places is wrong by more than claimed. */
  @ParameterizedTest
  @CsvSource({"2, 1", "10, 1", "10, 100", "14, 1000", "17, 1000", "20, 1", "20, 3"})
  void transformKeepsItsErrorBound(int stages, int count) {
    int size = 1 << stages;
    // Almost all of the law lies at the last place of its grid: its powers lie at multiples.
    DiscretizedLoss grid = DiscretizedLoss.of(PrivacyProfile.pure(60), 60.0 / 3, 60);
    FourierConvolution transform = new FourierConvolution(size);
    transform.multiply(grid, 0, grid.lnMoment(0), count);
    double[] distribution = transform.inverse(0);
    distribution[Math.floorMod(3 * count, size)] -= 1;
    double wrong = 0;
    for (double error : distribution) {
      wrong += Math.abs(error);
    }
    assertThat(wrong).isLessThanOrEqualTo(transform.error());
  }

  /** ln Phi against its series in 60 digits. */
  @Test
  void lnPhiHasTheErrorThatItStates() {
    HighPrecision wide = new HighPrecision(40);
    Random random = new Random(7);
    for (int i = 0; i < 200; i++) {
      double x = i < 100 ? -37.0 + i * 0.4 : random.nextDouble() * 36 - 30;
      double ln = StandardNormal.lnPhi(x);
      double relative =
          wide.exp(new BigDecimal(ln))
              .divide(wide.phi(new BigDecimal(x)), wide.digits())
              .subtract(BigDecimal.ONE)
              .doubleValue();
      assertThat(Math.abs(relative)).as("x = " + x).isLessThanOrEqualTo(StandardNormal.error(ln));
    }
  }

  /** Where large numbers cancel. */
  @ParameterizedTest
  @CsvSource({"40, 1000", "44, 1000", "60, 2000", "40, 800", "1, 0.5", "0.01, 0.03", "14, 90"})
  void gaussianProfileIsNeverBelowTheTruth(double mu, double epsilon) {
    BigDecimal truth = new HighPrecision(60).gaussian(new BigDecimal(mu), new BigDecimal(epsilon));
    double bound = PrivacyProfile.gaussian(mu).delta(epsilon);
    assertThat(new BigDecimal(bound)).isGreaterThanOrEqualTo(truth);
    assertThat(bound).isCloseTo(truth.doubleValue(), within(1e-7 * truth.doubleValue()));
  }

  /** Not even far below the smallest double. */
  @Test
  void noProfileIsZeroWhereTheTruthIsNot() {
    assertThat(PrivacyProfile.gaussian(1).delta(100)).isPositive();
    assertThat(PrivacyProfile.gaussian(1e-3).delta(1)).isPositive();
    assertThat(new RejectionCoin(0.002, 2, 0.2, 0.05).profile().delta(30)).isPositive();
    assertThat(PrivacyProfile.pure(1).delta(1)).isZero();
    assertThat(
            PldAccountant.of(PrivacyProfile.gaussian(0.1), 10, Precision.COARSE).delta(40, 1e-300))
        .isPositive();
  }

  /** Budgets at orders whose terms are large, against the formula in 40 digits. */
  @ParameterizedTest
  @CsvSource({"1000000, 1e-6, 16", "3, 1e-300, 1.1", "0.5, 1e-308, 1.1", "99999.9, 1e-9, 64"})
  void renyiBudgetsRoundDownWhereTermsAreLarge(String epsilon, String delta, double order) {
    HighPrecision wide = new HighPrecision(40);
    BigDecimal l = new BigDecimal(order);
    BigDecimal less = l.subtract(BigDecimal.ONE);
    BigDecimal budget =
        new BigDecimal(epsilon)
            .subtract(wide.ln(less.divide(l, wide.digits())))
            .add(
                wide.ln(new BigDecimal(Double.parseDouble(delta)))
                    .add(wide.ln(l))
                    .divide(less, wide.digits()));
    double found = Conversion.renyiBudget(Epsilon.of(epsilon), Delta.of(delta), order);
    assertThat(new BigDecimal(found)).isLessThanOrEqualTo(budget);
    assertThat(found).isCloseTo(budget.doubleValue(), within(1e-9 * Math.abs(found) + 1e-11));
  }
}
