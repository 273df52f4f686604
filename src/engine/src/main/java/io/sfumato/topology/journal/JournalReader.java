// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.journal;

import io.sfumato.release.Plan;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Seal;
import io.sfumato.serde.JournalEntry.Skip;
import io.sfumato.serde.Stamp;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.PipelineStopException;
import io.sfumato.topology.context.SourceTopics;
import io.sfumato.topology.store.StagedWrites;
import io.sfumato.topology.version.EntryVersionFilter;
import io.sfumato.topology.version.Lineage;
import io.sfumato.topology.version.MetaStore;
import io.sfumato.topology.version.SealState;
import io.sfumato.topology.version.StateIdentity;
import java.util.Optional;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Reads one journal partition for its keeper: each entry once, those of this file and of the
 * versions before it alone, and after a seal only what still has to be done.
 */
public final class JournalReader {
  private final Plan plan;
  private final MetaStore meta;
  private final Lineage lineage;
  private final EntryVersionFilter entryFilter;
  private final JournalPosition position;
  private final Watermarks watermarks;
  private SealState seal;

  /** Whether the entry that is being read gave the state its epoch. */
  private boolean begins;

  /** Whether the entry that is being read is an earlier version's. */
  private boolean earlier;

  private long timestamp;

  /**
   * @param sources that write to the journal
   * @param store of what is kept of the journal
   * @throws PipelineStopException if the state there is not this program's to go on with
   */
  public JournalReader(
      Plan plan,
      Deployment deployment,
      SourceTopics sources,
      StagedWrites store,
      ProcessorContext<?, ?> context) {
    this.plan = plan;
    meta = new MetaStore(store);
    lineage = new Lineage(plan, deployment, meta);
    entryFilter = new EntryVersionFilter(StateIdentity.Maker.of(plan, deployment), meta);
    position = new JournalPosition(meta, context);
    seal = meta.seal();
    watermarks = new Watermarks(sources, meta);
  }

  /**
   * Takes in the next entry.
   *
   * @param keeper is handed the entry, unless the ledger is sealed and it is none that is still
   *     heard then
   */
  public void read(Record<byte[], byte[]> record, JournalEntry.Visitor keeper) {
    position.advance();
    lineage.persist();
    Optional<Stamp> author = JournalCodec.stamp(record.value());
    entryFilter.require(author);
    JournalEntry entry = JournalCodec.decode(record.value());
    timestamp = record.timestamp();
    earlier = entryFilter.isEarlier(author);
    begins = false;
    if (seal == SealState.OPEN) {
      if (!lineage.begun()) {
        lineage.beginWith(entry, timestamp);
        begins = lineage.begun();
      }
      entry.accept(keeper);
    } else if (entry instanceof Skip) {
      entry.accept(keeper);
    } else if (entry instanceof Seal) {
      // Whoever exports says it twice, the second time after having seen the drained state.
      requireNotDrained();
    }
  }

  /**
   * Stops where all that was closed is released, and nothing ever will be again. Only when it is
   * told so a second time: until then other partitions may have releases left, and a drained one
   * that stopped its instance whenever it was opened would take their tasks with it.
   */
  private void requireNotDrained() {
    if (seal == SealState.DRAINED) {
      throw PipelineStopException.sealed(plan.pipeline());
    }
  }

  /** How far the sealing of the ledger is. */
  public SealState seal() {
    return seal;
  }

  /** Goes on with the sealing. */
  public void put(SealState next) {
    seal = next;
    meta.put(next);
  }

  /** Whether the entry that is being read gave the state its epoch. */
  public boolean begins() {
    return begins;
  }

  /** Whether the entry that is being read is an earlier version's. */
  public boolean isEarlier() {
    return earlier;
  }

  /** Of the entry that is being read. */
  public long timestamp() {
    return timestamp;
  }

  /** What is kept of the journal. */
  public MetaStore meta() {
    return meta;
  }

  /** Which programs the state goes through. */
  public Lineage lineage() {
    return lineage;
  }

  /** Which windows are closed. */
  public Watermarks watermarks() {
    return watermarks;
  }
}
