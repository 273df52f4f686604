// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.contributions;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Selections;
import io.sfumato.release.Plan;
import io.sfumato.serde.JournalEntry.Activation;
import io.sfumato.serde.JournalEntry.Contribution;
import io.sfumato.serde.JournalEntry.Contributions;
import io.sfumato.serde.JournalEntry.Departure;
import io.sfumato.serde.JournalEntry.Drained;
import io.sfumato.serde.JournalEntry.Enrolment;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Skip;
import io.sfumato.serde.JournalEntry.VersionEnd;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.topology.budget.PartitionLedgers;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.journal.EntryBuffer;
import io.sfumato.topology.journal.Journal;
import io.sfumato.topology.store.StagedWrites;
import io.sfumato.topology.version.SealState;
import io.sfumato.topology.version.StateIdentity;
import io.sfumato.topology.window.JournalPartition;
import io.sfumato.topology.window.WindowCloser;
import io.sfumato.topology.window.WindowProcessor;
import io.sfumato.topology.window.WindowStateMachine;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Windows of the users of a population pipeline, before their records reach any subject. When a
 * window closes it decides which of a user's records count, charges the user's ledger once for all
 * outputs, and passes what counts on to the subjects' journal, all in one transaction. What it
 * decides of a user depends on this user's own records and ledger alone, so that one user more or
 * less changes nothing of any other's.
 *
 * <p>To the subjects' state machines each of its partitions is what a source partition is to it: a
 * genesis, records, and boundaries after which nothing follows.
 */
public final class ContributionStateMachine extends WindowStateMachine {
  /** Rows that are deleted at once: a millisecond or two. */
  private static final int STEP_ROWS = 1_000;

  /** The journal of subjects. */
  private final Journal subjects;

  private final ContributionStore users;
  private final PartitionLedgers ledgers;

  /** Of users whose records are bounded in a whole period. */
  private final Optional<PeriodRecords> periods;

  /** Of distinct users, for each question that counts them over several windows. */
  private final List<CellStore> visits = new ArrayList<>();

  private Optional<DroppedCells> dropped = Optional.empty();

  private final ClosedContributions windows;
  private final WindowCloser closer;

  private ContributionStateMachine(JournalPartition<byte[]> task) {
    super(task);
    Plan plan = task.plan();
    Deployment deployment = task.deployment();
    subjects =
        new Journal(
            task.context(), Names.COUNTED, StateIdentity.Maker.of(plan, deployment).stamp());
    EntryBuffer<Observation> counted =
        EntryBuffer.ofObservations(subjects, deployment.journalPartitions());
    task.beforeCommit("counted", counted::flush);
    users =
        new ContributionStore(
            task.staged(Names.CONTRIBUTION_STORE), plan.pipeline(), deployment.noiseKey());
    ledgers = task.ledgers();
    periods =
        plan.pipeline().boundsNamesOfPeriods()
            ? Optional.of(
                new PeriodRecords(
                    task.staged(Names.PERIOD_STORE),
                    plan.pipeline().population().orElseThrow().perName()))
            : Optional.empty();
    List<ContributionBounding> questions = questions(task);
    windows =
        new ClosedContributions(
            window,
            watermarks,
            users,
            journal.meta(),
            closed -> questions.stream().flatMap(one -> one.of(closed).stream()).toList(),
            this::announce,
            counted);
    closer = new WindowCloser(watermarks, windows);
    journal.lineage().end().ifPresent(closer::endAt);
  }

  /** What counts in each question of the file: decided and charged by itself. */
  private List<ContributionBounding> questions(JournalPartition<byte[]> task) {
    Plan plan = task.plan();
    Optional<StagedWrites> cells =
        plan.pipeline().lastOfUsers() > 1
            ? Optional.of(task.staged(Names.CELL_STORE))
            : Optional.empty();
    List<ContributionBounding> questions = new ArrayList<>();
    Set<Integer> counted = new HashSet<>();
    List<Pipeline> parts = plan.pipeline().parts();
    for (int number = 0; number < parts.size(); number++) {
      Pipeline part = parts.get(number);
      if (part.releases().isEmpty()) {
        continue;
      }
      Optional<CellStore> visited = Optional.empty();
      if (part.lastOfUsers() > 1) {
        int id = Selections.of(plan.pipeline()).cellsId(number);
        counted.add(id);
        visited =
            Optional.of(
                new CellStore(
                    cells.orElseThrow(),
                    part.lastOfUsers(),
                    part.window().grid(),
                    id,
                    journal.lineage().since()));
        visits.add(visited.get());
      }
      questions.add(
          new ContributionBounding(
              plan.pipeline(),
              number,
              users,
              UserCharger.of(
                  plan, number, journal.lineage().terms(), ledgers.store(), ledgers.past()),
              number == 0 ? periods : Optional.empty(),
              ledgers.past(),
              UserArrivals.of(part, number, visited)));
    }
    dropped = cells.map(store -> new DroppedCells(store, counted, journal.lineage().since()));
    return questions;
  }

  /** Runs on each partition of the users' journal. */
  public static WindowProcessor<byte[]> processor(Plan plan, Deployment deployment) {
    return new WindowProcessor<>(
        plan,
        deployment,
        new WindowProcessor.Stage<>(
            Names.USERS_COMMIT, Names.META_STORE, Optional.empty(), ContributionStateMachine::new));
  }

  @Override
  protected WindowCloser closer() {
    return closer;
  }

  @Override
  protected Optional<PartitionLedgers> ledgers() {
    return Optional.of(ledgers);
  }

  /** Deletes some of what is kept of periods that are over. */
  @Override
  protected void punctuated() {
    if (journal.seal() != SealState.DRAINED) {
      periods.ifPresent(kept -> kept.deleteBefore(ledgers.past().committed(), STEP_ROWS));
      windows.through().ifPresent(this::deleteCellsBefore);
    }
  }

  private void deleteCellsBefore(long next) {
    visits.forEach(kept -> kept.deleteBefore(next, STEP_ROWS));
    dropped.ifPresent(cells -> cells.delete(next, STEP_ROWS));
  }

  @Override
  protected void settled() {
    handOver();
  }

  /** Nothing follows: nothing is drawn with this entry, so that its timestamp may be anything. */
  @Override
  protected void drained(long now) {
    subjects.broadcast(now, new Drained(partition));
  }

  private void announce(long end, long timestamp) {
    periods.ifPresent(kept -> kept.decided(end));
    visits.forEach(CellStore::decided);
    subjects.broadcast(timestamp, new Watermark(partition, end));
  }

  @Override
  public void visit(Genesis genesis) {
    if (journal.begins()) {
      subjects.broadcast(journal.timestamp(), new Genesis(partition, journal.lineage().epoch()));
    }
    super.visit(genesis);
  }

  @Override
  public void visit(Watermark boundary) {
    super.visit(boundary);
    reportSlowest();
  }

  /**
   * The version changes at one window for all users. So a partition that has closed this window
   * goes on as it is: another announcement, of a later window, finds all of them.
   */
  @Override
  public void visit(Activation activation) {
    long from = window.firstStartFrom(activation.from());
    OptionalLong closed = closedThrough();
    if (closed.isPresent() && closed.getAsLong() > from) {
      meters.announcedTooLate(partition, activation.version(), from);
      return;
    }
    if (journal.lineage().announce(activation, from)) {
      closer.endAt(from);
      subjects.broadcast(
          journal.timestamp(),
          new VersionEnd(
              partition, activation.version(), from, activation.digest(), activation.noiseKey()));
    }
  }

  @Override
  public void visit(Contributions batch) {
    List<Contribution> records =
        batch.records().stream().filter(record -> counts(record.windowStart())).toList();
    users.add(records);
    meters.observed(records.size());
  }

  /**
   * Deletes a user's open data. What is closed is passed on, and then deleted, in its turn: as if
   * that had been before, since what is decided of it depends on nothing that comes later.
   */
  @Override
  protected void forget(String user, long open) {
    users.forget(user, open);
    if (periods.isPresent()) {
      periods.get().forget(user, open);
      windows.through().ifPresent(periods.get()::decided);
    }
  }

  // What concerns subjects is their state machines' affair.

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
}
