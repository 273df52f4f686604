// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.partitionselection;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyCost;
import io.sfumato.accounting.PrivacyFilter;
import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.partitionselection.RunningSelectionCalibrator;
import io.sfumato.mechanism.continual.Rows;
import io.sfumato.mechanism.continual.RunningSums;
import io.sfumato.random.KeyedRandom;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** What a share pays for: the noise of fine rows, under a name that has the thresholds. */
class RunningDiscoveryMechanismTest {
  private static final Epsilon EPSILON = Epsilon.of("6");
  private static final Delta DELTA = Delta.of("1e-9");
  private static final RunningDiscovery PLAN =
      RunningSelectionCalibrator.gaussian(
              "names", EPSILON, DELTA, new RunningBounds.PerPeriod(32, 1), new TestSchedule(10, 4))
          .orElseThrow();

  private final Calibrated<RunningDiscoveryMechanism> planned =
      RunningSelectionCalibrator.planned("names", EPSILON, DELTA, PLAN);

  @Test
  void aChargeIsThatOfAFineRowAndNamesTheThresholds() {
    PrivacyCost charge = planned.charge();
    assertThat(charge.mechanism())
        .isEqualTo(
            "%s over-10 from-%d-to-%d",
            PLAN.fine().charge().mechanism(),
            PLAN.thresholds().get(0).least(),
            PLAN.thresholds().get(2).least());
    assertThat(charge.curve()).isEqualTo(PLAN.fine().charge().curve());
    assertThat(charge.unit()).isEqualTo(PLAN.fine().charge().unit());
    assertThat(planned.share().filter())
        .isEqualTo(new PrivacyFilter.FixedCountFilter(charge.mechanism(), 32));
    assertThat(planned.releases()).as("every record of a user").isEqualTo(32);
  }

  @Test
  void whatIsDrawnIsAFineRow() {
    RunningDiscoveryMechanism mechanism = planned.mechanism();
    assertThat(mechanism.method()).isEqualTo(PLAN.fine().method());
    assertThat(mechanism.parameters()).isNotEmpty().isEqualTo(PLAN.fine().parameters());
    RunningSums sums = RunningSums.start(PLAN.fine().coefficients(), 1);
    Rows five = sums.rows(new long[] {5});
    Rows six = sums.rows(new long[] {6});
    assertThat(mechanism.distribution(five).draw(KeyedRandom.ofPublicSeed("row")))
        .isEqualTo(PLAN.fine().distribution(five).draw(KeyedRandom.ofPublicSeed("row")));
    OptionalDouble apart = mechanism.divergence(2, five, six);
    assertThat(apart).isPresent().isEqualTo(PLAN.fine().divergence(2, five, six));
  }
}
