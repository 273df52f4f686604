// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ReleaseSpec;
import java.util.List;
import org.apache.avro.Schema;
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

  /** The choice of {@code best}, which takes a second, too: its reference is an equal one. */
  @Test
  void shouldChooseTheBestSamplerOnce() throws Exception {
    String yaml =
        """
        pipeline: test
        input: { topic: in, subject: who, time: at, values: [x] }
        window: { size: 10s, clock: ticks }
        subjects: roster
        budget: { name: test, unit: dataset, epsilon: 2 }
        releases:
          - mollifier:
              name: place
              sampler: best
              windows: 1
              share: { epsilon: 1 }
              reference: { gaussians: [ { mean: [0], deviation: [1] } ] }
        """;
    assertThat(planned(yaml)).isSameAs(planned(yaml));
    for (String other :
        List.of(
            yaml.replace("deviation: [1]", "deviation: [2]"),
            yaml.replace("{ mean", "{ weight: 2, mean"),
            yaml.replace("sampler: best", "sampler: best\n      plan-size: 7"))) {
      assertThat(planned(other)).isNotEqualTo(planned(yaml));
    }
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
      assertThat(made.of(new Spec("n" + i, first))).isSameAs(first);
    }
    assertThat(made.of(new Spec("n0", again))).as("the oldest of 64").isSameAs(first);
    made.of(new Spec("n64", first));
    assertThat(made.of(new Spec("n1", again))).isSameAs(again);
    assertThat(made.of(new Spec("n0", again))).as("asked for later").isSameAs(first);
  }

  /** The same as others of its name, whatever it plans. */
  private record Spec(String name, PlannedRelease plan) implements ReleaseSpec {
    @Override
    public Head head() {
      return new Head(name, name, plan.spec().share(), 1);
    }

    @Override
    public Schema schema() {
      return plan.spec().schema();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Spec spec && spec.name.equals(name);
    }

    @Override
    public int hashCode() {
      return name.hashCode();
    }
  }
}
