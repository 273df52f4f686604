// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.gate.StateEpoch;
import io.sfumato.release.Plan;
import io.sfumato.schema.MeanRelease;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Activation;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.PipelineMeters;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sums over windows where an output goes on with a new share, which has a ledger of its own. */
class SequencesAcrossSharesTest {
  private static final long SIZE = 10_000;

  private static final String FILE =
      """
      pipeline: test
      version: %d
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b], values: [x] }
      window: { size: 10s, grace: 2s }
      budget: { name: test, unit: record, epsilon: 20, delta: 2e-6, period: lifetime }
      releases:
        - mean: { name: run, value: x, bounds: [0, 8], by: category, method: gaussian, running: 1024, share: { epsilon: 10, delta: 1e-6, ledger: %s }, windows: 1 }
      """;

  private final Deployment deployment = Fixture.deployment(1, PipelineMeters.none());
  private final KeeperRun state = new KeeperRun();

  private static Plan plan(int version, String ledger) {
    return Fixture.plan(FILE.formatted(version, ledger));
  }

  private List<String> run(Plan plan, List<? extends JournalEntry> journal) {
    return state.run(plan, deployment, journal).stream()
        .filter(output -> output.child().equals("run"))
        .map(output -> (MeanRelease) Outputs.decodeAny(output.value()))
        .map(
            told ->
                "@%d: %d windows since %d"
                    .formatted(
                        (told.getWindowStart().toEpochMilli() - NOW) / SIZE,
                        told.getWindows(),
                        (told.getSince().toEpochMilli() - NOW) / SIZE))
        .toList();
  }

  private static List<JournalEntry> window(int window) {
    return List.of(
        new Observation("ann", NOW + window * SIZE, 0, List.of(4.0), 0),
        new Watermark(0, NOW + (window + 1) * SIZE));
  }

  @Test
  void aNewShareBeginsAnew() {
    Plan first = plan(1, "one");
    Plan second = plan(2, "two");
    List<JournalEntry> journal = new ArrayList<>();
    journal.add(new Genesis(0, new StateEpoch(7, 7)));
    journal.add(new Watermark(0, NOW));
    journal.addAll(window(0));
    run(first, journal);
    run(
        first,
        List.of(new Activation(2, NOW + SIZE, second.digestText(), deployment.noiseKey().tag())));
    run(first, List.of());
    List<String> told = run(second, window(1));
    assertThat(told).containsExactly("@1: 1 windows since 1");
  }
}
