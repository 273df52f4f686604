// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Entries.candidate;
import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.gate.StateEpoch;
import io.sfumato.schema.RefusalCode;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.KeeperRun.Output;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;

/**
 * A ledger that was exported while a candidate waited for an open window: its charge is in a period
 * that goes on, and the file that goes on with it may know nothing of what it cost.
 */
class ImportedChargesTest {
  private static final String OLD =
      """
      pipeline: test
      version: 1
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c] }
      window: { size: 10s, grace: 2s }
      budget: { name: test, unit: record, epsilon: 4, delta: 1e-5, period: window }
      releases:
        - histogram: { name: mix, share: { epsilon: 1, delta: 1e-6 } }
        - abc: { name: coin, threshold: 0.3, share: { epsilon: 0.5, delta: 2e-7 }, queries: 2, keep: 1 }
      """;
  private final Deployment deployment = Fixture.deployment(1, PipelineMeters.none());

  @Test
  void aChargeOfUnknownCostLeavesNothing() {
    KeeperRun old = new KeeperRun();
    old.run(
        Fixture.plan(OLD),
        deployment,
        List.of(
            new Genesis(0, new StateEpoch(7, 7)),
            new Observation("ann", NOW, 0, List.of(), 0),
            new Watermark(0, NOW + 10_000),
            new Observation("ann", NOW + 10_000, 0, List.of(), 0),
            candidate("open", 1)));
    StateReader reader = new StateReader();
    try (var meta = old.store(Names.META_STORE).all()) {
      meta.forEachRemaining(e -> reader.meta(0, e.key.get(), e.value));
    }
    LedgerImage image = reader.image().orElseThrow();
    String next = OLD.replace("name: test, unit", "name: test-2, unit").replace("0.5", "1.5");
    image.requireFor(Fixture.plan(next));
    KeeperRun state = new KeeperRun();
    for (LedgerImage.Change change : image.origins(1, "00", "test")) {
      state.store(Names.META_STORE).put(Bytes.wrap(change.key()), change.value());
    }
    LedgerLines.of(old.store(Names.LEDGER_STORE)).stream()
        .filter(line -> image.livePeriods().test(line.period()))
        .forEach(line -> LedgerLines.put(state.store(Names.LEDGER_STORE), line));
    List<JournalEntry> journal = new ArrayList<>();
    journal.add(new Genesis(0, new StateEpoch(8, 8)));
    journal.add(new Watermark(0, NOW + 10_000));
    journal.add(new Observation("ann", NOW + 10_000, 0, List.of(), 0));
    journal.add(candidate("mine", 1));
    journal.add(new Watermark(0, NOW + 20_000));
    List<Output> outputs = state.run(Fixture.plan(next), deployment, journal);
    assertThat(outputs).extracting(Output::child).containsExactly("refusals", "mix");
    assertThat(Outputs.decodeRefusal(outputs.get(0).value()).getCode())
        .as("of the coin, in this window and for her alone")
        .isEqualTo(RefusalCode.PERIOD_SPENT);
    journal =
        List.of(
            new Observation("ann", NOW + 20_000, 0, List.of(), 0),
            candidate("next", 2),
            new Watermark(0, NOW + 30_000));
    assertThat(state.run(Fixture.plan(next), deployment, journal))
        .extracting(Output::child)
        .containsExactly("mix", "coin");
  }
}
