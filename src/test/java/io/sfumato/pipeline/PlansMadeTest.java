// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PlansMadeTest {
  private static final String YAML =
      """
      pipeline: test
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c, d] }
      window: { size: 10s }
      budget: { name: test, unit: record, epsilon: 2, delta: 1e-6 }
      releases:
        - histogram: { name: mix, method: gaussian, share: { epsilon: 1, delta: 2e-7 }, windows: 20 }
      """;

  private static PlannedRelease planned(String yaml) throws PipelineFileException {
    return Plan.of("test.yaml", PipelineFile.parse("test.yaml", yaml)).releases().get(0);
  }

  @Test
  void shouldMakeAPlanOnce() throws Exception {
    assertThat(planned(YAML)).isSameAs(planned(YAML));
  }

  @Test
  void shouldMakeAnotherPlanForWhateverDiffers() throws Exception {
    for (String other :
        List.of(
            YAML.replace("windows: 20", "windows: 21"),
            YAML.replace("epsilon: 1,", "epsilon: 1.5,"),
            YAML.replace("gaussian", "laplace"))) {
      assertThat(planned(other).charge()).as(other).isNotEqualTo(planned(YAML).charge());
    }
  }

  @Test
  void shouldForgetTheOldestOfMany() throws Exception {
    PlansMade made = new PlansMade();
    PlannedRelease first = planned(YAML);
    PlannedRelease again = planned(YAML.replace("windows: 20", "windows: 21"));
    for (int i = 0; i < 64; i++) {
      assertThat(made.of(spec("n" + i), () -> Optional.of(first))).containsSame(first);
    }
    assertThat(made.of(spec("n0"), Optional::empty)).as("the oldest of 64").containsSame(first);
    made.of(spec("n64"), () -> Optional.of(first));
    assertThat(made.of(spec("n1"), () -> Optional.of(again))).containsSame(again);
    assertThat(made.of(spec("n0"), Optional::empty)).as("asked for later").containsSame(first);
  }

  private static ReleaseSpec spec(String name) throws PipelineFileException {
    return PipelineFile.parse("test.yaml", YAML.replace("name: mix", "name: " + name))
        .releases()
        .get(0);
  }
}
