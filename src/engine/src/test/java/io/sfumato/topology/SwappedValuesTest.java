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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A version in which an output tells of another number, or within other bounds. */
class SwappedValuesTest {
  private static final long SIZE = 10_000;

  private static final String FILE =
      """
      pipeline: test
      version: %d
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b], values: [x, y] }
      window: { size: 10s, grace: 2s }
      budget: { name: test, unit: record, epsilon: 900000, delta: 1e-5, period: lifetime }
      releases:
        - mean: { name: run, %s, by: total, running: forever, share: { epsilon: 300000, delta: 1e-6 }, windows: 5 }
        - mean: { name: other, %s, by: total, running: forever, share: { epsilon: 300000, delta: 1e-6 }, windows: 5 }
      """;

  private final Deployment deployment = Fixture.deployment(1, PipelineMeters.none());
  private final KeeperRun state = new KeeperRun();

  private List<MeanRelease> run(Plan plan, List<? extends JournalEntry> journal) {
    return state.run(plan, deployment, journal).stream()
        .filter(output -> output.child().equals("run"))
        .map(output -> (MeanRelease) Outputs.decodeAny(output.value()))
        .toList();
  }

  private static List<JournalEntry> window(int window) {
    return List.of(
        new Observation("ann", NOW + window * SIZE, 0, List.of(2.0, 6.0), 0),
        new Watermark(0, NOW + (window + 1) * SIZE));
  }

  /** In every window x is 2 and y is 6: a mean of either is that, over however many windows. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "value: x, bounds: [0, 8] | value: y, bounds: [0, 8] | 6",
        "value: x, bounds: [0, 8] | value: x, bounds: [0, 80] | 2",
      })
  void aMeanIsOfOneNumberWithinOneRange(String first, String second, double mean) {
    Plan old = Fixture.plan(FILE.formatted(1, first, second));
    Plan next = Fixture.plan(FILE.formatted(2, second, first));
    List<JournalEntry> journal = new ArrayList<>();
    journal.add(new Genesis(0, new StateEpoch(7, 7)));
    journal.add(new Watermark(0, NOW));
    journal.addAll(window(0));
    run(old, journal);
    run(
        old,
        List.of(new Activation(2, NOW + SIZE, next.digestText(), deployment.noiseKey().tag())));
    run(old, List.of());
    List<MeanRelease> told = run(next, window(1));
    var row = told.get(0).getRows().get(0);
    assertThat(mean)
        .as(
            "mean of %s in [%s, %s] over %s windows",
            row.getValue(), row.getLowest(), row.getHighest(), told.get(0).getWindows())
        .isBetween(row.getMean().getLow() - 0.01, row.getMean().getHigh() + 0.01);
  }
}
