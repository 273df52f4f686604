// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.release.Plan;
import io.sfumato.release.Plans;
import io.sfumato.topology.context.SpentShares;
import org.junit.jupiter.api.Test;

class BudgetViewTest {
  @Test
  void shouldSayNothingOfWhatIsNotCounted() throws Exception {
    assertThat(BudgetView.of(null).atLeast(0.5)).isNaN();
    assertThat(BudgetView.of(null).left(plan().releases().get(0))).isNaN();
  }

  @Test
  void shouldBeCoarse() throws Exception {
    SpentShares one = SpentShares.ofSubjects(new double[] {0.6});
    assertThat(BudgetView.of(one).atLeast(0.5)).isEqualTo(1);
    assertThat(BudgetView.of(one).atLeast(0.8)).isZero();
    // 100 releases fit; 60 to 65 of them are spent.
    assertThat(BudgetView.of(one).left(plan().releases().get(0))).isEqualTo(20);
    double[] hundred = new double[100];
    hundred[0] = 1;
    SpentShares oneOfMany = SpentShares.ofSubjects(hundred);
    assertThat(BudgetView.of(oneOfMany).atLeast(1)).as("the first one shows").isEqualTo(0.1);
    java.util.Arrays.fill(hundred, 1);
    hundred[0] = 0;
    SpentShares allButOne = SpentShares.ofSubjects(hundred);
    assertThat(BudgetView.of(allButOne).atLeast(1)).as("1 means all").isEqualTo(0.9);
    double[] many = new double[2_000];
    java.util.Arrays.fill(many, 0, 25, 1);
    assertThat(BudgetView.of(SpentShares.ofSubjects(many)).atLeast(1)).isEqualTo(0.02);
  }

  private static Plan plan() throws Exception {
    String yaml =
        """
        pipeline: view
        input: { topic: in, subject: who, time: at, category: what, categories: [a, b] }
        window: { size: 10s }
        budget: { name: view, unit: record, epsilon: 4, delta: 1e-6 }
        releases:
          - histogram: { name: mix, method: gaussian, share: { epsilon: 4, delta: 1e-6 }, windows: 100 }
        """;
    return Plans.plan(yaml);
  }
}
