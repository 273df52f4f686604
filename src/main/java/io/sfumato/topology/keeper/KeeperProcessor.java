// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.keeper;

import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.release.Plan;
import io.sfumato.schema.RefusalCode;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Activation;
import io.sfumato.serde.JournalEntry.Boundary;
import io.sfumato.serde.JournalEntry.Candidate;
import io.sfumato.serde.JournalEntry.Departure;
import io.sfumato.serde.JournalEntry.Drained;
import io.sfumato.serde.JournalEntry.Enrolment;
import io.sfumato.serde.JournalEntry.Forgetting;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Observations;
import io.sfumato.serde.JournalEntry.Seal;
import io.sfumato.serde.JournalEntry.Skip;
import io.sfumato.serde.Stamp;
import io.sfumato.topology.charge.BudgetCensus;
import io.sfumato.topology.charge.Charger;
import io.sfumato.topology.charge.LedgerCharger;
import io.sfumato.topology.charge.LedgerStore;
import io.sfumato.topology.charge.PastPeriods;
import io.sfumato.topology.dataset.DatasetStore;
import io.sfumato.topology.dataset.ForgottenSubjects;
import io.sfumato.topology.journal.Boundaries;
import io.sfumato.topology.journal.JournalPosition;
import io.sfumato.topology.lineage.Bulletin;
import io.sfumato.topology.lineage.Identity;
import io.sfumato.topology.lineage.Lineage;
import io.sfumato.topology.lineage.MetaStore;
import io.sfumato.topology.lineage.Provenance;
import io.sfumato.topology.lineage.SealState;
import io.sfumato.topology.lineage.Takeover;
import io.sfumato.topology.query.Fates;
import io.sfumato.topology.query.Queries;
import io.sfumato.topology.query.QueryStore;
import io.sfumato.topology.query.WaitingStore;
import io.sfumato.topology.release.Publisher;
import io.sfumato.topology.release.Refusals;
import io.sfumato.topology.release.SkippedReleases;
import io.sfumato.topology.release.WindowOutputs;
import io.sfumato.topology.roster.Roster;
import io.sfumato.topology.roster.SubjectStore;
import io.sfumato.topology.setting.Deployment;
import io.sfumato.topology.setting.Names;
import io.sfumato.topology.setting.OpenMemory;
import io.sfumato.topology.setting.Pace;
import io.sfumato.topology.setting.PipelineStopException;
import io.sfumato.topology.setting.Slices;
import io.sfumato.topology.store.BeforeCommit;
import io.sfumato.topology.store.StagedStore;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Keeps everything private. The journal is its only input, so its outputs are a function of its
 * journal partition, the pipeline file and the noise key: no wall clock, no interleaving, no fresh
 * randomness.
 */
public final class KeeperProcessor implements Processor<byte[], byte[], String, byte[]> {
  /** Bounds one turn of releases, whatever the clock says. */
  private static final int SLICE_SUBJECTS = 2_000;

  private static final int STEP_SUBJECTS = 50;

  /** Ledgers of an earlier run that are counted at once: a millisecond or two. */
  private static final int CENSUS_LEDGERS = 1_000;

  /** Fitting a density takes milliseconds. */
  private static final int STEP_FITS = 1;

  private static final Duration PUNCTUATION = Duration.ofMillis(10);

  private final Plan plan;
  private final Deployment deployment;
  private final WindowSpec window;
  private final boolean population;
  private final OpenMemory.Share memory;

  private ProcessorContext<String, byte[]> context;
  private Pace pace;
  private Slices slices;
  private MetaStore meta;
  private JournalPosition position;
  private Provenance provenance;
  private Lineage lineage;
  private DatasetStore datasets;
  private Optional<SubjectStore> enrolled;
  private Roster roster;
  private Boundaries boundaries;
  private ForgottenSubjects forgotten;
  private Refusals refusals;
  private Optional<Queries> queries;
  private SkippedReleases skips;
  private WindowCloser closing;
  private Optional<BudgetCensus> census;
  private Optional<PastPeriods> past;

  private Bulletin bulletin;

  private SealState seal;

  public KeeperProcessor(Plan plan, Deployment deployment) {
    this.plan = plan;
    this.deployment = deployment;
    this.window = plan.pipeline().window();
    this.population = plan.pipeline().population().isPresent();
    this.memory = deployment.memory().share();
  }

  @Override
  public void init(ProcessorContext<String, byte[]> context) {
    this.context = context;
    pace = Pace.ofThisThread();
    slices = deployment.watch().slices().get();
    BeforeCommit commit = context.getStateStore(Names.KEEPER_COMMIT);
    KeeperStores stores = new KeeperStores(plan, deployment, memory, context, commit);
    datasets = stores.datasets();
    StagedStore metaStore = stores.staged(Names.keeperMeta(plan.pipeline()));
    meta = new MetaStore(metaStore);
    forgotten = new ForgottenSubjects(metaStore);
    lineage = new Lineage(plan, deployment, meta);
    provenance = new Provenance(Identity.Maker.of(plan, deployment), meta);
    position = new JournalPosition(meta, context);
    seal = meta.seal();
    enrolled = stores.enrolled();
    roster = enrolled.<Roster>map(members -> members).orElseGet(stores::listed);
    Function<PlannedRelease, Charger> charging = charging(stores);
    boundaries = new Boundaries(deployment.sourcePartitions(), meta);
    skips = new SkippedReleases(deployment, meta, context.taskId().partition());
    Publisher publisher = new Publisher(plan.pipeline(), deployment, lineage::incarnation, context);
    refusals = new Refusals(plan.pipeline(), deployment, context);
    WindowOutputs outputs = new WindowOutputs(plan, deployment, publisher, refusals, skips);
    queries =
        plan.pipeline().queries().isEmpty()
            ? Optional.empty()
            : Optional.of(queries(metaStore, charging, publisher, stores));
    closing =
        new WindowCloser(
            plan,
            boundaries,
            datasets,
            roster,
            meta,
            outputs.of(charging, stores::staged),
            queries,
            forgotten,
            deployment.meters());
    if (seal == SealState.DRAINED) {
      throw PipelineStopException.sealed(plan.pipeline());
    }
    lineage.end().ifPresent(this::leaveFrom);
    bulletin = new Bulletin(deployment.meters(), context.taskId().partition(), closedThrough());
    commit.run(context, "told", bulletin::commit);
    context.schedule(PUNCTUATION, PunctuationType.WALL_CLOCK_TIME, now -> punctuate());
    // The last thing: nobody closes what did not begin.
    memory.join();
  }

  private void punctuate() {
    reportProgress();
    census.ifPresent(counts -> counts.step(CENSUS_LEDGERS));
    slice();
    past.ifPresent(periods -> periods.slice(seal));
  }

  /** Aggregates of what is committed: the first thing after a commit. */
  private void reportProgress() {
    if (!bulletin.isDue()) {
      return;
    }
    int partition = context.taskId().partition();
    census.ifPresent(counts -> counts.report(partition, deployment.meters()));
    boundaries
        .foremost()
        .ifPresent(end -> deployment.meters().passed(partition, end, boundaries.closedThrough()));
  }

  /** Window end up to which this version may release: behind it windows are the next one's. */
  private OptionalLong closedThrough() {
    OptionalLong closed = boundaries.closedThrough();
    return lineage.end().isEmpty() || closed.isEmpty()
        ? closed
        : OptionalLong.of(Math.min(closed.getAsLong(), lineage.end().get()));
  }

  /** Where users are protected they were charged before: subjects have no ledger. */
  private Function<PlannedRelease, Charger> charging(KeeperStores stores) {
    if (population) {
      census = Optional.empty();
      past = Optional.empty();
      return release -> Charger.ofContributors();
    }
    LedgerStore ledgers = new LedgerStore(stores.staged(Names.LEDGER_STORE));
    PastPeriods periods =
        new PastPeriods(plan.pipeline().budget().period(), ledgers, meta, lineage.floor());
    stores.commit().run(context, "periods", periods::commit);
    past = Optional.of(periods);
    BudgetCensus counts = new BudgetCensus(ledgers, () -> firstCounted(periods));
    census = Optional.of(counts);
    return release ->
        new LedgerCharger(release, lineage.terms(), ledgers, periods, counts, deployment.meters());
  }

  /**
   * What earlier versions charged in periods before this one's windows it may not know to count.
   */
  private long firstCounted(PastPeriods periods) {
    long since = lineage.since();
    return since == Long.MIN_VALUE
        ? periods.live()
        : Math.max(periods.live(), plan.pipeline().budget().period().indexOf(since));
  }

  private Queries queries(
      StagedStore metaStore,
      Function<PlannedRelease, Charger> charging,
      Publisher publisher,
      KeeperStores stores) {
    StagedStore store = stores.staged(Names.QUERY_STORE);
    WaitingStore waiting = new WaitingStore(store);
    Fates fates = Fates.of(window, boundaries, metaStore, waiting, meta::position);
    return new Queries(
        plan,
        lineage.since(),
        boundaries,
        datasets,
        roster,
        charging,
        new QueryStore(store),
        waiting,
        fates,
        forgotten,
        publisher,
        refusals,
        skips,
        deployment.meters());
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    pace.processed();
    reportProgress();
    position.advance();
    lineage.persist();
    Optional<Stamp> author = JournalCodec.stamp(record.value());
    provenance.require(author);
    JournalEntry entry = JournalCodec.decode(record.value());
    if (seal == SealState.OPEN) {
      apply(entry, record.timestamp(), provenance.isEarlier(author));
    } else if (entry instanceof Skip skip) {
      skip(skip);
    } else if (entry instanceof Seal && seal == SealState.DRAINED) {
      // Whoever exports says it twice, the second time after having seen the drained state.
      throw PipelineStopException.sealed(plan.pipeline());
    }
    slice();
  }

  @Override
  public void close() {
    memory.leave();
    if (context != null) {
      deployment.meters().left(context.taskId().partition());
    }
  }

  private void apply(JournalEntry entry, long timestamp, boolean earlier) {
    if (!lineage.begun()) {
      lineage.beginWith(entry);
    }
    if (entry instanceof Observations batch) {
      batch.records().forEach(this::observe);
    } else if (entry instanceof Observation observation) {
      observe(observation);
    } else if (entry instanceof Boundary boundary) {
      boolean closed = boundaries.pass(boundary.source(), boundary.end(), timestamp);
      queries.ifPresent(q -> q.pass(timestamp));
      if (closed || queries.isPresent()) {
        closing.wake();
      }
      if (!population) {
        // There the sources are the users' keepers, who know which partition is behind.
        deployment.meters().heldBackBy(context.taskId().partition(), boundaries.slowest());
      }
    } else if (entry instanceof Candidate candidate) {
      ask(candidate, timestamp, earlier);
    } else if (entry instanceof Genesis genesis) {
      // Only the first one names the incarnation; each source has one, before all else.
      boundaries.requireNew(genesis.source());
    } else {
      applyCommand(entry, timestamp);
    }
  }

  /**
   * What an earlier version was asked, and did not come to, asks for outputs as they were there.
   */
  private void ask(Candidate candidate, long timestamp, boolean earlier) {
    if (!earlier && queries.isPresent() && queries.get().answers(candidate.output())) {
      queries.get().ask(candidate, timestamp);
    } else {
      refusals.refuse(candidate, RefusalCode.VERSION_CHANGED, timestamp);
    }
  }

  /** Whether its subject is enrolled is asked when the window closes: its roster is then fixed. */
  private void observe(Observation observation) {
    if (window.isBeforeBegin(observation.windowStart())) {
      // Taken in before the file said where windows begin.
      return;
    }
    boundaries.refuseClosed(window.endOf(observation.windowStart()));
    datasets.add(observation);
    deployment.meters().observed(1);
  }

  /** Operators' commands. */
  private void applyCommand(JournalEntry entry, long timestamp) {
    if (entry instanceof Enrolment enrolment) {
      // A change of the roster holds from the first window that is still open on some source; where
      // users have keepers of their own, these have said already from when.
      enrolled.ifPresent(r -> r.enrol(enrolment.subject(), firstOpen(enrolment.from())));
    } else if (entry instanceof Departure departure) {
      enrolled.ifPresent(r -> r.leave(departure.subject(), firstOpen(departure.from())));
    } else if (entry instanceof Forgetting forgetting) {
      forget(forgetting.subject());
    } else if (entry instanceof Skip skip) {
      skip(skip);
    } else if (entry instanceof Activation activation) {
      announce(activation, timestamp);
    } else if (entry instanceof Seal) {
      seal(timestamp);
    } else if (entry instanceof Drained drained) {
      meta.putDrained(drained.source());
      if (meta.areDrained(deployment.sourcePartitions())) {
        seal(timestamp);
      }
    }
  }

  /** No open window will close here: what waits for one is refused, and paid for by nobody. */
  private void seal(long timestamp) {
    put(SealState.SEALING);
    queries.ifPresent(q -> q.endAt(boundaries.firstOpen(Long.MIN_VALUE), timestamp));
    closing.wake();
  }

  private void skip(Skip skip) {
    skips.skip(skip.release());
    closing.wake();
  }

  private void put(SealState next) {
    seal = next;
    meta.put(next);
  }

  /**
   * Deletes a subject's data: at once what is open and what is decided, and what is still to be
   * released when that is done. From now on no query is answered by any of it, however far the
   * slices are.
   */
  private void forget(String subject) {
    bulletin.forgot();
    queries.ifPresent(q -> q.settle(subject));
    long open = boundaries.firstOpen(Long.MIN_VALUE);
    datasets
        .forget(subject, key -> key.windowStart() >= open || closing.isDecided(key))
        .ifPresent(start -> forgotten.add(subject, window.endOf(start)));
  }

  private void announce(Activation activation, long timestamp) {
    long from = firstOpen(activation.from());
    if (lineage.announce(activation, from)) {
      deployment.meters().announced(context.taskId().partition());
      leaveFrom(from);
      queries.ifPresent(q -> q.endAt(from, timestamp));
    }
  }

  private void leaveFrom(long from) {
    closing.endAt(from);
    queries.ifPresent(q -> q.leaveFrom(from));
  }

  private long firstOpen(long from) {
    return boundaries.firstOpen(window.firstStartFrom(from));
  }

  private void handOver(Takeover next) {
    lineage.handOver();
    bulletin.handedOver(next);
  }

  private void slice() {
    if (!closing.isPending()) {
      return;
    }
    if (!slices.begin()) {
      return;
    }
    lineage.persist();
    int done = 0;
    while (closing.isPending() && done < SLICE_SUBJECTS && slices.goesOn()) {
      done +=
          closing.slice(
              slices.step(
                  plan.releases().stream().anyMatch(PlannedRelease::fitsLaws)
                      ? STEP_FITS
                      : STEP_SUBJECTS));
    }
    bulletin.decided(done);
    slices.end(closing.isPending());
    past.ifPresent(periods -> closing.overBefore().ifPresent(periods::over));
    if (!closing.isPending()) {
      closedThrough().ifPresent(bulletin::released);
      lineage.next().filter(next -> closing.isDecidedBefore(next.from())).ifPresent(this::handOver);
      if (seal == SealState.SEALING && !closing.isHeld()) {
        put(SealState.DRAINED);
      }
    }
  }
}
