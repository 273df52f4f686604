// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.LossReport.Claim;
import io.sfumato.accounting.LossReport.Counted;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class LossReportTest {
  private static final double DELTA = 1e-6;
  private static final PrivacyCost CURVE =
      PrivacyCost.renyi("curve", PrivacyUnit.RECORD, RenyiCurve.gaussian(0.3));

  /** Of which the pure loss is proved, and no profile. */
  private static final PrivacyCost TENTH =
      new PrivacyCost(
          "tenth",
          PrivacyUnit.RECORD,
          RenyiCurve.pure(0.1),
          OptionalDouble.of(0.1),
          Optional.empty());

  @Test
  void curvesAreAddedAsOftenAsTheyWereCharged() {
    LossReport report = LossReport.of(List.of(new Counted(CURVE, 4)), DELTA);
    // Four Gaussians are one of twice the size.
    assertThat(report.claims()).hasSize(1);
    assertThat(report.best().accountant()).isEqualTo("renyi");
    assertThat(report.best().epsilon())
        .isCloseTo(Conversion.epsilon(RenyiCurve.gaussian(0.6), DELTA), within(1e-9));
  }

  @Test
  void pureChargesAddUpAndOthersAreConverted() {
    LossReport report = LossReport.of(List.of(new Counted(TENTH, 3)), DELTA);
    assertThat(report.claims()).extracting(Claim::accountant).containsExactly("pure", "renyi");
    assertThat(report.best().epsilon()).isBetween(0.3, 0.3 + 1e-15);
    LossReport both = LossReport.of(List.of(new Counted(TENTH, 3), new Counted(CURVE, 4)), DELTA);
    assertThat(both.claims())
        .extracting(Claim::accountant)
        .containsExactlyInAnyOrder("pure + renyi", "renyi");
    double others = Conversion.epsilon(RenyiCurve.gaussian(0.6), DELTA);
    assertThat(claim(both, "pure + renyi")).isCloseTo(0.3 + others, within(1e-9));
    assertThat(both.claims()).isSortedAccordingTo(Comparator.comparingDouble(Claim::epsilon));
  }

  @Test
  void theDistributionIsAskedWhereEveryChargeThatWasMadeHasOne() {
    PrivacyCost pure = PrivacyCost.pure("pure", PrivacyUnit.RECORD, 0.1);
    LossReport report = LossReport.of(List.of(new Counted(CURVE, 0), new Counted(pure, 2)), DELTA);
    assertThat(report.claims())
        .extracting(Claim::accountant)
        .containsExactlyInAnyOrder("pure", "renyi", "loss distribution");
    // Two randomised responses: delta falls below 1e-6 next to the sum of both.
    assertThat(claim(report, "loss distribution")).isCloseTo(0.2, within(1e-4)).isGreaterThan(0.19);
    assertThat(LossReport.of(List.of(new Counted(CURVE, 1), new Counted(pure, 1)), DELTA).claims())
        .as("a charge of which only the curve is proved")
        .noneMatch(claim -> claim.accountant().equals("loss distribution"));
  }

  @Test
  void nothingThatWasChargedCostsNothing() {
    for (List<Counted> nothing : List.of(List.<Counted>of(), List.of(new Counted(CURVE, 0)))) {
      assertThat(LossReport.of(nothing, DELTA).claims()).containsExactly(new Claim("renyi", 0, 0));
    }
  }

  private static double claim(LossReport report, String accountant) {
    return report.claims().stream()
        .filter(claim -> claim.accountant().equals(accountant))
        .findFirst()
        .orElseThrow()
        .epsilon();
  }
}
