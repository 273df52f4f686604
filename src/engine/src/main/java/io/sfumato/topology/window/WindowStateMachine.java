// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.window;

import io.sfumato.pipeline.WindowSpec;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Activation;
import io.sfumato.serde.JournalEntry.Candidate;
import io.sfumato.serde.JournalEntry.Contributions;
import io.sfumato.serde.JournalEntry.Drained;
import io.sfumato.serde.JournalEntry.Forgetting;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Observations;
import io.sfumato.serde.JournalEntry.Seal;
import io.sfumato.serde.JournalEntry.Skipped;
import io.sfumato.serde.JournalEntry.VersionEnd;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.topology.budget.PartitionLedgers;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.PipelineStopException;
import io.sfumato.topology.journal.JournalReader;
import io.sfumato.topology.journal.Watermarks;
import io.sfumato.topology.version.ProgressReport;
import io.sfumato.topology.version.SealState;
import io.sfumato.topology.version.VersionHandover;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The state machine of one journal partition: what each entry does to the partition's windows.
 * Subclasses define what a window holds and what closing it means. {@link WindowProcessor} runs it.
 */
public abstract class WindowStateMachine implements JournalEntry.Visitor {
  protected final PipelineMeters meters;
  protected final WindowSpec window;

  /** Number of the journal partition, from 0. */
  protected final int partition;

  protected final JournalReader journal;
  protected final Watermarks watermarks;
  protected final ProgressReport progress;

  protected WindowStateMachine(JournalPartition<?> task) {
    meters = task.deployment().meters();
    window = task.plan().pipeline().window();
    partition = task.number();
    journal = task.journal();
    watermarks = journal.watermarks();
    progress = new ProgressReport(meters, partition, closedThrough());
    task.beforeCommit("told", progress::commit);
  }

  /** Processes closed windows. */
  protected abstract WindowCloser closer();

  /** Ledgers that are charged here; none where the charge was made earlier. */
  protected abstract Optional<PartitionLedgers> ledgers();

  /** Reports aggregates; called after a commit. */
  protected void committed() {}

  /** Does background work; called every few milliseconds. */
  protected void punctuated() {}

  /** Called when closed windows are processed, or when what is left waits for an operator. */
  protected void settled() {}

  /**
   * Remembers that this version has nothing left, once it has decided every window before the first
   * one of the version that takes over.
   *
   * @return that version, if nothing is left
   */
  protected final Optional<VersionHandover> handOver() {
    Optional<VersionHandover> next =
        journal.lineage().next().filter(found -> found.from() <= closer().doneBefore());
    next.ifPresent(found -> journal.lineage().handOver());
    return next;
  }

  /**
   * Called once when the ledger is sealed and all closed windows are processed.
   *
   * @param now wall clock, milliseconds since 1970
   */
  protected void drained(long now) {}

  /**
   * Deletes the data of a subject, or of a user.
   *
   * @param open start of the first open window
   */
  protected abstract void forget(String name, long open);

  /** Window end up to which windows are closed and belong to this version of the file. */
  protected final OptionalLong closedThrough() {
    OptionalLong closed = watermarks.closedThrough();
    Optional<Long> end = journal.lineage().end();
    return end.isEmpty() || closed.isEmpty()
        ? closed
        : OptionalLong.of(Math.min(closed.getAsLong(), end.get()));
  }

  /**
   * Start of the first window from a time on that is open by the journal. It does not depend on how
   * far the slices are, so no closed window gets another roster.
   */
  protected final long firstOpen(long from) {
    return watermarks.firstOpen(window.firstStartFrom(from));
  }

  /**
   * Whether a record counts. Records that were taken in before the file said where windows begin do
   * not.
   *
   * @throws PipelineStopException if the window is closed, or starts at another time here
   */
  protected final boolean counts(long windowStart) {
    if (window.isBeforeBegin(windowStart)) {
      return false;
    }
    requireStart(windowStart);
    watermarks.refuseClosed(window.endOf(windowStart));
    return true;
  }

  /** Intake of another instance wrote it, whose zone data may differ. */
  private void requireStart(long windowStart) {
    if (window.calendar().isPresent()
        && windowStart >= journal.lineage().since()
        && window.startOf(windowStart) != windowStart) {
      throw PipelineStopException.otherZoneData(window.timeText(windowStart));
    }
  }

  /** Reports which source partition holds windows back. */
  protected final void reportSlowest() {
    meters.heldBackBy(partition, watermarks.slowest());
  }

  /** Only the first one names the state epoch; each source has one, before all else. */
  @Override
  public void visit(Genesis genesis) {
    watermarks.requireNew(genesis.source());
  }

  @Override
  public void visit(Watermark boundary) {
    requireStart(boundary.end());
    if (watermarks.pass(boundary.source(), boundary.end(), journal.timestamp())) {
      closer().wake();
    }
  }

  @Override
  public void visit(Forgetting forgetting) {
    progress.forgot();
    forget(forgetting.subject(), watermarks.firstOpen(Long.MIN_VALUE));
  }

  /** No more records are taken in; closed windows are still processed. */
  @Override
  public void visit(Seal entry) {
    journal.put(SealState.SEALING);
    closer().wake();
  }

  // Entries that only one of the journals has.

  @Override
  public void visit(Observation entry) {}

  @Override
  public void visit(Observations entry) {}

  @Override
  public void visit(Contributions entry) {}

  @Override
  public void visit(Candidate entry) {}

  @Override
  public void visit(Activation entry) {}

  @Override
  public void visit(VersionEnd entry) {}

  @Override
  public void visit(Drained entry) {}

  /** Nothing of it went anywhere. */
  @Override
  public void visit(Skipped entry) {}
}
