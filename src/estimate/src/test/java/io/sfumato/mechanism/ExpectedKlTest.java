// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.estimate.ExpectedKl;
import io.sfumato.estimate.PlanningModel;
import io.sfumato.estimate.SimulatedError;
import io.sfumato.mechanism.additive.LaplaceNoise;
import io.sfumato.mechanism.additive.NoisyHistogram;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExpectedKlTest {
  private static final PlanningModel MODEL =
      PlanningModel.ofWeights(new double[] {119, 74, 618, 272, 13, 187}, 1283);

  @Test
  void shouldBeWhatTheSimulationFindsWheneverItIsAskedFor() {
    NoisyHistogram mechanism =
        new NoisyHistogram(new LaplaceNoise(100_000), Optional.empty(), Sensitivity.replaceOne());
    double found = SimulatedError.expectedKl(mechanism, MODEL);
    ExpectedKl expected = ExpectedKl.simulated(mechanism, MODEL);
    assertThat(found).isPositive();
    assertThat(expected.nats()).isEqualTo(found);
    assertThat(expected.nats()).isEqualTo(found);
    assertThat(ExpectedKl.of(0.25).nats()).isEqualTo(0.25);
  }

  /** What nobody asks for is not simulated: of nothing it would fail. */
  @Test
  void shouldNotBeSimulatedBeforeThat() {
    assertThat(ExpectedKl.simulated(null, MODEL)).isNotNull();
  }
}
