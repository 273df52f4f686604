// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.gate.StateEpoch;
import io.sfumato.release.Plan;
import io.sfumato.schema.MeanRelease;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Forgetting;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.serde.Outputs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Subjects whose names look like keys of the store that remembers whom a partition forgets, in
 * random journals with slices and restarts anywhere: since when sums run is what a model says.
 */
class HostileNamesForgottenTest {
  private static final long SIZE = 10_000;

  private static final String FILE =
      """
      pipeline: test
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b], values: [x] }
      window: { size: 10s, grace: 2s }
      budget: { name: test, unit: record, epsilon: 900000, delta: 1e-5, period: lifetime }
      releases:
        - mean: { name: run, value: x, bounds: [0, 8], by: total, running: forever, share: { epsilon: 300000, delta: 1e-6 }, windows: 200 }
      """;

  private static final List<String> NAMES =
      List.of(
          "x",
          "r",
          "rx",
          "xr",
          "xx",
          "\u0000",
          "\u0000\u0000",
          "f",
          "g",
          "é",
          "x\u0080\u0000",
          "\uD83D\uDE00",
          "ann",
          "anna",
          "ann\u0000",
          "x".repeat(9),
          "\u0001ann");

  private static List<String> expected(List<JournalEntry> journal) {
    Map<String, Integer> since = new HashMap<>();
    Map<String, Integer> last = new HashMap<>();
    TreeSet<String> open = new TreeSet<>();
    List<String> all = new ArrayList<>();
    int window = 0;
    for (JournalEntry entry : journal) {
      if (entry instanceof Observation record) {
        open.add(record.subject());
      } else if (entry instanceof Forgetting gone) {
        open.remove(gone.subject());
        last.remove(gone.subject());
      } else if (entry instanceof Watermark && window++ > 0) {
        int closed = window - 2;
        for (String who : open) {
          if (last.getOrDefault(who, -9) != closed - 1) {
            since.put(who, closed);
          }
          last.put(who, closed);
          all.add(who + "@" + closed + " since " + since.get(who));
        }
        open.clear();
      }
    }
    return all;
  }

  private static List<String> shown(SlicedStateMachine keeper) {
    return keeper.outputs().stream()
        .filter(output -> output.topic().equals("run"))
        .map(output -> (MeanRelease) Outputs.decodeAny(output.value()))
        .map(
            told ->
                told.getSubject()
                    + "@"
                    + (told.getWindowStart().toEpochMilli() - NOW) / SIZE
                    + " since "
                    + (told.getSince().toEpochMilli() - NOW) / SIZE)
        .toList();
  }

  private static List<JournalEntry> journal(Random random) {
    List<JournalEntry> journal = new ArrayList<>();
    journal.add(new Genesis(0, new StateEpoch(7, 7)));
    journal.add(new Watermark(0, NOW));
    for (int window = 0; window < 12; window++) {
      for (String who : NAMES) {
        if (random.nextInt(8) > 0) {
          journal.add(new Observation(who, NOW + window * SIZE, 0, List.of(4.0), 0));
        }
        if (random.nextInt(6) == 0) {
          journal.add(new Forgetting(NAMES.get(random.nextInt(NAMES.size()))));
        }
      }
      journal.add(new Watermark(0, NOW + (window + 1) * SIZE));
    }
    return journal;
  }

  @Test
  void sumsBeginWhereTheModelSays() {
    Plan plan = Fixture.plan(FILE);
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      List<JournalEntry> journal = journal(random);
      SlicedStateMachine keeper = new SlicedStateMachine(plan, 1);
      for (JournalEntry entry : journal) {
        keeper.take(entry, NOW);
        if (random.nextInt(12) == 0) {
          keeper.slice(1 + random.nextInt(3), 1 + random.nextInt(5));
        }
        if (random.nextInt(40) == 0) {
          keeper.restart(plan);
        }
      }
      keeper.settle();
      assertThat(shown(keeper))
          .as("seed " + seed)
          .containsExactlyInAnyOrderElementsOf(expected(journal));
    }
  }
}
