// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.release.Plan;
import io.sfumato.topology.lineage.Authorship;
import io.sfumato.topology.lineage.ChangeAdvice;
import io.sfumato.topology.lineage.Identity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whoever changes a file whose state lives hears at once what is possible. */
class ChangeAdviceTest {
  private static final String CROWD =
      """
      pipeline: test
      version: 1
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b, c] }
      contributions: { per-window: 3, subjects: 1 }
      subjects: [north, south]
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 9, delta: 1e-6, period: lifetime }
      releases:
        - count: { name: n, share: { epsilon: 9, delta: 1e-6 }, windows: 2 }
      """;

  private static final String PEOPLE =
      """
      pipeline: test
      version: 1
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c] }
      window: { size: 10s, grace: 2s }
      budget: { name: test, unit: record, epsilon: 9, delta: 1e-6 }
      releases:
        - histogram: { name: n, method: laplace, share: { epsilon: 9, delta: 1e-6 }, windows: 2 }
      """;

  /** A population can do nothing with a version: 'activate' would refuse it. */
  @ParameterizedTest
  @CsvSource({"version: 1, version: 2", "windows: 2, windows: 3", "'b, c]', 'b, c, d]'"})
  void shouldTellPopulationsToCarryTheirLedgerOver(String before, String after) {
    PopulationRun state = new PopulationRun();
    state.run(Fixture.plan(CROWD), PopulationRun.beginning());
    Plan changed = Fixture.plan(CROWD.replace(before, after));
    assertThatThrownBy(() -> state.run(changed, PopulationRun.window(0, "ann")))
        .hasMessageContaining("sfumato ledger export FILE --to LEDGER")
        .hasMessageContaining("a file whose budget and topics have new names")
        .hasMessageContaining("sfumato ledger import FILE --from LEDGER' (docs/operations.md)")
        .hasMessageContaining("--data FOLDER")
        .message()
        .doesNotContain("activate");
  }

  @Test
  void shouldTellWhoReadsRecordsTheSame() {
    for (String file : new String[] {CROWD, PEOPLE}) {
      Plan changed = Fixture.plan(file.replace("windows: 2", "windows: 3"));
      String advice = ChangeAdvice.file(changed.pipeline());
      assertThat(advice.contains("sfumato activate FILE")).isEqualTo(file.equals(PEOPLE));
      assertThat(advice.contains("sfumato ledger export FILE")).isEqualTo(file.equals(CROWD));
      Authorship began = authorship(Fixture.plan(file));
      began.requireAllows(began, advice);
      assertThatThrownBy(() -> began.requireAllows(authorship(changed), advice))
          .hasMessageEndingWith("run the file that the other instances run, or " + advice);
    }
  }

  private static Authorship authorship(Plan plan) {
    return Authorship.of(Identity.Maker.of(plan, "topic", 1, "key"));
  }
}
