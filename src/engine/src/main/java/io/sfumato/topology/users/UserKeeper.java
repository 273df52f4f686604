// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.users;

import io.sfumato.pipeline.WindowSpec;
import io.sfumato.release.Plan;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Activation;
import io.sfumato.serde.JournalEntry.Boundary;
import io.sfumato.serde.JournalEntry.Candidate;
import io.sfumato.serde.JournalEntry.Contribution;
import io.sfumato.serde.JournalEntry.Contributions;
import io.sfumato.serde.JournalEntry.Departure;
import io.sfumato.serde.JournalEntry.Drained;
import io.sfumato.serde.JournalEntry.Enrolment;
import io.sfumato.serde.JournalEntry.Forgetting;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Observations;
import io.sfumato.serde.JournalEntry.Seal;
import io.sfumato.serde.JournalEntry.Skip;
import io.sfumato.serde.JournalEntry.Skipped;
import io.sfumato.topology.charge.CountReport;
import io.sfumato.topology.charge.LedgerStore;
import io.sfumato.topology.charge.PastPeriods;
import io.sfumato.topology.journal.Boundaries;
import io.sfumato.topology.journal.EntryBuffer;
import io.sfumato.topology.journal.Journal;
import io.sfumato.topology.journal.JournalReader;
import io.sfumato.topology.lineage.Identity;
import io.sfumato.topology.lineage.Lineage;
import io.sfumato.topology.lineage.ProgressReport;
import io.sfumato.topology.lineage.SealState;
import io.sfumato.topology.setting.Deployment;
import io.sfumato.topology.setting.Names;
import io.sfumato.topology.store.BeforeCommit;
import io.sfumato.topology.store.StagedStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.streams.processor.api.ProcessorContext;

/**
 * What is kept of the users of one journal partition, and what each entry of the journal does to
 * it. Slices of closed windows are cut by {@link UserKeeperProcessor}.
 */
final class UserKeeper implements JournalEntry.Visitor {
  /** Rows that are deleted at once: a millisecond or two. */
  private static final int STEP_ROWS = 1_000;

  private final Deployment deployment;
  private final WindowSpec window;
  private final int partition;

  private final Journal subjects;
  private final ProgressReport progress;
  private final ContributionStore users;
  private final JournalReader journal;
  private final Boundaries boundaries;
  private final PastPeriods past;

  /** Of users whose records are bounded in a whole period. */
  private final Optional<PeriodRecords> periods;

  private final UserWindowCloser passedOn;
  private final CountReport count;

  UserKeeper(Plan plan, Deployment deployment, ProcessorContext<byte[], byte[]> context) {
    this.deployment = deployment;
    window = plan.pipeline().window();
    partition = context.taskId().partition();
    BeforeCommit commit = context.getStateStore(Names.USERS_COMMIT);
    subjects = new Journal(context, Names.COUNTED, Identity.Maker.of(plan, deployment).stamp());
    EntryBuffer<Observation> passing =
        new EntryBuffer<>(
            subjects,
            deployment.sourcePartitions(),
            Observation::subject,
            Observations::new,
            JournalCodec::bytesAtMost);
    commit.run(context, "counted", passing::flush);
    // Of windows the subjects' keepers tell.
    progress = new ProgressReport(deployment.meters(), partition, OptionalLong.empty());
    commit.run(context, "told", progress::commit);
    StagedStore meta = commit.staged(context, Names.META_STORE);
    users =
        new ContributionStore(
            commit.staged(context, Names.CONTRIBUTION_STORE),
            plan.pipeline(),
            deployment.noiseKey());
    journal = new JournalReader(plan, deployment, meta, context);
    boundaries = journal.boundaries();
    Lineage lineage = journal.lineage();
    CountReport.Ledgers counted =
        CountReport.Ledgers.of(commit.staged(context, Names.LEDGER_STORE), meta);
    LedgerStore store = counted.store();
    past =
        new PastPeriods(plan.pipeline().budget().period(), store, journal.meta(), lineage.floor());
    commit.run(context, "periods", past::commit);
    periods =
        plan.pipeline().boundsPeriods()
            ? Optional.of(
                new PeriodRecords(
                    commit.staged(context, Names.PERIOD_STORE),
                    plan.pipeline().population().orElseThrow().perName()))
            : Optional.empty();
    Decision decision =
        new Decision(
            plan.pipeline(),
            users,
            UserCharger.of(plan, lineage.terms(), store, past),
            periods,
            past);
    passedOn =
        new UserWindowCloser(
            window, boundaries, users, journal.meta(), decision::of, this::announce, passing);
    count =
        CountReport.begin(
            deployment.counts(),
            Names.META_STORE,
            journal.meta(),
            journal.lineage(),
            Optional.of(counted),
            context,
            commit);
  }

  CountReport count() {
    return count;
  }

  JournalReader journal() {
    return journal;
  }

  /** Every window that starts before a time is charged and passed on. */
  void over(long windowStart) {
    past.over(windowStart);
  }

  /** Deletes some of what is kept of periods that are over. */
  void slicePast() {
    past.slice(journal.seal());
    if (journal.seal() != SealState.DRAINED) {
      periods.ifPresent(kept -> kept.deleteBefore(past.committed(), STEP_ROWS));
    }
  }

  UserWindowCloser passedOn() {
    return passedOn;
  }

  ProgressReport progress() {
    return progress;
  }

  @Override
  public void visit(Genesis genesis) {
    if (journal.begins()) {
      subjects.broadcast(
          journal.timestamp(), new Genesis(partition, journal.lineage().incarnation()));
    }
    boundaries.requireNew(genesis.source());
  }

  @Override
  public void visit(Boundary boundary) {
    if (boundaries.pass(boundary.source(), boundary.end(), journal.timestamp())) {
      passedOn.wake();
    }
    deployment.meters().heldBackBy(partition, boundaries.slowest());
  }

  @Override
  public void visit(Contributions batch) {
    List<Contribution> records = new ArrayList<>();
    for (Contribution record : batch.records()) {
      if (window.isBeforeBegin(record.windowStart())) {
        // Taken in before the file said where windows begin.
        continue;
      }
      boundaries.refuseClosed(window.endOf(record.windowStart()));
      records.add(record);
    }
    users.add(records);
    deployment.meters().observed(records.size());
  }

  /**
   * Deletes a user's open data. What is closed is passed on, and then deleted, in its turn: as if
   * that had been before, since what is decided of it depends on nothing that comes later.
   */
  @Override
  public void visit(Forgetting forgetting) {
    progress.forgot();
    long from = boundaries.firstOpen(Long.MIN_VALUE);
    users.forget(forgetting.subject(), from);
    if (periods.isPresent()) {
      periods.get().forget(forgetting.subject(), from);
      passedOn.through().ifPresent(periods.get()::decided);
    }
  }

  @Override
  public void visit(Seal entry) {
    journal.put(SealState.SEALING);
    passedOn.wake();
  }

  // What concerns subjects is their keepers' affair.

  @Override
  public void visit(Enrolment enrolment) {
    subjects.append(
        journal.timestamp(),
        enrolment.subject(),
        new Enrolment(enrolment.subject(), firstOpen(enrolment.from())));
  }

  @Override
  public void visit(Departure departure) {
    subjects.append(
        journal.timestamp(),
        departure.subject(),
        new Departure(departure.subject(), firstOpen(departure.from())));
  }

  @Override
  public void visit(Skip entry) {
    if (partition == 0) {
      // Every partition has it: one of them is enough.
      subjects.broadcast(journal.timestamp(), entry);
    }
  }

  // What no user has: subjects' records, queries, versions, and users' keepers before these.

  @Override
  public void visit(Observation entry) {}

  @Override
  public void visit(Observations entry) {}

  @Override
  public void visit(Candidate entry) {}

  @Override
  public void visit(Activation entry) {}

  @Override
  public void visit(Drained entry) {}

  @Override
  public void visit(Skipped entry) {}

  /**
   * A change of the roster holds from the first window that is open by this log, however far the
   * slices are: no window that is closed here, and passed on soon, has another roster for it.
   */
  private long firstOpen(long from) {
    return boundaries.firstOpen(window.firstStartFrom(from));
  }

  private void announce(long end, long timestamp) {
    periods.ifPresent(kept -> kept.decided(end));
    subjects.broadcast(timestamp, new Boundary(partition, end));
  }

  /** Nothing follows: nothing is drawn with this entry, so that its timestamp may be anything. */
  void drain(long timestamp) {
    subjects.broadcast(timestamp, new Drained(partition));
    journal.put(SealState.DRAINED);
  }
}
