package io.sfumato.topology;

import io.sfumato.pipeline.Pipeline.Subjects;
import io.sfumato.pipeline.Plan;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.PlannedRelease.PlannedHistogram;
import io.sfumato.pipeline.PlannedRelease.PlannedItems;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Activation;
import io.sfumato.serde.JournalEntry.Boundary;
import io.sfumato.serde.JournalEntry.Candidate;
import io.sfumato.serde.JournalEntry.Departure;
import io.sfumato.serde.JournalEntry.Enrolment;
import io.sfumato.serde.JournalEntry.Forgetting;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Observations;
import io.sfumato.serde.JournalEntry.Seal;
import io.sfumato.serde.JournalEntry.Skip;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
final class KeeperProcessor implements Processor<byte[], byte[], String, byte[]> {
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
  private final boolean rostered;

  private ProcessorContext<String, byte[]> context;
  private Pace pace;
  private Pace.Turns turns;
  private MetaStore meta;
  private Lineage lineage;
  private DatasetStore datasets;
  private SubjectStore roster;
  private Boundaries boundaries;
  private Optional<Queries> queries;
  private Skips skips;
  private Closing closing;
  private BudgetCensus census;

  /** Whether the operator knows of what the last commit had. */
  private boolean told = true;

  /** Offset of the last journal entry taken in. */
  private long position;

  private MetaStore.Seal seal;

  KeeperProcessor(Plan plan, Deployment deployment) {
    this.plan = plan;
    this.deployment = deployment;
    this.window = plan.pipeline().window();
    this.rostered = plan.pipeline().subjects() == Subjects.ROSTER;
  }

  @Override
  public void init(ProcessorContext<String, byte[]> context) {
    this.context = context;
    pace = Pace.ofThisThread();
    turns = pace.turns();
    BeforeCommit commit = context.getStateStore(Names.KEEPER_COMMIT);
    datasets = datasets(commit);
    meta = new MetaStore(staged(Names.META_STORE, commit));
    lineage = new Lineage(plan, deployment, meta);
    position = meta.position();
    seal = meta.seal();
    roster = new SubjectStore(staged(Names.SUBJECT_STORE, commit));
    LedgerStore ledgers = new LedgerStore(staged(Names.LEDGER_STORE, commit));
    census = new BudgetCensus(ledgers);
    commit.run(context, () -> told = false);
    boundaries = new Boundaries(deployment.sourcePartitions(), meta);
    skips = new Skips(deployment, meta, context.taskId().partition());
    Publisher publisher = new Publisher(plan.pipeline(), deployment, lineage::incarnation, context);
    Refusals refusals = new Refusals(plan.pipeline(), deployment.meters(), context);
    queries =
        plan.queries().isEmpty()
            ? Optional.empty()
            : Optional.of(
                new Queries(
                    plan,
                    lineage.since(),
                    boundaries,
                    datasets,
                    roster,
                    charging(ledgers),
                    new QueryStore(staged(Names.QUERY_STORE, commit)),
                    publisher,
                    refusals,
                    skips,
                    deployment.meters()));
    closing =
        new Closing(
            plan,
            boundaries,
            datasets,
            roster,
            meta,
            outputs(charging(ledgers), publisher, refusals),
            queries);
    if (seal == MetaStore.Seal.DRAINED) {
      throw sealed();
    }
    lineage.end().ifPresent(this::leaveFrom);
    context.schedule(PUNCTUATION, PunctuationType.WALL_CLOCK_TIME, now -> punctuate());
  }

  private void punctuate() {
    tell();
    census.step(CENSUS_LEDGERS);
    slice();
  }

  /**
   * Aggregates of what is committed: the first thing after a commit, which, had it failed, would
   * have ended this task.
   */
  private void tell() {
    if (told) {
      return;
    }
    told = true;
    int partition = context.taskId().partition();
    census.tell(partition, deployment.meters());
    boundaries
        .foremost()
        .ifPresent(end -> deployment.meters().passed(partition, end, boundaries.closedThrough()));
  }

  private Function<PlannedRelease, Charging> charging(LedgerStore ledgers) {
    return release ->
        new Charging(release, plan, lineage.terms(), ledgers, census, deployment.meters());
  }

  private StagedStore staged(String name, BeforeCommit commit) {
    StagedStore store = new StagedStore(context.getStateStore(name));
    commit.run(context, store::flush);
    return store;
  }

  /** Datasets have writes of their own to hand over first. */
  private DatasetStore datasets(BeforeCommit commit) {
    StagedStore store = new StagedStore(context.getStateStore(Names.DATASET_STORE));
    DatasetStore made = new DatasetStore(store, new Contents.Layout(plan.pipeline()));
    commit.run(context, made::write);
    commit.run(context, store::flush);
    return made;
  }

  private List<WindowOutput> outputs(
      Function<PlannedRelease, Charging> charging, Publisher publisher, Refusals refusals) {
    List<WindowOutput> outputs = new ArrayList<>();
    for (PlannedRelease release : plan.releases()) {
      drawer(release, publisher)
          .ifPresent(
              drawer ->
                  outputs.add(
                      new Releaser(
                          release.spec().name(),
                          charging.apply(release),
                          drawer,
                          publisher,
                          refusals,
                          skips,
                          deployment.meters())));
    }
    return outputs;
  }

  /** Queries are drawn when they are asked, not when windows close. */
  private Optional<Drawer> drawer(PlannedRelease release, Publisher publisher) {
    if (release instanceof PlannedHistogram histogram) {
      return Optional.of(new HistogramDrawer(plan.pipeline(), histogram, publisher));
    }
    if (release instanceof PlannedItems items) {
      return Optional.of(new ItemDrawer(plan.pipeline(), items, publisher, deployment.meters()));
    }
    return Optional.empty();
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    pace.processed();
    tell();
    advance();
    JournalEntry entry = JournalCodec.decode(record.value());
    lineage.persist();
    if (seal == MetaStore.Seal.OPEN) {
      take(entry, record.timestamp());
    } else if (entry instanceof Skip skip) {
      skip(skip);
    } else if (entry instanceof Seal && seal == MetaStore.Seal.DRAINED) {
      // Whoever exports says it twice, the second time after having seen the drained state.
      throw sealed();
    }
    slice();
  }

  @Override
  public void close() {
    if (context != null) {
      deployment.meters().left(context.taskId().partition());
    }
  }

  private void take(JournalEntry entry, long timestamp) {
    if (!lineage.begun()) {
      begin(entry);
    }
    if (entry instanceof Observations batch) {
      batch.records().forEach(this::observe);
    } else if (entry instanceof Observation observation) {
      observe(observation);
    } else if (entry instanceof Boundary boundary) {
      boundaries.pass(boundary.source(), boundary.end(), timestamp);
      queries.ifPresent(q -> q.expire(timestamp));
      closing.wake();
      deployment.meters().heldBackBy(context.taskId().partition(), boundaries.slowest());
    } else if (entry instanceof Candidate candidate) {
      queries.orElseThrow().ask(candidate, timestamp);
    } else if (entry instanceof Genesis genesis) {
      // Only the first one names the incarnation; each source has one, before all else.
      boundaries.requireNew(genesis.source());
    } else {
      obey(entry, timestamp);
    }
  }

  /** Each journal entry is taken in once, whatever becomes of the group's offsets. */
  private void advance() {
    long offset = context.recordMetadata().orElseThrow().offset();
    if (offset <= position) {
      throw new PipelineStopException(
          ("partition %d of the journal was read up to offset %d before, now offset %d arrives: the"
                  + " group's offsets were reset, or the journal was made anew. Taking records in twice"
                  + " would break the guarantee. Set the group's offset of this partition to %d"
                  + " (kafka-consumer-groups --reset-offsets)")
              .formatted(context.taskId().partition(), position, offset, position + 1));
    }
    position = offset;
    meta.putPosition(offset);
  }

  /** The first genesis of the journal gives the state its incarnation, before any release. */
  private void begin(JournalEntry entry) {
    if (entry instanceof Genesis genesis) {
      lineage.begin(genesis.incarnation());
    } else if (entry instanceof Observations
        || entry instanceof Observation
        || entry instanceof Boundary) {
      // Only other topics may be ahead of the first record.
      throw new PipelineStopException(
          "the journal goes on but this partition's state is empty: its changelog was lost or reset."
              + " Releasing again would spend the budget twice; restore the changelog, or start a"
              + " new budget");
    }
  }

  private void observe(Observation observation) {
    OptionalLong closed = boundaries.closedThrough();
    if (closed.isPresent() && window.endOf(observation.windowStart()) <= closed.getAsLong()) {
      throw new PipelineStopException(
          "the journal holds a record of a window that is closed: intake's state was lost or reset."
              + " Releasing the window again would spend the budget twice; restore the changelog of "
              + Names.SOURCE_STORE
              + ", or start a new budget");
    }
    if (rostered && !roster.get(observation.subject()).covers(observation.windowStart())) {
      deployment.meters().notEnrolled();
      return;
    }
    datasets.add(observation);
    deployment.meters().observed(1);
  }

  /** Operators' commands. */
  private void obey(JournalEntry entry, long timestamp) {
    if (entry instanceof Enrolment enrolment) {
      // A change of the roster holds from the first window that is still open on some source.
      roster.enrol(enrolment.subject(), firstOpen(enrolment.from()));
    } else if (entry instanceof Departure departure) {
      roster.leave(departure.subject(), firstOpen(departure.from()));
    } else if (entry instanceof Forgetting forgetting) {
      forget(forgetting.subject());
    } else if (entry instanceof Skip skip) {
      skip(skip);
    } else if (entry instanceof Activation activation) {
      announce(activation, timestamp);
    } else if (entry instanceof Seal) {
      put(MetaStore.Seal.SEALING);
      closing.wake();
    }
  }

  private void skip(Skip skip) {
    skips.skip(skip.release());
    closing.wake();
  }

  private void put(MetaStore.Seal next) {
    seal = next;
    meta.put(next);
  }

  private PipelineStopException sealed() {
    return new PipelineStopException(
        "the ledger of budget '%s' is sealed: it was exported, and goes on where it was imported"
            .formatted(plan.pipeline().budget().name()));
  }

  /**
   * Deletes a subject's open data. What is closed is released first, so that what is deleted does
   * not depend on how far the slices are.
   */
  private void forget(String subject) {
    while (closing.isPending()) {
      closing.slice(SLICE_SUBJECTS);
    }
    OptionalLong closed = boundaries.closedThrough();
    datasets.forget(
        subject,
        key ->
            closing.isDecided(key)
                || closed.isEmpty()
                || window.endOf(key.windowStart()) > closed.getAsLong());
  }

  private void announce(Activation activation, long timestamp) {
    long from = firstOpen(activation.from());
    if (lineage.announce(activation, from)) {
      leaveFrom(from);
      queries.ifPresent(q -> q.endAt(from, timestamp));
    }
  }

  private void leaveFrom(long from) {
    closing.endAt(from);
    queries.ifPresent(q -> q.leaveFrom(from));
  }

  private long firstOpen(long from) {
    long next = window.firstStartFrom(from);
    OptionalLong closed = boundaries.closedThrough();
    return closed.isPresent() ? Math.max(next, closed.getAsLong()) : next;
  }

  private void slice() {
    if (!closing.isPending()) {
      return;
    }
    if (!turns.begin()) {
      return;
    }
    lineage.persist();
    int done = 0;
    while (closing.isPending() && done < SLICE_SUBJECTS && turns.goesOn()) {
      done += closing.slice(plan.items().isEmpty() ? STEP_SUBJECTS : STEP_FITS);
    }
    turns.end(closing.isPending());
    if (!closing.isPending()) {
      boundaries
          .closedThrough()
          .ifPresent(end -> deployment.meters().closed(context.taskId().partition(), end));
      lineage
          .end()
          .filter(closing::isDecidedBefore)
          .ifPresent(
              from -> {
                lineage.handOver();
                deployment.meters().handedOver(context.taskId().partition(), from);
              });
      if (seal == MetaStore.Seal.SEALING && !closing.isHeld()) {
        put(MetaStore.Seal.DRAINED);
      }
    }
  }
}
