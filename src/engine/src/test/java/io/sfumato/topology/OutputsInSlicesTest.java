// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.release.Plan;
import io.sfumato.serde.JournalEntry.Enrolment;
import io.sfumato.serde.JournalEntry.Forgetting;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.topology.context.Names;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Outputs of one subject may be large: a transaction may end between two of them, and the program
 * may begin again there.
 */
class OutputsInSlicesTest {
  private static final long SIZE = 10_000;

  private static final String YAML =
      """
      pipeline: test
      version: 1
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c] }
      window: { size: 10s, grace: 2s }
      budget: { name: test, unit: record, epsilon: 6, delta: 1e-5, period: lifetime }
      releases:
        - histogram: { name: one, method: laplace, share: { epsilon: 2, delta: 1e-6 }, windows: 3 }
        - histogram: { name: two, method: gaussian, share: { epsilon: 2, delta: 1e-6 }, windows: 2 }
        - histogram: { name: three, share: { epsilon: 2, delta: 1e-6 }, windows: 3 }
      """;

  /** Three windows of three subjects, one of whom is forgotten before they close. */
  private static SlicedStateMachine filled(Plan plan) {
    SlicedStateMachine keeper = SlicedStateMachine.begun(plan);
    for (String subject : List.of("ann", "bob", "cy")) {
      keeper.take(new Enrolment(subject, NOW));
      for (int window = 0; window < 3; window++) {
        keeper.take(new Observation(subject, NOW + window * SIZE, window, List.of(), 0));
      }
    }
    keeper.take(new Watermark(0, NOW + 3 * SIZE), new Forgetting("bob"));
    return keeper;
  }

  private static Map<String, String> state(SlicedStateMachine keeper) {
    Map<String, String> state = new TreeMap<>();
    for (String store : List.of(Names.LEDGER_STORE, Names.DATASET_STORE, Names.META_STORE)) {
      keeper
          .store(store)
          .alive()
          .forEach((key, value) -> state.put(store + key, HexFormat.of().formatHex(value)));
    }
    return state;
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "subjects: roster\n"})
  void shouldPublishTheSameBytesWhenAStepHasTimeForOneOutput(String subjects) {
    Plan plan = Fixture.plan(YAML + subjects);
    SlicedStateMachine whole = filled(plan);
    whole.settle();

    SlicedStateMachine cut = filled(plan);
    cut.hurry();
    int steps = 0;
    int before = cut.outputs().size();
    while (cut.slice(1, 50)) {
      assertThat(cut.outputs().size() - before).as("outputs of step %d", steps).isLessThan(2);
      before = cut.outputs().size();
      steps++;
      cut.restart(plan);
    }
    cut.commit();

    assertThat(cut.outputs()).hasSize(27).hasToString(whole.outputs().toString());
    assertThat(steps).isGreaterThanOrEqualTo(26);
    assertThat(state(cut)).isEqualTo(state(whole));
  }
}
