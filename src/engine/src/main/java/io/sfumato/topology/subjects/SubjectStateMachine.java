// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.subjects;

import io.sfumato.pipeline.Pipeline.Subjects;
import io.sfumato.release.Plan;
import io.sfumato.schema.RefusalCode;
import io.sfumato.serde.JournalEntry.Activation;
import io.sfumato.serde.JournalEntry.Candidate;
import io.sfumato.serde.JournalEntry.Departure;
import io.sfumato.serde.JournalEntry.Drained;
import io.sfumato.serde.JournalEntry.Enrolment;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Observations;
import io.sfumato.serde.JournalEntry.Seal;
import io.sfumato.serde.JournalEntry.Skip;
import io.sfumato.serde.JournalEntry.VersionEnd;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.topology.budget.PartitionLedgers;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.OpenMemory;
import io.sfumato.topology.context.PipelineStopException;
import io.sfumato.topology.dataset.DatasetStore;
import io.sfumato.topology.dataset.ForgottenSubjects;
import io.sfumato.topology.query.Queries;
import io.sfumato.topology.query.QueryStores;
import io.sfumato.topology.release.DrawMemories;
import io.sfumato.topology.release.DroppedMemories;
import io.sfumato.topology.release.ForgottenMemories;
import io.sfumato.topology.release.PartialRelease;
import io.sfumato.topology.release.PartitionContext;
import io.sfumato.topology.release.PartitionState;
import io.sfumato.topology.release.Publisher;
import io.sfumato.topology.release.Refusals;
import io.sfumato.topology.release.ReleaseMarker;
import io.sfumato.topology.release.SkippedReleases;
import io.sfumato.topology.release.WindowOutputs;
import io.sfumato.topology.roster.Roster;
import io.sfumato.topology.roster.SubjectStore;
import io.sfumato.topology.selection.PartitionSelection;
import io.sfumato.topology.window.JournalPartition;
import io.sfumato.topology.window.WindowCloser;
import io.sfumato.topology.window.WindowProcessor;
import io.sfumato.topology.window.WindowStateMachine;
import java.util.Optional;

/**
 * Windows of subjects: entries of the journal fill their datasets, and outputs of these are
 * released when windows close. Queries are answered beside that.
 */
public final class SubjectStateMachine extends WindowStateMachine {
  /** Ledgers of an earlier run that are counted at once: a millisecond or two. */
  private static final int USAGE_LEDGERS = 1_000;

  private final Deployment deployment;
  private final boolean population;
  private final DatasetStore datasets;
  private final Optional<PartitionSelection> names;
  private final Optional<SubjectStore> changeable; // by commands: not where outputs find subjects
  private final ForgottenSubjects forgotten;
  private final ForgottenMemories forgottenMemories;
  private final SubjectLedgers ledgers;
  private final SkippedReleases skips;
  private final Refusals refusals;
  private final ReleaseMarker marker;
  private final Optional<Queries> queries;
  private final ClosedDatasets windows;
  private final WindowCloser closer;

  private SubjectStateMachine(JournalPartition<String> task, OpenMemory.Share memory) {
    super(task);
    Plan plan = task.plan();
    deployment = task.deployment();
    population = plan.pipeline().population().isPresent();
    SubjectStores stores = new SubjectStores(task, memory);
    datasets = stores.datasets();
    forgotten = new ForgottenSubjects(task.meta());
    Optional<SubjectStore> enrolled = stores.enrolled();
    changeable = enrolled.filter(members -> plan.pipeline().subjects() != Subjects.DISCOVERED);
    Roster roster = enrolled.<Roster>map(members -> members).orElseGet(stores::listed);
    ledgers = SubjectLedgers.of(task);
    skips = new SkippedReleases(deployment, journal.meta(), partition);
    refusals = new Refusals(plan.pipeline(), deployment, task.context());
    marker =
        new ReleaseMarker(plan.pipeline(), deployment, partition, journal.meta(), task.context());
    Publisher publisher =
        new Publisher(plan.pipeline(), deployment, journal.lineage()::epoch, task.context());
    PartitionContext context = new PartitionContext(plan, deployment, publisher, refusals, skips);
    PartitionState state = new PartitionState(watermarks, datasets, roster, forgotten);
    DrawMemories memories = new DrawMemories(plan, task::staged);
    forgottenMemories = new ForgottenMemories(task.meta(), memories);
    queries = queries(context, state, task);
    names = PartitionSelection.of(context, stores::names);
    WindowReleases releases =
        new WindowReleases(
            window,
            state,
            outputs(new WindowOutputs(context), memories),
            queries,
            forgottenMemories,
            new PartialRelease(task.meta()));
    windows =
        new ClosedDatasets(
            context,
            journal,
            state,
            releases,
            queries,
            forgottenMemories,
            DroppedMemories.of(plan, memories, roster));
    closer = new WindowCloser(watermarks, windows);
    journal.lineage().end().ifPresent(this::leaveFrom);
  }

  /** Runs on each partition of the subjects' journal. */
  public static WindowProcessor<String> processor(Plan plan, Deployment deployment) {
    OpenMemory.Share memory = deployment.memory().share();
    return new WindowProcessor<>(
        plan,
        deployment,
        new WindowProcessor.Stage<>(
            Names.KEEPER_COMMIT,
            Names.keeperMeta(plan.pipeline()),
            Optional.of(memory),
            task -> new SubjectStateMachine(task, memory)));
  }

  private WindowReleases.Outputs outputs(WindowOutputs outputs, DrawMemories memories) {
    return new WindowReleases.Outputs(
        outputs.of(ledgers.charging(), memories),
        outputs.discovery(ledgers.charging(), memories),
        names);
  }

  private Optional<Queries> queries(
      PartitionContext context, PartitionState state, JournalPartition<String> task) {
    if (context.plan().pipeline().queries().isEmpty()) {
      return Optional.empty();
    }
    QueryStores asked =
        QueryStores.of(task.staged(Names.QUERY_STORE), window, journal, task.meta());
    return Optional.of(
        new Queries(context, journal.lineage().since(), state, ledgers.charging(), asked));
  }

  @Override
  protected WindowCloser closer() {
    return closer;
  }

  @Override
  protected Optional<PartitionLedgers> ledgers() {
    return ledgers.kept();
  }

  @Override
  protected void committed() {
    ledgers.usage().ifPresent(counts -> counts.report(partition, meters));
    watermarks
        .foremost()
        .ifPresent(end -> meters.passed(partition, end, watermarks.closedThrough()));
  }

  @Override
  protected void punctuated() {
    ledgers.usage().ifPresent(counts -> counts.step(USAGE_LEDGERS));
  }

  @Override
  protected void settled() {
    closedThrough().ifPresent(progress::released);
    closer.done().forEach(marker::releasedThrough);
    handOver().ifPresent(progress::handedOver);
  }

  @Override
  public void visit(Observations batch) {
    batch.records().forEach(this::visit);
  }

  /** Whether its subject is enrolled is asked when the window closes: its roster is then fixed. */
  @Override
  public void visit(Observation observation) {
    requireVersionOf(observation.windowStart());
    if (counts(observation.windowStart())) {
      datasets.add(observation);
      names.ifPresent(lists -> lists.add(observation));
      meters.observed(1);
    }
  }

  @Override
  public void visit(Watermark boundary) {
    super.visit(boundary);
    if (queries.isPresent()) {
      queries.get().pass(journal.timestamp());
      closer.wake();
    }
    if (!population) {
      // There the sources are the users' partitions, which know which source is behind.
      reportSlowest();
    }
  }

  /** A candidate that an earlier version did not answer was meant for that version's outputs. */
  @Override
  public void visit(Candidate candidate) {
    if (!journal.isEarlier() && queries.isPresent() && queries.get().answers(candidate.output())) {
      queries.get().ask(candidate, journal.timestamp());
    } else {
      refusals.refuse(candidate, RefusalCode.VERSION_CHANGED, journal.timestamp());
    }
  }

  /**
   * A change of the roster holds from the first window that is still open on some source; where
   * users are protected, their state machines have said already from when.
   */
  @Override
  public void visit(Enrolment enrolment) {
    changeable.ifPresent(r -> r.enrol(enrolment.subject(), firstOpen(enrolment.from())));
  }

  @Override
  public void visit(Departure departure) {
    changeable.ifPresent(r -> r.leave(departure.subject(), firstOpen(departure.from())));
  }

  /**
   * Deletes a subject's data: at once what is open and what is decided, and what is still to be
   * released when that is done; likewise what draws keep of earlier windows. From now on no query
   * is answered by any of it, however far the slices are.
   */
  @Override
  protected void forget(String subject, long open) {
    queries.ifPresent(q -> q.settle(subject));
    datasets
        .forget(subject, key -> key.windowStart() >= open || windows.isDecided(key))
        .ifPresent(start -> forgotten.add(subject, window.endOf(start)));
    forgottenMemories.forget(subject, open, closer.doneBefore());
  }

  @Override
  public void visit(Skip skip) {
    skips.skip(skip.release());
    closer.wake();
  }

  /**
   * What counts of a user is decided by the version of the window. An earlier one passes on none of
   * this version's windows; whoever did has bounded and charged them otherwise.
   */
  private void requireVersionOf(long windowStart) {
    if (population && journal.isEarlier() && windowStart >= journal.lineage().since()) {
      throw PipelineStopException.otherVersionsWindow(window.timeText(windowStart));
    }
  }

  @Override
  public void visit(Activation activation) {
    announce(activation, firstOpen(activation.from()));
  }

  private void announce(Activation activation, long from) {
    if (journal.lineage().announce(activation, from)) {
      meters.announced(partition);
      leaveFrom(from);
      queries.ifPresent(q -> q.endAt(from, journal.timestamp()));
    }
  }

  /**
   * Behind users the version changes at one window for all: once every partition of their journal
   * leaves the same windows to the same file, this one does. Until then, and if one of them takes
   * that back, windows are this version's.
   */
  @Override
  public void visit(VersionEnd end) {
    journal.meta().put(end);
    Optional<Activation> agreed = journal.meta().agreedOn(deployment.journalPartitions());
    if (agreed.isPresent()) {
      announce(agreed.get(), agreed.get().from());
    } else if (journal.lineage().withdraw()) {
      leaveFrom(Long.MAX_VALUE);
    }
  }

  /** No open window will close here: what waits for one is refused, and paid for by nobody. */
  @Override
  public void visit(Seal entry) {
    super.visit(entry);
    queries.ifPresent(q -> q.endAt(watermarks.firstOpen(Long.MIN_VALUE), journal.timestamp()));
  }

  @Override
  public void visit(Drained drained) {
    journal.meta().putDrained(drained.source());
    if (journal.meta().areDrained(deployment.journalPartitions())) {
      visit(new Seal());
    }
  }

  private void leaveFrom(long from) {
    closer.endAt(from);
    queries.ifPresent(q -> q.leaveFrom(from));
  }
}
