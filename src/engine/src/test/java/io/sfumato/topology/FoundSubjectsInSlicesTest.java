// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.gate.StateEpoch;
import io.sfumato.release.Plan;
import io.sfumato.schema.SubjectRelease;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Forgetting;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.context.Names;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Subjects that are found, forgotten by their data, leave and are found again, where a list is full
 * and where it is not: wherever slices are cut, and wherever the program begins again, the same
 * outputs in the same order, and the same state.
 */
class FoundSubjectsInSlicesTest {
  private static final long SIZE = 10_000;
  private static final int WINDOWS = 14;

  /** One in eight users more or less decides, so that much is found and much is not. */
  private static final Plan PLAN =
      Fixture.plan(
          """
          pipeline: test
          input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
          contributions: { per-window: 1 }
          subjects: { discover: { name: places, most: 6, forget-names: 2, share: { epsilon: 40, delta: 1e-3 }, windows: 14 } }
          window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
          budget: { name: test, unit: user, epsilon: 80, delta: 3e-3, period: lifetime }
          releases:
            - count: { name: n, by: total, running: 4, share: { epsilon: 40, delta: 1e-3 }, windows: 14 }
          """);

  /** In the place of a category, after those of the file and of what is left out. */
  private static final int USER = 3;

  private record Step(JournalEntry entry, long timestamp) {}

  private static List<Step> story(long seed) {
    Random random = new Random(seed);
    List<Step> steps = new ArrayList<>();
    steps.add(new Step(new Genesis(0, new StateEpoch(7, 7)), NOW));
    steps.add(new Step(new Watermark(0, NOW), NOW));
    for (int w = 0; w < WINDOWS; w++) {
      long start = NOW + w * SIZE;
      for (int subject = 0; subject < 12; subject++) {
        int users = random.nextInt(3) == 0 ? random.nextInt(12) : 0;
        for (int i = 0; i < users; i++) {
          String name = "ward\u0000" + (char) ('a' + subject);
          steps.add(new Step(new Observation(name, start, 0, List.of(), 0), start));
          steps.add(new Step(new Observation(name, start, USER, List.of(), 0), start));
        }
      }
      if (random.nextInt(3) == 0) {
        String name = "ward\u0000" + (char) ('a' + random.nextInt(12));
        steps.add(new Step(new Forgetting(name), start));
      }
      steps.add(new Step(new Watermark(0, start + SIZE), start + SIZE));
    }
    return steps;
  }

  private static SlicedStateMachine atOnce(List<Step> story) {
    SlicedStateMachine keeper = new SlicedStateMachine(PLAN, 1);
    for (Step step : story) {
      keeper.take(step.entry(), step.timestamp());
      keeper.settle();
    }
    return keeper;
  }

  private static SlicedStateMachine cut(List<Step> story, Random random) {
    SlicedStateMachine keeper = new SlicedStateMachine(PLAN, 1);
    for (Step step : story) {
      keeper.take(step.entry(), step.timestamp());
      if (random.nextInt(8) == 0) {
        keeper.slice(1 + random.nextInt(3), 1 + random.nextInt(4));
      }
      if (random.nextInt(20) == 0) {
        keeper.restart(PLAN);
      }
    }
    keeper.settle();
    return keeper;
  }

  @Test
  void slicesAndRestartsChangeNothing() {
    long found = 0;
    long left = 0;
    for (long seed = 1; seed <= 12; seed++) {
      List<Step> story = story(seed);
      SlicedStateMachine whole = atOnce(story);
      for (long cuts = 1; cuts <= 4; cuts++) {
        SlicedStateMachine other = cut(story, new Random(100 * seed + cuts));
        assertThat(other.outputs())
            .extracting(SlicedStateMachine.Output::toString)
            .as("seed " + seed + ", cuts " + cuts)
            .containsExactlyElementsOf(
                whole.outputs().stream().map(SlicedStateMachine.Output::toString).toList());
        for (String store :
            List.of(Names.SUBJECT_STORE, Names.RUNNING_STORE, Names.DATASET_STORE)) {
          assertThat(rows(other, store)).as(store).isEqualTo(rows(whole, store));
        }
      }
      found += releases(whole).stream().filter(SubjectRelease::getFound).count();
      left += whole.outputs().stream().filter(o -> o.topic().equals(Names.REFUSALS)).count();
    }
    assertThat(found).as("the stories are about something").isGreaterThan(60);
    assertThat(left).as("lists are full now and then").isPositive();
  }

  private static List<SubjectRelease> releases(SlicedStateMachine keeper) {
    return keeper.outputs().stream()
        .filter(output -> output.topic().equals("places"))
        .map(output -> (SubjectRelease) Outputs.decodeAny(output.value()))
        .toList();
  }

  private static TreeMap<String, String> rows(SlicedStateMachine keeper, String store) {
    TreeMap<String, String> rows = new TreeMap<>();
    keeper
        .store(store)
        .alive()
        .forEach((key, value) -> rows.put(key.toString(), HexFormat.of().formatHex(value)));
    return rows;
  }
}
