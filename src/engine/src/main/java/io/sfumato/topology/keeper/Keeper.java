// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.keeper;

import io.sfumato.pipeline.Pipeline.Subjects;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.release.Plan;
import io.sfumato.schema.RefusalCode;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Activation;
import io.sfumato.serde.JournalEntry.Boundary;
import io.sfumato.serde.JournalEntry.Candidate;
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
import io.sfumato.topology.dataset.DatasetStore;
import io.sfumato.topology.dataset.ForgottenSubjects;
import io.sfumato.topology.journal.Boundaries;
import io.sfumato.topology.journal.JournalReader;
import io.sfumato.topology.lineage.ProgressReport;
import io.sfumato.topology.lineage.SealState;
import io.sfumato.topology.names.NameLists;
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
import io.sfumato.topology.release.SkippedReleases;
import io.sfumato.topology.release.WindowOutputs;
import io.sfumato.topology.roster.Roster;
import io.sfumato.topology.roster.SubjectStore;
import io.sfumato.topology.setting.Deployment;
import io.sfumato.topology.setting.Names;
import io.sfumato.topology.store.StagedStore;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.streams.processor.api.ProcessorContext;

/**
 * Everything private of one journal partition, and what each entry of the journal does to it. Its
 * parts are put together here; slices of closed windows are cut by {@link KeeperProcessor}.
 */
final class Keeper implements JournalEntry.Visitor {
  private final Deployment deployment;
  private final WindowSpec window;
  private final boolean population;
  private final int partition;
  private final JournalReader journal;
  private final Boundaries boundaries;
  private final DatasetStore datasets;
  private final Optional<NameLists> names;
  private final Optional<SubjectStore> changeable; // by commands: not where outputs find subjects
  private final ForgottenSubjects forgotten;
  private final ForgottenMemories forgottenMemories;
  private final SubjectLedgers ledgers;
  private final SkippedReleases skips;
  private final Refusals refusals;
  private final Optional<Queries> queries;
  private final WindowCloser closing;
  private final ProgressReport progress;

  Keeper(Plan plan, KeeperStores stores, ProcessorContext<String, byte[]> context) {
    deployment = stores.deployment();
    window = plan.pipeline().window();
    population = plan.pipeline().population().isPresent();
    partition = context.taskId().partition();
    datasets = stores.datasets();
    StagedStore metaStore = stores.staged(Names.keeperMeta(plan.pipeline()));
    journal = new JournalReader(plan, deployment, metaStore, context);
    boundaries = journal.boundaries();
    forgotten = new ForgottenSubjects(metaStore);
    Optional<SubjectStore> enrolled = stores.enrolled();
    changeable = enrolled.filter(members -> plan.pipeline().subjects() != Subjects.DISCOVERED);
    Roster roster = enrolled.<Roster>map(members -> members).orElseGet(stores::listed);
    ledgers = SubjectLedgers.of(plan, deployment, journal, stores, metaStore);
    skips = new SkippedReleases(deployment, journal.meta(), partition);
    refusals = new Refusals(plan.pipeline(), deployment, context);
    Publisher publisher =
        new Publisher(plan.pipeline(), deployment, journal.lineage()::incarnation, context);
    PartitionContext shared = new PartitionContext(plan, deployment, publisher, refusals, skips);
    PartitionState state = new PartitionState(boundaries, datasets, roster, forgotten);
    DrawMemories memories = new DrawMemories(plan, stores::staged);
    forgottenMemories = new ForgottenMemories(metaStore, memories);
    queries = queries(shared, state, stores, metaStore);
    names = NameLists.of(shared, stores::names);
    Decisions decisions =
        new Decisions(
            window,
            state,
            outputs(new WindowOutputs(shared), memories),
            queries,
            forgottenMemories,
            new PartialRelease(metaStore));
    closing =
        new WindowCloser(
            shared,
            journal,
            state,
            decisions,
            queries,
            forgottenMemories,
            DroppedMemories.of(plan, memories, roster));
    journal.lineage().end().ifPresent(this::leaveFrom);
    progress = new ProgressReport(deployment.meters(), partition, closedThrough());
    stores.commit().run(context, "told", progress::commit);
  }

  private Decisions.Outputs outputs(WindowOutputs outputs, DrawMemories memories) {
    return new Decisions.Outputs(
        outputs.of(ledgers.charging(), memories),
        outputs.discovery(ledgers.charging(), memories),
        names);
  }

  private Optional<Queries> queries(
      PartitionContext context, PartitionState state, KeeperStores stores, StagedStore meta) {
    if (context.plan().pipeline().queries().isEmpty()) {
      return Optional.empty();
    }
    QueryStores asked = QueryStores.of(stores.staged(Names.QUERY_STORE), window, journal, meta);
    return Optional.of(
        new Queries(context, journal.lineage().since(), state, ledgers.charging(), asked));
  }

  JournalReader journal() {
    return journal;
  }

  SubjectLedgers ledgers() {
    return ledgers;
  }

  WindowCloser closing() {
    return closing;
  }

  ProgressReport progress() {
    return progress;
  }

  /** Window end up to which this version may release: after it windows are the next one's. */
  OptionalLong closedThrough() {
    OptionalLong closed = boundaries.closedThrough();
    Optional<Long> end = journal.lineage().end();
    return end.isEmpty() || closed.isEmpty()
        ? closed
        : OptionalLong.of(Math.min(closed.getAsLong(), end.get()));
  }

  /** Only the first one names the incarnation; each source has one, before all else. */
  @Override
  public void visit(Genesis genesis) {
    boundaries.requireNew(genesis.source());
  }

  @Override
  public void visit(Observations batch) {
    batch.records().forEach(this::visit);
  }

  /** Whether its subject is enrolled is asked when the window closes: its roster is then fixed. */
  @Override
  public void visit(Observation observation) {
    if (window.isBeforeBegin(observation.windowStart())) {
      // Taken in before the file said where windows begin.
      return;
    }
    boundaries.refuseClosed(window.endOf(observation.windowStart()));
    datasets.add(observation);
    names.ifPresent(lists -> lists.add(observation));
    deployment.meters().observed(1);
  }

  @Override
  public void visit(Boundary boundary) {
    long timestamp = journal.timestamp();
    boolean closed = boundaries.pass(boundary.source(), boundary.end(), timestamp);
    queries.ifPresent(q -> q.pass(timestamp));
    if (closed || queries.isPresent()) {
      closing.wake();
    }
    if (!population) {
      // There the sources are the users' keepers, who know which partition is behind.
      deployment.meters().heldBackBy(partition, boundaries.slowest());
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
   * users have keepers of their own, these have said already from when.
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
  public void visit(Forgetting forgetting) {
    String subject = forgetting.subject();
    progress.forgot();
    queries.ifPresent(q -> q.settle(subject));
    long open = boundaries.firstOpen(Long.MIN_VALUE);
    datasets
        .forget(subject, key -> key.windowStart() >= open || closing.isDecided(key))
        .ifPresent(start -> forgotten.add(subject, window.endOf(start)));
    forgottenMemories.forget(subject, open, closing.decidedBefore());
  }

  @Override
  public void visit(Skip skip) {
    skips.skip(skip.release());
    closing.wake();
  }

  @Override
  public void visit(Activation activation) {
    long from = firstOpen(activation.from());
    if (journal.lineage().announce(activation, from)) {
      deployment.meters().announced(partition);
      leaveFrom(from);
      queries.ifPresent(q -> q.endAt(from, journal.timestamp()));
    }
  }

  /** No open window will close here: what waits for one is refused, and paid for by nobody. */
  @Override
  public void visit(Seal entry) {
    journal.put(SealState.SEALING);
    queries.ifPresent(q -> q.endAt(boundaries.firstOpen(Long.MIN_VALUE), journal.timestamp()));
    closing.wake();
  }

  @Override
  public void visit(Drained drained) {
    journal.meta().putDrained(drained.source());
    if (journal.meta().areDrained(deployment.sourcePartitions())) {
      visit(new Seal());
    }
  }

  /** A user's: where there are any, they have a journal of their own. */
  @Override
  public void visit(Contributions entry) {}

  /** Nothing of it went anywhere. */
  @Override
  public void visit(Skipped entry) {}

  private void leaveFrom(long from) {
    closing.endAt(from);
    queries.ifPresent(q -> q.leaveFrom(from));
  }

  private long firstOpen(long from) {
    return boundaries.firstOpen(window.firstStartFrom(from));
  }
}
