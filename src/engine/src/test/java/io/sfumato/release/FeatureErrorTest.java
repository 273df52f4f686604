// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.sfumato.pipeline.FactJson;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a plan says of the error of mean features, whose number of records has noise as well. */
class FeatureErrorTest {
  private static final int DRAWS = 200_000;

  /**
   * A mean feature as large as any is: the share of draws within what is said is 95%. Its standard
   * deviation is 0.0005, so that one further off than 0.0032 happens to fewer than 1 seed in 1e9.
   */
  @Test
  void shouldHoldWithTheNoiseOfBothSumAndNumber() throws Exception {
    JsonNode sums =
        FactJson.of(PlanReport.facts(Plans.example("ward-model.yaml"))).at("/releases/0");
    double said = sums.path("error_95").asDouble();
    double records = sums.path("plan_size").asDouble();
    double mean = Math.sqrt(2 / sums.path("features").asDouble());
    Random random = new Random(11);
    int held = 0;
    for (int i = 0; i < DRAWS; i++) {
      double sum = mean * records + sums.path("deviation").asDouble() * random.nextGaussian();
      double number = records + sums.path("records_deviation").asDouble() * random.nextGaussian();
      held += Math.abs(sum / number - mean) <= said ? 1 : 0;
    }
    assertThat(held / (double) DRAWS).isCloseTo(0.95, within(0.0032));
  }
}
