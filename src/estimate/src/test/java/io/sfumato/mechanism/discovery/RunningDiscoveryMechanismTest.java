// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.accounting.Charge;
import io.sfumato.accounting.Counting;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.Planned;
import io.sfumato.estimate.discovery.RunningDiscoveryPlanner;
import io.sfumato.mechanism.running.Rows;
import io.sfumato.mechanism.running.RunningSums;
import io.sfumato.noise.ReplayableRandom;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** What a share pays for: the noise of fine rows, under a name that has the thresholds. */
class RunningDiscoveryMechanismTest {
  private static final Epsilon EPSILON = Epsilon.of("6");
  private static final Delta DELTA = Delta.of("1e-9");
  private static final RunningDiscovery PLAN =
      RunningDiscoveryPlanner.gaussian(
              "names", EPSILON, DELTA, new RunningBounds.PerPeriod(32, 1), new Tests(10, 4))
          .orElseThrow();

  private final Planned<RunningDiscoveryMechanism> planned =
      RunningDiscoveryPlanner.planned("names", EPSILON, DELTA, PLAN);

  @Test
  void aChargeIsThatOfAFineRowAndNamesTheThresholds() {
    Charge charge = planned.charge();
    assertThat(charge.mechanism())
        .isEqualTo(
            "%s over-10 from-%d-to-%d",
            PLAN.fine().charge().mechanism(),
            PLAN.thresholds().get(0).least(),
            PLAN.thresholds().get(2).least());
    assertThat(charge.curve()).isEqualTo(PLAN.fine().charge().curve());
    assertThat(charge.unit()).isEqualTo(PLAN.fine().charge().unit());
    assertThat(planned.share().counting()).isEqualTo(new Counting.AtMost(charge.mechanism(), 32));
    assertThat(planned.releases()).as("every record of a user").isEqualTo(32);
  }

  @Test
  void whatIsDrawnIsAFineRow() {
    RunningDiscoveryMechanism mechanism = planned.mechanism();
    assertThat(mechanism.method()).isEqualTo(PLAN.fine().method());
    assertThat(mechanism.parameters()).isNotEmpty().isEqualTo(PLAN.fine().parameters());
    RunningSums sums = RunningSums.start(PLAN.fine().lags(), 1);
    Rows five = sums.rows(new long[] {5});
    Rows six = sums.rows(new long[] {6});
    assertThat(mechanism.law(five).draw(ReplayableRandom.ofPublicSeed("row")))
        .isEqualTo(PLAN.fine().law(five).draw(ReplayableRandom.ofPublicSeed("row")));
    OptionalDouble apart = mechanism.divergence(2, five, six);
    assertThat(apart).isPresent().isEqualTo(PLAN.fine().divergence(2, five, six));
  }
}
