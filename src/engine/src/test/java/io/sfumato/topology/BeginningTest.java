// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.gate.StateEpoch;
import io.sfumato.release.Plan;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Contribution;
import io.sfumato.serde.JournalEntry.Enrolment;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Observations;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.topology.clock.PartitionWatermark;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.PipelineStopException;
import io.sfumato.topology.contributions.ContributionStore;
import io.sfumato.topology.store.StagedWrites;
import io.sfumato.topology.version.BudgetTerms;
import io.sfumato.topology.version.MetaStore;
import io.sfumato.topology.version.StateIdentity;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;

/** A state that began without a beginning goes on, and nobody can begin like that. */
class BeginningTest {
  private static final String NOWHERE =
      Fixture.YAML.replace("clock: records", "clock: ticks") + "subjects: roster\n";

  private static final String SOMEWHERE =
      NOWHERE.replace("clock: ticks", "clock: ticks, begin: 2026-06-01");

  private static final long WINDOW = 10_000;

  /** Intake on a partition whose clock the store knows. */
  private static List<JournalEntry> intake(String yaml, PartitionWatermark before, long... events) {
    KeyValueStore<Bytes, byte[]> clocks = MemoryStores.named(Names.SOURCE_STORE);
    clocks.put(Bytes.wrap(ByteBuffer.allocate(4).putInt(0).array()), before.encode());
    ProcessorRun<byte[]> intake =
        ProcessorRun.intake(
            Fixture.plan(yaml), Fixture.deployment(1, PipelineMeters.none()), clocks);
    long offset = before.offset() + 1;
    for (long second : events) {
      intake.take(offset++, new Record<>(null, Fixture.json("ann", second, "a"), NOW));
    }
    RecordHeaders tick = new RecordHeaders();
    tick.add(Names.TICK_HEADER, Fixture.ticks("test").of("in", 0, NOW + 22_000));
    intake.take(offset, new Record<>(null, null, NOW, tick));
    intake.commit();
    return intake.entries().stream().map(JournalCodec::decode).toList();
  }

  private static Observations observations(long... windows) {
    List<Observation> records = new ArrayList<>();
    for (long window : windows) {
      records.add(new Observation("ann", NOW + window * WINDOW, 0, List.of(), 0));
    }
    return new Observations(records);
  }

  @Test
  void aPartitionThatHasBegunGoesOnWithoutABeginningInTheFile() {
    PartitionWatermark begun = new PartitionWatermark(4, NOW + 12_000, NOW + WINDOW);
    assertThat(intake(NOWHERE, begun, 1, 12))
        .containsExactly(observations(1), new Watermark(0, NOW + 2 * WINDOW));
    assertThat(intake(SOMEWHERE, begun, 1, 12))
        .as("and with one")
        .containsExactly(observations(1), new Watermark(0, NOW + 2 * WINDOW));
  }

  @Test
  void aPartitionThatHasSeenNoTickIsToldWhereWindowsBegin() {
    PartitionWatermark untouched =
        new PartitionWatermark(4, PartitionWatermark.UNSET, PartitionWatermark.UNSET);
    assertThatThrownBy(() -> intake(NOWHERE, untouched, 12))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("window.begin is missing");
    assertThat(intake(SOMEWHERE, untouched, -1, 1, 12))
        .containsExactly(
            new Watermark(0, NOW), observations(0, 1), new Watermark(0, NOW + 2 * WINDOW));
  }

  private static KeeperRun begun(Plan plan, long boundary) {
    KeeperRun run = new KeeperRun();
    StagedWrites store = new StagedWrites(run.store(Names.META_STORE));
    MetaStore meta = new MetaStore(store);
    StateIdentity.Maker maker =
        StateIdentity.Maker.of(plan, Fixture.deployment(1, PipelineMeters.none()));
    meta.put(new StateIdentity(new StateEpoch(7, 7), Long.MIN_VALUE, maker, BudgetTerms.of(plan)));
    store.flush();
    run.run(
        plan,
        Fixture.deployment(1, PipelineMeters.none()),
        List.of(new Enrolment("ann", NOW), new Watermark(0, boundary)));
    return run;
  }

  @Test
  void whatWasTakenInOfWindowsBeforeTheBeginningBelongsToNone() {
    Plan nowhere = Fixture.plan(NOWHERE);
    Plan somewhere = Fixture.plan(SOMEWHERE);
    assertThat(somewhere.digestText())
        .as("a state goes on with a file that says where it began")
        .isEqualTo(nowhere.digestText());
    KeeperRun run = begun(nowhere, NOW);
    Deployment deployment = Fixture.deployment(1, PipelineMeters.none());
    List<JournalEntry> journal =
        List.of(observations(-3), observations(0), new Watermark(0, NOW + WINDOW));
    assertThatThrownBy(() -> run.run(nowhere, deployment, journal))
        .as("as it was: nothing is ever published again")
        .hasMessageContaining("a record of a window that is closed");
    run.seek(2);
    assertThat(run.run(somewhere, deployment, journal))
        .extracting(KeeperRun.Output::child)
        .containsExactly("mix");
  }

  @Test
  void aBeginningBehindWhatIsUndecidedIsRefusedWithTheOneToWrite() {
    KeeperRun run = begun(Fixture.plan(NOWHERE), NOW);
    Plan later = Fixture.plan(SOMEWHERE.replace("begin: 2026-06-01", "begin: 2026-06-02"));
    assertThatThrownBy(
            () -> run.run(later, Fixture.deployment(1, PipelineMeters.none()), List.of()))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("Write begin: 2026-06-01");
  }

  private static final String CROWD =
      """
      pipeline: test
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
      contributions: { per-window: 1 }
      subjects: [north]
      window: { size: 10s, clock: ticks, begin: 2026-06-01T00:00:20Z }
      budget: { name: test, unit: user, epsilon: 4, delta: 1e-6, period: lifetime }
      releases:
        - count: { name: n, share: { epsilon: 4, delta: 1e-6 }, windows: 4 }
      """;

  /** One partition had begun, the other had seen no tick: nothing before the file's beginning. */
  @Test
  void nobodyIsChargedForWhatLiesBeforeTheBeginning() {
    Plan plan = Fixture.plan(CROWD);
    Plan before = Fixture.plan(CROWD.replace(", begin: 2026-06-01T00:00:20Z", ""));
    Deployment deployment = Fixture.deployment(2, PipelineMeters.none());
    Map<String, KeyValueStore<Bytes, byte[]>> stores =
        MemoryStores.named(List.of(Names.META_STORE, Names.LEDGER_STORE, Names.CONTRIBUTION_STORE));
    StagedWrites staged = new StagedWrites(stores.get(Names.META_STORE));
    MetaStore meta = new MetaStore(staged);
    StateIdentity.Maker maker = StateIdentity.Maker.of(before, deployment);
    meta.put(
        new StateIdentity(new StateEpoch(7, 7), Long.MIN_VALUE, maker, BudgetTerms.of(before)));
    meta.putBoundary(0, NOW);
    meta.putClosingTime(NOW, NOW);
    staged.flush();
    StagedWrites contributions = new StagedWrites(stores.get(Names.CONTRIBUTION_STORE));
    new ContributionStore(contributions, plan.pipeline(), deployment.noiseKey())
        .add(List.of(new Contribution("ann", NOW, "north", 0, 1)));
    contributions.flush();
    ProcessorRun<byte[]> users = ProcessorRun.users(plan, deployment, stores.values());
    long offset = 0;
    for (JournalEntry entry :
        List.of(
            new Watermark(1, NOW + 2 * WINDOW),
            new Watermark(0, NOW + 3 * WINDOW),
            new Watermark(1, NOW + 3 * WINDOW))) {
      users.take(offset++, JournalCodec.encode(entry), NOW);
    }
    for (int turn = 0; turn < 10; turn++) {
      users.punctuate();
    }
    users.commit();
    assertThat(users.forwarded())
        .extracting(ProcessorRun.Forwarded::entry)
        .containsExactly(new Watermark(0, NOW + 2 * WINDOW), new Watermark(0, NOW + 3 * WINDOW));
    try (var charged = stores.get(Names.LEDGER_STORE).all()) {
      assertThat(charged).isExhausted();
    }
  }

  @Test
  void aStateSaysWhereItsWindowsBegin() {
    KeeperRun run = begun(Fixture.plan(NOWHERE), NOW);
    StateReader reader = new StateReader();
    assertThat(reader.undecidedFrom(1)).isEqualTo(OptionalLong.empty());
    try (var rows = run.store(Names.META_STORE).all()) {
      rows.forEachRemaining(row -> reader.meta(0, row.key.get(), row.value));
    }
    assertThat(reader.undecidedFrom(1)).hasValue(NOW);
    assertThat(reader.undecidedFrom(2)).as("the other partition has not begun").isEmpty();
  }
}
