// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.gate.StateEpoch;
import io.sfumato.release.Plan;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Activation;
import io.sfumato.serde.JournalEntry.Candidate;
import io.sfumato.serde.JournalEntry.Enrolment;
import io.sfumato.serde.JournalEntry.Forgetting;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.context.Names;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Candidates that expire, are answered, and are refused for another version; subjects that are
 * forgotten; clocks that go back: wherever slices are cut, and wherever the program begins again,
 * the same outputs of each dataset in the same order, and the same state.
 */
@Tag("deep")
class CandidatesInSlicesTest {
  private static final long SIZE = 10_000;
  private static final int SOURCES = 2;
  private static final List<String> SUBJECTS = List.of("ann", "bob", "cy", "dan");
  private static final List<String> OUTPUTS = List.of("coin", "sparse");

  private static final String YAML =
      """
      pipeline: test
      version: 1
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c] }
      window: { size: 10s, grace: 2s }
      budget: { name: test, unit: record, epsilon: 8, delta: 1e-5 }
      releases:
        - histogram: { name: mix, share: { epsilon: 2, delta: 1e-6 }, windows: 9 }
        - abc: { name: coin, threshold: 0.4, share: { epsilon: 2, delta: 1e-6 }, queries: 3, candidates: 4, keep: 2, waiting: { entries: 6, time: 30s } }
        - abc: { name: sparse, method: sparse-vector, acceptances: 2, threshold: 0.4, share: { epsilon: 2, delta: 1e-6 }, queries: 2, candidates: 6, keep: 3, waiting: { entries: 8, time: 15s } }
      """;

  private record Step(JournalEntry entry, long timestamp) {}

  /** What may happen, at random. */
  private static final class Story {
    private final Random random;
    private final List<Step> steps = new ArrayList<>();
    private final long[] passed = new long[SOURCES];
    private long clock = NOW;
    private int version = 1;

    Story(long seed, boolean roster) {
      this.random = new Random(seed);
      add(new Genesis(0, new StateEpoch(7, 7)));
      for (int source = 0; source < SOURCES; source++) {
        passed[source] = NOW;
        add(new Watermark(source, NOW));
      }
      if (roster) {
        SUBJECTS.subList(0, 3).forEach(subject -> add(new Enrolment(subject, NOW)));
      }
      for (int i = 0; i < 150; i++) {
        add(next());
      }
    }

    private void add(JournalEntry entry) {
      // Time goes on, more or less.
      clock += random.nextInt(2_500);
      steps.add(new Step(entry, clock - random.nextInt(4) * random.nextInt(4_000)));
    }

    private long closed() {
      return Math.min(passed[0], passed[1]);
    }

    private String subject() {
      return SUBJECTS.get(random.nextInt(SUBJECTS.size()));
    }

    private JournalEntry next() {
      int kind = random.nextInt(80);
      if (kind < 28) {
        long start = closed() + random.nextInt(4) * SIZE;
        return new Observation(subject(), start, random.nextInt(3), List.of(), 0);
      } else if (kind < 60) {
        return candidate();
      } else if (kind < 74) {
        int source = random.nextInt(SOURCES);
        passed[source] += SIZE * (1 + random.nextInt(2));
        return new Watermark(source, passed[source]);
      } else if (kind < 79) {
        return new Forgetting(subject());
      }
      version++;
      return new Activation(version, closed() + random.nextInt(9) * SIZE, "00", "tag");
    }

    private Candidate candidate() {
      long start = closed() + (random.nextInt(9) - 3) * SIZE;
      String query = "q" + random.nextInt(5);
      double first = random.nextInt(5) / 4.0;
      return new Candidate(
          OUTPUTS.get(random.nextInt(2)),
          query,
          random.nextInt(3),
          3,
          subject(),
          start,
          List.of(),
          List.of(first, 1 - first, 0.0));
    }
  }

  /** By topic, output, subject and window: what left, in order. */
  private static Map<String, String> ofEachDataset(List<SlicedStateMachine.Output> outputs) {
    Map<String, String> byDataset = new TreeMap<>();
    for (SlicedStateMachine.Output output : outputs) {
      SpecificRecord value = (SpecificRecord) Outputs.decodeAny(output.value());
      String dataset =
          Stream.of("output", "subject", "window_start")
              .map(field -> value.get(value.getSchema().getField(field).pos()).toString())
              .collect(Collectors.joining(" ", output.topic() + " ", ""));
      byDataset.merge(dataset, output.toString(), (before, next) -> before + "; " + next);
    }
    return byDataset;
  }

  /** Without boundaries and closing times, which may go earlier where a program begins again. */
  private static Map<String, String> state(SlicedStateMachine keeper) {
    Map<String, String> state = new TreeMap<>();
    for (String name :
        List.of(Names.LEDGER_STORE, Names.QUERY_STORE, Names.DATASET_STORE, Names.META_STORE)) {
      keeper
          .store(name)
          .alive()
          .forEach(
              (key, value) -> {
                if (!name.equals(Names.META_STORE) || "bh".indexOf(key.get()[0]) < 0) {
                  state.put(
                      name + HexFormat.of().formatHex(key.get()), HexFormat.of().formatHex(value));
                }
              });
    }
    return state;
  }

  private static SlicedStateMachine whole(Plan plan, List<Step> story) {
    SlicedStateMachine keeper = new SlicedStateMachine(plan, SOURCES);
    for (Step step : story) {
      keeper.take(step.entry(), step.timestamp());
      keeper.settle();
    }
    return keeper;
  }

  private static SlicedStateMachine cut(Plan plan, List<Step> story, Random random) {
    SlicedStateMachine keeper = new SlicedStateMachine(plan, SOURCES);
    int rest = 1 + random.nextInt(30);
    for (Step step : story) {
      keeper.take(step.entry(), step.timestamp());
      if (random.nextInt(rest) == 0) {
        keeper.slice(random.nextInt(6), 1 + random.nextInt(3));
      }
      if (random.nextInt(10) == 0) {
        keeper.restart(plan);
      }
    }
    keeper.settle();
    return keeper;
  }

  private static List<String> differences(Map<String, String> one, Map<String, String> other) {
    Set<String> keys = new TreeSet<>(one.keySet());
    keys.addAll(other.keySet());
    return keys.stream()
        .filter(key -> !Objects.equals(one.get(key), other.get(key)))
        .map(key -> key + ": " + one.get(key) + ", " + other.get(key))
        .toList();
  }

  @ParameterizedTest
  @CsvSource({"false", "true"})
  void everyCutGivesTheSameOutputs(boolean roster) {
    Plan plan = Fixture.plan(YAML + (roster ? "subjects: roster\n" : ""));
    Map<String, Integer> seen = new HashMap<>();
    for (int seed = 0; seed < 40; seed++) {
      List<Step> story = new Story(seed, roster).steps;
      SlicedStateMachine whole = whole(plan, story);
      Map<String, String> expected = ofEachDataset(whole.outputs());
      Map<String, String> state = state(whole);
      whole.outputs().stream()
          .filter(output -> output.topic().equals(Names.REFUSALS))
          .forEach(output -> seen.merge(output.refusal().getCode().name(), 1, Integer::sum));
      for (int i = 0; i < 4; i++) {
        SlicedStateMachine cut = cut(plan, story, new Random(seed * 100L + i));
        assertThat(differences(expected, ofEachDataset(cut.outputs())))
            .as("story %d, cut %d", seed, i)
            .isEmpty();
        assertThat(differences(state, state(cut))).as("story %d, cut %d", seed, i).isEmpty();
      }
    }
    assertThat(seen)
        .containsKeys("EXPIRED", "VERSION_CHANGED", "UNKNOWN_SUBJECT", "DATASET_GONE", "EXHAUSTED");
  }
}
