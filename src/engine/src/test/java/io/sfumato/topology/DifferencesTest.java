// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.release.Plan;
import io.sfumato.topology.version.BudgetTerms;
import io.sfumato.topology.version.Differences;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whoever changed a file hears which field it was, or that nobody knows. */
class DifferencesTest {
  private static final String FILE =
      """
      pipeline: test
      version: 1
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c] }
      window: { size: 10s, grace: 2s }
      budget: { name: test, unit: record, epsilon: 2, delta: 1e-6, period: window }
      releases:
        - histogram: { name: mix, share: { epsilon: 1, delta: 5e-7 }, plan-size: 40 }
        - histogram: { name: more, share: { epsilon: 0.5, delta: 4e-7 } }
      """;

  private static String of(String old, String changed) {
    Plan before = Fixture.plan(FILE);
    Plan after = Fixture.plan(FILE.replace(old, changed));
    assertThat(after.digestText()).isNotEqualTo(before.digestText());
    return Differences.of(BudgetTerms.of(before), after);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "epsilon: 2, | epsilon: 3, | budget.epsilon (the state has 2, the file 3)",
        "period: window | period: 30d | budget.period",
        "epsilon: 1, | epsilon: 1.25, | output 'mix', share.epsilon (the state has 1, the file"
            + " 1.25)",
        "delta: 4e-7 | delta: 3e-7 | output 'more', share.delta",
        "plan-size: 40 | method: laplace | output 'mix', what it charges",
        "plan-size: 40 | plan-size: 4000 | plan-size",
        "name: more | name: less | output 'less' is new, or renamed; the share 'more' is not in the"
            + " file"
      })
  void shouldNameTheFieldThatDiffers(String old, String changed, String named) {
    assertThat(of(old, changed)).startsWith("what differs: ").contains(named);
  }

  /** How far a sum reaches bears on its charge, or on the digest alone: it is named both ways. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "running: 365 | running: 200",
        "running: 365 | over: 7",
        "running: 365 | running: 365, over: 7"
      })
  void shouldNameHowFarSumsReach(String old, String changed) throws Exception {
    String file = Files.readString(Path.of("topology/wards.yaml"));
    Plan before = Fixture.plan(file);
    Plan after = Fixture.plan(file.replace(old, changed.replace(", ", "\n      ")));
    assertThat(after.digestText()).isNotEqualTo(before.digestText());
    assertThat(Differences.of(BudgetTerms.of(before), after))
        .contains("running, over")
        .doesNotContain("ward-mix", "ward-counts");
  }

  @Test
  void shouldSayWhereTheStateKnowsADigestAlone() {
    assertThat(of("grace: 2s", "grace: 3s"))
        .contains("only a digest", "compare the two files' window.grace");
  }
}
