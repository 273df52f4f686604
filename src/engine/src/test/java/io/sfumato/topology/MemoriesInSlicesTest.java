// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.gate.StateEpoch;
import io.sfumato.release.Plan;
import io.sfumato.schema.MeanRelease;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Departure;
import io.sfumato.serde.JournalEntry.Enrolment;
import io.sfumato.serde.JournalEntry.Forgetting;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.context.Names;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sums over windows of subjects that come, leave, come back and are forgotten: wherever slices are
 * cut, and wherever the program begins again, the same outputs and the same state.
 */
@Tag("deep")
class MemoriesInSlicesTest {
  private static final long SIZE = 10_000;
  private static final List<String> SUBJECTS = List.of("ann", "bob", "cy");

  private static final String FILE =
      """
      pipeline: test
      input: { topic: in, subject: who, time: at, values: [x] }
      window: { size: 10s, grace: 2s }
      budget: { name: test, unit: record, epsilon: 2, delta: 1e-5, period: lifetime }
      releases:
        - mean: { name: run, value: x, bounds: [0, 8], running: forever, share: { epsilon: 1, delta: 1e-6 }, windows: 80 }
        - mean: { name: last, value: x, bounds: [0, 8], running: 3, over: 2, share: { epsilon: 1, delta: 1e-6 }, windows: 80 }
      %s
      """;

  private static JournalEntry next(Random random, long closed, boolean roster) {
    String subject = SUBJECTS.get(random.nextInt(SUBJECTS.size()));
    int kind = random.nextInt(20);
    if (kind < 9) {
      long start = closed + random.nextInt(3) * SIZE;
      return new Observation(subject, start, 0, List.of((double) random.nextInt(9)), 0);
    }
    if (kind < 15) {
      return new Watermark(0, closed + SIZE * (1 + random.nextInt(2)));
    }
    if (kind < 18 || !roster) {
      return new Forgetting(subject);
    }
    long from = closed + random.nextInt(3) * SIZE;
    return kind == 18 ? new Departure(subject, from) : new Enrolment(subject, from);
  }

  private static List<JournalEntry> story(Random random, boolean roster) {
    List<JournalEntry> story = new ArrayList<>();
    story.add(new Genesis(0, new StateEpoch(7, 7)));
    story.add(new Watermark(0, NOW));
    if (roster) {
      SUBJECTS.forEach(subject -> story.add(new Enrolment(subject, NOW)));
    }
    long closed = NOW;
    for (int i = 0; i < 80; i++) {
      JournalEntry entry = next(random, closed, roster);
      story.add(entry);
      closed = entry instanceof Watermark boundary ? boundary.end() : closed;
    }
    return story;
  }

  /** By output, subject and window. */
  private static Map<String, String> outputs(SlicedStateMachine keeper) {
    Map<String, String> outputs = new TreeMap<>();
    for (SlicedStateMachine.Output output : keeper.outputs()) {
      MeanRelease release = (MeanRelease) Outputs.decodeAny(output.value());
      outputs.merge(
          output.topic() + " " + output.key() + " " + release.getWindowStart(),
          HexFormat.of().formatHex(output.value()),
          (one, other) -> "twice: " + one + other);
    }
    return outputs;
  }

  /** Without boundaries and closing times, which may go earlier where a program begins again. */
  private static Map<String, String> state(SlicedStateMachine keeper) {
    Map<String, String> state = new TreeMap<>();
    for (String name :
        List.of(
            Names.RUNNING_STORE,
            Names.DATASET_STORE,
            Names.LEDGER_STORE,
            Names.SUBJECT_STORE,
            Names.META_STORE)) {
      keeper
          .store(name)
          .alive()
          .forEach(
              (key, value) -> {
                if (!name.equals(Names.META_STORE) || "bm".indexOf(key.get()[0]) < 0) {
                  state.put(
                      name + " " + HexFormat.of().formatHex(key.get()),
                      HexFormat.of().formatHex(value));
                }
              });
    }
    return state;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyCutGivesTheSame(boolean roster) {
    Plan plan = Fixture.plan(FILE.formatted(roster ? "subjects: roster" : ""));
    long released = 0;
    for (int seed = 0; seed < 60; seed++) {
      List<JournalEntry> story = story(new Random(seed), roster);
      SlicedStateMachine whole = new SlicedStateMachine(plan, 1);
      for (JournalEntry entry : story) {
        whole.take(entry, NOW);
        whole.settle();
      }
      Map<String, String> expected = outputs(whole);
      Map<String, String> state = state(whole);
      released += expected.size();
      for (int i = 0; i < 4; i++) {
        Random random = new Random(seed * 100L + i);
        int rest = 1 + random.nextInt(20);
        SlicedStateMachine cut = new SlicedStateMachine(plan, 1);
        for (JournalEntry entry : story) {
          cut.take(entry, NOW);
          if (random.nextInt(rest) == 0) {
            cut.slice(random.nextInt(6), 1 + random.nextInt(3));
          }
          if (random.nextInt(10) == 0) {
            cut.restart(plan);
          }
        }
        cut.settle();
        assertThat(outputs(cut)).as("story %d, cut %d", seed, i).isEqualTo(expected);
        assertThat(state(cut)).as("story %d, cut %d", seed, i).isEqualTo(state);
      }
    }
    assertThat(released).isGreaterThan(1_000);
  }
}
