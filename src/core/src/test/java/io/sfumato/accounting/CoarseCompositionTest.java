// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.accounting.PldAccountant.Bound;
import io.sfumato.accounting.PldAccountant.Part;
import io.sfumato.accounting.PldAccountant.Precision;
import io.sfumato.testkit.HighPrecision;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compositions on the coarsest grids beside closed forms: never below them, and not far above. */
class CoarseCompositionTest {
  private static final HighPrecision EXACT = new HighPrecision(40);

  private static double lies(double bound, int count, double epsilon) {
    return EXACT
        .randomisedResponse(new BigDecimal(bound), count, new BigDecimal(epsilon))
        .doubleValue();
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, 0.3",
    "0.5, 2, 0.4",
    "0.1, 20, 0.7",
    "0.1, 20, 1.9",
    "0.7, 5, 1.1",
    "0.01, 300, 0.5",
    "3, 2, 5.9"
  })
  void randomisedResponseIsTheSumOverLies(double bound, int count, double epsilon) {
    double truth = lies(bound, count, epsilon);
    PldAccountant composition =
        PldAccountant.of(PrivacyProfile.pure(bound), count, Precision.COARSE);
    assertThat(composition.delta(epsilon, truth)).isBetween(truth * (1 - 1e-13), truth * 1.02);
    if (truth < 1e-3) {
      Bound found = composition.epsilon(truth);
      // Not above the sum of all, of which a single release is a part.
      assertThat(found.value())
          .isBetween(epsilon * (1 - 1e-12), Math.min(epsilon + 1.1 * bound, bound * count * 1.001));
      assertThat(found.value() - found.width()).isLessThanOrEqualTo(epsilon);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, 1",
    "1, 1, 5",
    "3, 1, 0",
    "0.3, 10, 2",
    "0.03, 1000, 3",
    "0.01, 10000, 3",
    "20, 4, 900"
  })
  void gaussianReleasesAreOneOfALargerMu(double mu, long count, double epsilon) {
    double truth = PrivacyProfile.gaussian(mu * Math.sqrt(count)).delta(epsilon);
    PrivacyProfile one = PrivacyProfile.gaussian(mu * (1 + 1e-15));
    PldAccountant composition = PldAccountant.of(one, count, Precision.COARSE);
    assertThat(composition.delta(epsilon, truth)).isBetween(truth * (1 - 1e-9), truth * 1.1);
    if (epsilon > 0) {
      Bound found = composition.epsilon(truth);
      assertThat(found.value()).isBetween(epsilon * (1 - 1e-9), epsilon * 1.01);
      assertThat(found.value() - found.width()).isBetween(0.75 * epsilon, epsilon * (1 + 1e-9));
      assertThat(composition.delta(found.value(), truth)).isLessThanOrEqualTo(truth * (1 + 1e-6));
    }
  }

  @Test
  void partsOfDifferentReachAddUp() {
    PldAccountant mixed =
        PldAccountant.of(
            List.of(
                new Part(PrivacyProfile.gaussian(0.6), 1),
                new Part(PrivacyProfile.gaussian(0.1), 64)),
            Precision.COARSE);
    double truth = PrivacyProfile.gaussian(1).delta(2);
    assertThat(mixed.delta(2, truth)).isBetween(truth * (1 - 1e-9), truth * 1.02);
  }

  /** Far more releases than a window can hold: only what the first look proves is left. */
  @Test
  void whatNoWindowHoldsIsBoundedByTheFirstLook() {
    double mu = 3;
    double epsilon = 16;
    double truth = PrivacyProfile.gaussian(mu).delta(epsilon);
    double chernoff = Math.exp(-Math.pow(epsilon - mu * mu / 2, 2) / (2 * mu * mu));
    PldAccountant often =
        PldAccountant.of(
            PrivacyProfile.gaussian(mu / Math.sqrt(1e11)), 100_000_000_000L, Precision.COARSE);
    assertThat(often.delta(epsilon, truth)).isBetween(chernoff * (1 - 1e-3), 8 * chernoff);
    Bound found = often.epsilon(1e-6);
    assertThat(found.value()).isGreaterThan(16);
    assertThat(found.width()).as("nothing is claimed from below").isEqualTo(found.value());
  }

  @Test
  void anEpsilonIsNeverBelowZero() {
    PldAccountant next = PldAccountant.of(PrivacyProfile.gaussian(0.01), 1, Precision.COARSE);
    assertThat(next.epsilon(0.5).value()).isBetween(0.0, 1e-9);
    assertThat(next.epsilon(0.5).width()).isBetween(0.0, 1e-9);
  }

  @Test
  void whatIsNoQuestionIsRefused() {
    PldAccountant one = PldAccountant.of(PrivacyProfile.gaussian(1), 1, Precision.COARSE);
    for (double wrong : new double[] {0, 1, Double.NaN}) {
      assertThatThrownBy(() -> one.epsilon(wrong)).hasMessageContaining("in (0, 1)");
    }
    for (double wrong : new double[] {-1e-9, Double.NaN}) {
      assertThatThrownBy(() -> one.delta(wrong, 1e-6)).hasMessageContaining("at least 0");
    }
    for (double wrong : new double[] {0, Double.NaN}) {
      assertThatThrownBy(() -> one.delta(1, wrong)).hasMessageContaining("above 0");
    }
    assertThatThrownBy(() -> new Part(PrivacyProfile.gaussian(1), 0))
        .hasMessageContaining("at least 1");
    assertThatThrownBy(() -> PldAccountant.of(epsilon -> 0.1, 2, Precision.COARSE).epsilon(1e-3))
        .hasMessageContaining("does not fall to 0");
  }
}
