// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Entries.end;
import static io.sfumato.topology.Entries.genesis;
import static io.sfumato.topology.Entries.record;
import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.accounting.Ledger;
import io.sfumato.release.Plan;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry;
import io.sfumato.topology.budget.ChargeReport;
import io.sfumato.topology.budget.LedgerStore;
import io.sfumato.topology.context.CountedState;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PartitionCount;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.store.StagedWrites;
import io.sfumato.topology.version.StateIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What the registry hears of a partition is what is committed: a number that is ahead of the state
 * would refuse the state after a crash, and one that stays behind would let an older copy pass.
 */
class ChargeReportTest {
  private final Plan plan =
      Fixture.plan(
          """
          pipeline: test
          version: 1
          input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c] }
          window: { size: 10s, grace: 2s }
          budget: { name: test, unit: record, epsilon: 2, delta: 1e-6, period: window }
          releases:
            - histogram: { name: mix, method: laplace, share: { epsilon: 1, delta: 5e-7 } }
          """);

  private final Deployment deployment = Fixture.deployment(1, PipelineMeters.none());
  private final KeeperRun state = new KeeperRun();
  private long offset;

  /** The count that this instance would write into the registry. */
  private PartitionCount told() {
    List<CountedState> all = deployment.counts().all();
    assertThat(all).hasSize(1);
    assertThat(all.get(0).count().place()).isEqualTo(new PartitionCount.Place(Names.META_STORE, 0));
    return all.get(0).count();
  }

  private void take(ProcessorRun<String> run, JournalEntry... entries) {
    for (JournalEntry entry : entries) {
      run.take(
          offset++,
          JournalCodec.encode(StateIdentity.Maker.of(plan, deployment).stamp(), entry),
          NOW + (entry instanceof JournalEntry.Watermark ? 50 : 0));
    }
  }

  @Test
  void shouldSayWhatIsCommittedAndNothingBefore() {
    ProcessorRun<String> run = state.begun(plan, deployment);
    assertThat(told().epoch()).isEmpty();
    assertThat(told().position()).isEqualTo(-1);
    assertThat(told().charges()).isZero();
    assertThat(told().decided()).isEqualTo(Long.MIN_VALUE);
    PartitionCount nothing = told();

    take(run, genesis(), record("ann", 0), record("bob", 0), end(0));
    run.punctuate();
    assertThat(told()).as("a crash would undo it").isEqualTo(nothing);
    run.commit();
    run.punctuate();
    assertThat(told().epoch()).isPresent();
    assertThat(told().position()).isEqualTo(offset - 1);
    assertThat(told().charges()).isEqualTo(2);
    assertThat(told().decided()).isEqualTo(NOW);
    assertThat(nothing.isBehind(told())).isTrue();
    PartitionCount one = told();

    take(run, record("ann", 1), end(1));
    run.punctuate();
    assertThat(told()).isEqualTo(one);
    run.commit();
    run.punctuate();
    assertThat(told().charges()).isEqualTo(3);
    assertThat(one.isBehind(told())).isTrue();
  }

  @Test
  void shouldBeginWithWhatWasCommittedBefore() {
    state.run(plan, deployment, List.of(genesis(), record("ann", 0), end(0)));
    Deployment again = Fixture.deployment(1, PipelineMeters.none());
    state.begun(plan, again);
    PartitionCount found = again.counts().all().get(0).count();
    assertThat(found.charges()).isEqualTo(1);
    assertThat(found.decided()).isEqualTo(NOW);
  }

  /** Nobody processes anything after it, so what it committed is said at once. */
  @Test
  void shouldSayWhatTheLastCommitOfATaskHolds() {
    ProcessorRun<String> run = state.begun(plan, deployment);
    take(run, genesis(), record("ann", 0), end(0));
    run.punctuate();
    run.lastCommit();
    assertThat(told().position()).isEqualTo(offset - 1);
    assertThat(told().charges()).isEqualTo(1);
  }

  /** Of imported ledgers nothing is said until all are counted. */
  @Test
  void shouldSayNothingWhileLedgersAreNotCounted() {
    StagedWrites rows = new StagedWrites(state.store(Names.LEDGER_STORE));
    LedgerStore imported = new LedgerStore(rows);
    int ledgers = 2_500;
    IntStream.range(0, ledgers)
        .forEach(
            i ->
                imported.put(
                    new LedgerStore.Key(0, "mix", "s" + i),
                    new LedgerStore.Entry(Ledger.EMPTY.plus(0), LedgerStore.Status.OPEN)));
    rows.flush();
    ProcessorRun<String> run = state.begun(plan, deployment);
    assertThat(deployment.counts().all()).as("a thousand are counted").isEmpty();
    run.punctuate();
    run.commit();
    run.punctuate();
    assertThat(deployment.counts().all()).as("all are counted, and not committed").isEmpty();
    run.commit();
    run.punctuate();
    assertThat(told().charges()).isEqualTo(ledgers);
  }

  /** As the registry's count is compared with a changelog that nobody works on. */
  @Test
  void shouldReadWhatIsDecidedOffAChangelog() {
    state.run(plan, deployment, List.of(genesis(), record("ann", 0), end(0)));
    List<Long> decided = new ArrayList<>();
    try (var rows = state.store(Names.META_STORE).all()) {
      rows.forEachRemaining(
          row -> ChargeReport.decided(row.key, row.value).ifPresent(decided::add));
    }
    assertThat(decided).containsExactly(NOW);
  }
}
