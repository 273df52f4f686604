// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.users;

import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.release.Plan;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Boundary;
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
import io.sfumato.topology.charge.LedgerStore;
import io.sfumato.topology.charge.PastPeriods;
import io.sfumato.topology.dataset.Contents;
import io.sfumato.topology.journal.Boundaries;
import io.sfumato.topology.journal.EntryBuffer;
import io.sfumato.topology.journal.Journal;
import io.sfumato.topology.journal.JournalPosition;
import io.sfumato.topology.lineage.Bulletin;
import io.sfumato.topology.lineage.Identity;
import io.sfumato.topology.lineage.Lineage;
import io.sfumato.topology.lineage.MetaStore;
import io.sfumato.topology.lineage.Provenance;
import io.sfumato.topology.lineage.SealState;
import io.sfumato.topology.setting.Deployment;
import io.sfumato.topology.setting.Names;
import io.sfumato.topology.setting.Pace;
import io.sfumato.topology.setting.PipelineStopException;
import io.sfumato.topology.setting.Slices;
import io.sfumato.topology.store.BeforeCommit;
import io.sfumato.topology.store.StagedStore;
import io.sfumato.topology.users.ContributionStore.UserWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Keeps the users of a population pipeline, before their records reach any subject: when a window
 * closes it decides which of a user's records count, charges the user's ledger once for all
 * outputs, and passes what counts on to the subjects' journal, all in one transaction. What it
 * decides of a user depends on this user's own records and ledger alone, so that one user more or
 * less changes nothing of any other's.
 *
 * <p>To the subjects' keepers each of its partitions is what a source partition is to it: a
 * genesis, records, and boundaries behind which nothing follows.
 */
public final class UserKeeperProcessor implements Processor<byte[], byte[], byte[], byte[]> {
  /** Bounds one turn, whatever the clock says. */
  private static final int SLICE_USERS = 2_000;

  private static final int STEP_USERS = 50;

  private static final Duration PUNCTUATION = Duration.ofMillis(10);

  private final Plan plan;
  private final Deployment deployment;
  private final Population population;
  private final WindowSpec window;

  /** In the place of a category: a record that does not count. */
  private final int leftOut;

  private ProcessorContext<byte[], byte[]> context;
  private int partition;
  private Pace pace;
  private Slices slices;
  private MetaStore meta;
  private JournalPosition position;
  private Provenance provenance;
  private Lineage lineage;
  private Boundaries boundaries;
  private ContributionStore users;
  private UserCharger ledgers;
  private PastPeriods past;
  private UserWindowCloser passedOn;
  private Journal subjects;
  private SealState seal;

  private Bulletin bulletin;

  public UserKeeperProcessor(Plan plan, Deployment deployment) {
    this.plan = plan;
    this.deployment = deployment;
    this.population = plan.pipeline().population().orElseThrow();
    this.window = plan.pipeline().window();
    this.leftOut = Contents.Layout.leftOut(plan.pipeline());
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> context) {
    this.context = context;
    partition = context.taskId().partition();
    pace = Pace.ofThisThread();
    slices = deployment.watch().slices().get();
    BeforeCommit commit = context.getStateStore(Names.USERS_COMMIT);
    Identity.Maker maker = Identity.Maker.of(plan, deployment);
    subjects = new Journal(context, Names.COUNTED, maker.stamp());
    EntryBuffer<Observation> counted =
        new EntryBuffer<>(
            subjects,
            deployment.sourcePartitions(),
            Observation::subject,
            Observations::new,
            JournalCodec::bytesAtMost);
    commit.run(context, "counted", counted::flush);
    // Of windows the subjects' keepers tell.
    bulletin = new Bulletin(deployment.meters(), partition, OptionalLong.empty());
    commit.run(context, "told", bulletin::commit);
    meta = new MetaStore(staged(Names.META_STORE, commit));
    users =
        new ContributionStore(
            staged(Names.CONTRIBUTION_STORE, commit), population, deployment.noiseKey());
    provenance = new Provenance(maker, meta);
    position = new JournalPosition(meta, context);
    lineage = new Lineage(plan, deployment, meta);
    seal = meta.seal();
    boundaries = new Boundaries(deployment.sourcePartitions(), meta);
    LedgerStore store = new LedgerStore(staged(Names.LEDGER_STORE, commit));
    past = new PastPeriods(plan.pipeline().budget().period(), store, meta, lineage.floor());
    commit.run(context, "periods", past::commit);
    ledgers = UserCharger.of(plan, lineage.terms(), store, past);
    passedOn =
        new UserWindowCloser(
            window, boundaries, users, meta, this::decide, this::announce, counted);
    if (seal == SealState.DRAINED) {
      throw PipelineStopException.sealed(plan.pipeline());
    }
    context.schedule(PUNCTUATION, PunctuationType.WALL_CLOCK_TIME, now -> punctuate());
  }

  private void punctuate() {
    bulletin.isDue();
    slice();
    past.slice(seal);
  }

  private StagedStore staged(String name, BeforeCommit commit) {
    StagedStore store = new StagedStore(context.getStateStore(name));
    commit.run(context, name, store::flush);
    return store;
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    pace.processed();
    bulletin.isDue();
    position.advance();
    lineage.persist();
    provenance.require(JournalCodec.stamp(record.value()));
    JournalEntry entry = JournalCodec.decode(record.value());
    if (seal == SealState.OPEN) {
      apply(entry, record.timestamp());
    } else if (entry instanceof Skip) {
      passOn(entry, record.timestamp());
    } else if (entry instanceof Seal && seal == SealState.DRAINED) {
      throw PipelineStopException.sealed(plan.pipeline());
    }
    slice();
  }

  @Override
  public void close() {
    if (context != null) {
      deployment.meters().left(partition);
    }
  }

  private void apply(JournalEntry entry, long timestamp) {
    if (!lineage.begun()) {
      lineage.beginWith(entry);
      if (lineage.begun()) {
        subjects.broadcast(timestamp, new Genesis(partition, lineage.incarnation()));
      }
    }
    if (entry instanceof Contributions batch) {
      contribute(batch.records());
    } else if (entry instanceof Boundary boundary) {
      if (boundaries.pass(boundary.source(), boundary.end(), timestamp)) {
        passedOn.wake();
      }
      deployment.meters().heldBackBy(partition, boundaries.slowest());
    } else if (entry instanceof Genesis genesis) {
      boundaries.requireNew(genesis.source());
    } else if (entry instanceof Forgetting forgetting) {
      forget(forgetting.subject());
    } else if (entry instanceof Seal) {
      put(SealState.SEALING);
      passedOn.wake();
    } else {
      passOn(entry, timestamp);
    }
  }

  /** What concerns subjects is their keepers' affair. */
  private void passOn(JournalEntry entry, long timestamp) {
    if (entry instanceof Enrolment enrolment) {
      subjects.append(
          timestamp,
          enrolment.subject(),
          new Enrolment(enrolment.subject(), firstOpen(enrolment.from())));
    } else if (entry instanceof Departure departure) {
      subjects.append(
          timestamp,
          departure.subject(),
          new Departure(departure.subject(), firstOpen(departure.from())));
    } else if (entry instanceof Skip && partition == 0) {
      // Every partition has it: one of them is enough.
      subjects.broadcast(timestamp, entry);
    }
  }

  /**
   * A change of the roster holds from the first window that is open by this log, however far the
   * slices are: no window that is closed here, and passed on soon, has another roster for it.
   */
  private long firstOpen(long from) {
    return boundaries.firstOpen(window.firstStartFrom(from));
  }

  private void contribute(List<Contribution> batch) {
    List<Contribution> records = new ArrayList<>();
    for (Contribution record : batch) {
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
  private void forget(String user) {
    bulletin.forgot();
    users.forget(user, boundaries.firstOpen(Long.MIN_VALUE));
  }

  /** A user's closed window: all that counts of it is charged, or nothing of it counts. */
  private List<Observation> decide(UserWindow closed) {
    String user = closed.key().subject();
    long start = closed.key().windowStart();
    if (!ledgers.charge(user, start)) {
      return List.of();
    }
    return Stream.concat(
            closed.contributions().counted().stream()
                .map(entry -> observation(entry.subject(), start, entry.category())),
            users.leftOut(closed).stream().map(subject -> observation(subject, start, leftOut)))
        .toList();
  }

  private static Observation observation(String subject, long start, int category) {
    return new Observation(subject, start, category, List.of(), 0);
  }

  private void announce(long end, long timestamp) {
    subjects.broadcast(timestamp, new Boundary(partition, end));
  }

  private void slice() {
    if (!passedOn.isPending() || !slices.begin()) {
      return;
    }
    lineage.persist();
    int done = 0;
    while (passedOn.isPending() && done < SLICE_USERS && slices.goesOn()) {
      done += passedOn.slice(slices.step(STEP_USERS));
    }
    slices.end(passedOn.isPending());
    passedOn.through().ifPresent(past::over);
    if (!passedOn.isPending() && seal == SealState.SEALING) {
      // Nothing is drawn with this entry, so that its timestamp may be anything.
      subjects.broadcast(context.currentSystemTimeMs(), new Drained(partition));
      put(SealState.DRAINED);
    }
  }

  private void put(SealState next) {
    seal = next;
    meta.put(next);
  }
}
