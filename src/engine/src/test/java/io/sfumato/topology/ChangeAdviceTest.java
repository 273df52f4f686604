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

  /** Users' pipelines change in place as others do. */
  @ParameterizedTest
  @CsvSource({"version: 1, version: 2", "'b, c]', 'b, c, d]'", "windows: 2, windows: 3"})
  void shouldTellPopulationsToAnnounceTheirFile(String before, String after) {
    PopulationRun state = new PopulationRun();
    state.run(Fixture.plan(CROWD), PopulationRun.beginning());
    Plan changed = Fixture.plan(CROWD.replace(before, after));
    assertThatThrownBy(() -> state.run(changed, PopulationRun.window(0, "ann")))
        .hasMessageContaining("sfumato activate FILE");
  }

  /** Of a lifetime the budget never changes, and what was granted of a share stays granted. */
  @ParameterizedTest
  @CsvSource({
    "epsilon: 9, epsilon: 10, a lifetime never ends",
    "epsilon: 9, epsilon: 8, add up to epsilon 9"
  })
  void shouldRefuseToCarryOverWhatWasGrantedOtherwise(String before, String after, String why) {
    Plan changed = Fixture.plan(CROWD.replace(before, after));
    LedgerImage image = LedgerImage.of(Fixture.plan(CROWD), 0);
    assertThatThrownBy(() -> image.requireFor(changed)).hasMessageContaining(why);
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
    Plan next = Fixture.plan(CROWD.replace("version: 1", "version: 2"));
    assertThatThrownBy(() -> reader.requireReadyFor(next, Fixture.sources(1), "key"))
        .hasMessageContaining("it was not announced (sfumato activate FILE)");
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
      assertThat(advice).contains("sfumato activate FILE");
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
