// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.release.Plan;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.version.ChangeAdvice;
import io.sfumato.topology.version.IntakeVersion;
import io.sfumato.topology.version.StateIdentity;
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
  @CsvSource({"version: 1, version: 2", "'b, c]', 'b, c, d]'"})
  void shouldTellPopulationsToCarryTheirLedgerOver(String before, String after) {
    PopulationRun state = new PopulationRun();
    state.run(Fixture.plan(CROWD), PopulationRun.beginning());
    Plan changed = Fixture.plan(CROWD.replace(before, after));
    assertThatThrownBy(() -> state.run(changed, PopulationRun.window(0, "ann")))
        .hasMessageContaining("sfumato ledger export OLD --for NEW --to LEDGER")
        .hasMessageContaining("a file NEW whose budget and topics have new names")
        .hasMessageContaining(
            "sfumato ledger import NEW --from LEDGER' (docs/guides/change-a-pipeline.md)")
        .hasMessageContaining("--data FOLDER")
        .message()
        .doesNotContain("activate");
  }

  /** Of a lifetime the budget never changes, and a share that goes on is what it was. */
  @ParameterizedTest
  @CsvSource({
    "windows: 2, windows: 3, share 'n' was granted",
    "epsilon: 9, epsilon: 10, a lifetime never ends",
    "epsilon: 9, epsilon: 8, share 'n' was granted"
  })
  void shouldNotRecommendToCarryOverWhatAnImportWouldRefuse(
      String before, String after, String why) {
    PopulationRun state = new PopulationRun();
    state.run(Fixture.plan(CROWD), PopulationRun.beginning());
    Plan changed = Fixture.plan(CROWD.replace(before, after));
    LedgerImage image = LedgerImage.of(Fixture.plan(CROWD), 0);
    assertThatThrownBy(() -> image.requireFor(changed)).hasMessageContaining(why);
    assertThatThrownBy(() -> state.run(changed, PopulationRun.window(0, "ann")))
        .hasMessageContaining(
            "put the file back, or start with new names for the pipeline and its budget")
        .hasMessageContaining("The ledger cannot be carried over to this file: ")
        .hasMessageContaining(why)
        .message()
        .doesNotContain("ledger export");
  }

  @Test
  void shouldRecommendToCarryAChangedEpsilonOverWhenAPeriodEnds() {
    String windows = CROWD.replace("lifetime", "window").replace(", windows: 2", "");
    PopulationRun state = new PopulationRun();
    state.run(Fixture.plan(windows), PopulationRun.beginning());
    Plan changed = Fixture.plan(windows.replace("epsilon: 9", "epsilon: 10"));
    LedgerImage.of(Fixture.plan(windows), 0).requireFor(changed);
    assertThatThrownBy(() -> state.run(changed, PopulationRun.window(0, "ann")))
        .hasMessageContaining("sfumato ledger export OLD --for NEW --to LEDGER");
  }

  /** Before anything starts, as {@code run} asks: whether all partitions have begun or some. */
  @Test
  void shouldTellPopulationsSoBeforeAStart() {
    PopulationRun state = new PopulationRun();
    state.run(Fixture.plan(CROWD), PopulationRun.beginning());
    StateReader reader = new StateReader();
    try (var rows = state.store(Names.META_STORE).all()) {
      rows.forEachRemaining(row -> reader.meta(0, row.key.get(), row.value));
    }
    String running =
        CROWD.replace("version: 1", "version: 2").replace("windows: 2", "windows: 2, over: 2");
    Plan next = Fixture.plan(running);
    for (int partitions = 1; partitions <= 2; partitions++) {
      if (partitions == 2) {
        reader.meta(1, new byte[] {9}, new byte[] {9});
      }
      int all = partitions;
      assertThatThrownBy(() -> reader.requireReadyFor(next, Fixture.sources(all), "key"))
          .hasMessageStartingWith(
              "version 2 of the file cannot take over: put version 1 back, or carry the ledger over")
          .hasMessageContaining("sfumato ledger export OLD --for NEW --to LEDGER")
          .hasMessageEndingWith(
              "sums over windows (n) begin anew, from nothing (docs/guides/moving-sums.md)")
          .message()
          .doesNotContain("activate");
    }
    StateReader onlyNew = new StateReader();
    onlyNew.meta(0, new byte[] {9}, new byte[] {9});
    assertThatCode(() -> onlyNew.requireReadyFor(next, Fixture.sources(1), "key"))
        .doesNotThrowAnyException();
  }

  @Test
  void shouldTellWhoReadsRecordsTheSame() {
    for (String file : new String[] {CROWD, PEOPLE}) {
      Plan changed = Fixture.plan(file.replace("windows: 2", "windows: 3"));
      String advice = ChangeAdvice.file(changed.pipeline());
      assertThat(advice.contains("sfumato activate FILE")).isEqualTo(file.equals(PEOPLE));
      assertThat(advice.contains("sfumato ledger export OLD")).isEqualTo(file.equals(CROWD));
      IntakeVersion began = intakeVersion(Fixture.plan(file));
      began.requireAllows(began, advice);
      assertThatThrownBy(() -> began.requireAllows(intakeVersion(changed), advice))
          .hasMessageEndingWith("run the file that the other instances run, or " + advice);
    }
  }

  private static IntakeVersion intakeVersion(Plan plan) {
    return IntakeVersion.of(StateIdentity.Maker.of(plan, Fixture.sources(1), "key"));
  }
}
