package io.sfumato.topology;

import io.sfumato.pipeline.Pipeline.Subjects;
import io.sfumato.pipeline.Plan;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Boundary;
import io.sfumato.serde.JournalEntry.Candidate;
import io.sfumato.serde.JournalEntry.Departure;
import io.sfumato.serde.JournalEntry.Enrolment;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Observation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
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
  /** Bounds of one slice: long enough to be efficient, short enough to keep polling. */
  private static final int SLICE_SUBJECTS = 2_000;

  private static final int STEP_SUBJECTS = 50;

  /** Fitting a density takes milliseconds. */
  private static final int STEP_FITS = 1;

  private static final long SLICE_NANOS = Duration.ofMillis(50).toNanos();
  private static final Duration PUNCTUATION = Duration.ofMillis(10);

  private final Plan plan;
  private final Deployment deployment;
  private final WindowSpec window;
  private final boolean rostered;

  private ProcessorContext<String, byte[]> context;
  private MetaStore meta;
  private DatasetStore datasets;
  private SubjectStore roster;
  private Boundaries boundaries;
  private Optional<Queries> queries;
  private Closing closing;

  /** Whether the journal has named the incarnation: nothing is observed or drawn before. */
  private boolean begun;

  KeeperProcessor(Plan plan, Deployment deployment) {
    this.plan = plan;
    this.deployment = deployment;
    this.window = plan.pipeline().window();
    this.rostered = plan.pipeline().subjects() == Subjects.ROSTER;
  }

  @Override
  public void init(ProcessorContext<String, byte[]> context) {
    this.context = context;
    meta = new MetaStore(context.getStateStore(Names.META_STORE));
    meta.identity()
        .ifPresent(
            identity ->
                identity.requireSame(Identity.of(identity.incarnation(), plan, deployment)));
    begun = meta.identity().isPresent();
    datasets =
        new DatasetStore(
            context.getStateStore(Names.DATASET_STORE), new Contents.Layout(plan.pipeline()));
    roster = new SubjectStore(context.getStateStore(Names.SUBJECT_STORE));
    LedgerStore ledgers = new LedgerStore(context.getStateStore(Names.LEDGER_STORE));
    boundaries = new Boundaries(deployment.sourcePartitions(), meta);
    Publisher publisher = new Publisher(plan.pipeline(), deployment, meta, context);
    Refusals refusals = new Refusals(plan.pipeline(), deployment.meters(), context);
    List<WindowOutput> outputs =
        List.of(
            new Releaser(plan, deployment.meters(), ledgers, publisher, refusals),
            new ItemReleaser(plan, deployment.meters(), ledgers, publisher, refusals));
    queries =
        plan.queries().isEmpty()
            ? Optional.empty()
            : Optional.of(
                new Queries(
                    plan,
                    boundaries,
                    datasets,
                    roster,
                    ledgers,
                    new QueryStore(context.getStateStore(Names.QUERY_STORE)),
                    publisher,
                    refusals));
    closing = new Closing(plan, boundaries, datasets, roster, meta, outputs, queries);
    context.schedule(PUNCTUATION, PunctuationType.WALL_CLOCK_TIME, now -> slice());
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    JournalEntry entry = JournalCodec.decode(record.value());
    if (!begun) {
      begin(entry);
    }
    if (entry instanceof Observation observation) {
      observe(observation);
    } else if (entry instanceof Boundary boundary) {
      boundaries.pass(boundary.source(), boundary.end(), record.timestamp());
      queries.ifPresent(q -> q.expire(record.timestamp()));
      closing.wake();
      deployment.meters().heldBackBy(context.taskId().partition(), boundaries.slowest());
    } else if (entry instanceof Candidate candidate) {
      queries.orElseThrow().ask(candidate, record.timestamp());
    } else if (entry instanceof Genesis genesis) {
      // Only the first one names the incarnation; each source has one, before all else.
      boundaries.requireNew(genesis.source());
    } else {
      enlist(entry);
    }
    slice();
  }

  /** The first genesis of the journal gives the state its incarnation, before any release. */
  private void begin(JournalEntry entry) {
    if (entry instanceof Genesis genesis) {
      meta.put(Identity.of(genesis.incarnation(), plan, deployment));
      begun = true;
    } else if (entry instanceof Observation || entry instanceof Boundary) {
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
  }

  /** A change of the roster holds from the first window that is still open on some source. */
  private void enlist(JournalEntry entry) {
    if (entry instanceof Enrolment enrolment) {
      roster.enrol(enrolment.subject(), firstOpen(enrolment.from()));
    } else if (entry instanceof Departure departure) {
      roster.leave(departure.subject(), firstOpen(departure.from()));
    }
  }

  private long firstOpen(long from) {
    long start = window.startOf(from);
    long next = start == from ? start : window.endOf(start);
    OptionalLong closed = boundaries.closedThrough();
    return closed.isPresent() ? Math.max(next, closed.getAsLong()) : next;
  }

  private void slice() {
    if (!closing.isPending()) {
      return;
    }
    long began = System.nanoTime();
    int done = 0;
    while (closing.isPending()
        && done < SLICE_SUBJECTS
        && System.nanoTime() - began < SLICE_NANOS) {
      done += closing.slice(plan.items().isEmpty() ? STEP_SUBJECTS : STEP_FITS);
    }
    if (!closing.isPending()) {
      boundaries
          .closedThrough()
          .ifPresent(end -> deployment.meters().closed(context.taskId().partition(), end));
    }
  }
}
