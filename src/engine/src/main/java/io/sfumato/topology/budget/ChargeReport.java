// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.budget;

import io.sfumato.bytes.ByteReader;
import io.sfumato.gate.StateEpoch;
import io.sfumato.topology.context.ChargeCounts;
import io.sfumato.topology.context.PartitionCount;
import io.sfumato.topology.dataset.DatasetStore;
import io.sfumato.topology.store.PreCommitHooks;
import io.sfumato.topology.version.Lineage;
import io.sfumato.topology.version.MetaStore;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ProcessorContext;

/**
 * Says of one keeper partition how far its committed state is. What it says may be older than the
 * state, and is never ahead of it.
 */
public final class ChargeReport {
  /** Imported ledgers that are counted at once: a millisecond or two. */
  private static final int STEP_LEDGERS = 1_000;

  private final ChargeCounts counts;
  private final PartitionCount.Place place;
  private final MetaStore meta;
  private final Lineage lineage;
  private final Optional<PartitionLedgers> ledgers;
  private final ProcessorContext<?, ?> context;

  /** What the transaction holds that is about to be committed, or was. */
  private Optional<PartitionCount> prepared = Optional.empty();

  private ChargeReport(
      ChargeCounts counts,
      PartitionCount.Place place,
      MetaStore meta,
      Lineage lineage,
      Optional<PartitionLedgers> ledgers,
      ProcessorContext<?, ?> context) {
    this.counts = counts;
    this.place = place;
    this.meta = meta;
    this.lineage = lineage;
    this.ledgers = ledgers;
    this.context = context;
  }

  /**
   * Begins with the state as it was committed by whoever worked on it last.
   *
   * @param keeper name of the store of the keeper's facts
   * @param ledgers that the keeper charges; nothing if it has none
   */
  public static ChargeReport begin(
      ChargeCounts counts,
      String keeper,
      MetaStore meta,
      Lineage lineage,
      Optional<PartitionLedgers> ledgers,
      ProcessorContext<?, ?> context,
      PreCommitHooks commit) {
    PartitionCount.Place place = new PartitionCount.Place(keeper, context.taskId().partition());
    ChargeReport report = new ChargeReport(counts, place, meta, lineage, ledgers, context);
    commit.run(context, "count", report::prepare);
    commit.runAfterLast(keeper, report::committed);
    report.step();
    report.prepare();
    report.committed();
    return report;
  }

  /** Counts some more imported ledgers. */
  public void step() {
    ledgers.ifPresent(counted -> counted.totals().step(counted.store(), STEP_LEDGERS));
  }

  private void prepare() {
    Optional<Long> made =
        ledgers.isEmpty()
            ? Optional.of(0L)
            : ledgers.get().totals().totals().map(LedgerTotals.Totals::made);
    Optional<StateEpoch> epoch = lineage.begun() ? Optional.of(lineage.epoch()) : Optional.empty();
    prepared =
        made.map(
            charges -> new PartitionCount(place, epoch, meta.position(), charges, decided(meta)));
  }

  /** The last transaction was committed: nothing has changed since. */
  public void committed() {
    prepared.ifPresent(count -> counts.committed(count, context.currentSystemTimeMs()));
  }

  private static long decided(MetaStore meta) {
    return meta.cursor()
        .map(DatasetStore.Key::windowStart)
        .orElseGet(() -> meta.passedOn().orElse(Long.MIN_VALUE));
  }

  /**
   * The same number, read off a changelog.
   *
   * @return nothing if the row does not say it
   */
  public static Optional<Long> decided(Bytes key, byte[] value) {
    if (key.equals(MetaStore.CURSOR)) {
      return Optional.of(MetaStore.cursorOf(value).windowStart());
    }
    return key.equals(MetaStore.PASSED_ON)
        ? Optional.of(new ByteReader(value).format(MetaStore.FORMAT, "a window end").signed())
        : Optional.empty();
  }
}
