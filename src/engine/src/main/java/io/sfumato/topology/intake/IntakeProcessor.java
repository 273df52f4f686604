// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.intake;

import io.sfumato.pipeline.WindowSpec;
import io.sfumato.pipeline.WindowSpec.Clock;
import io.sfumato.release.Plan;
import io.sfumato.serde.Event;
import io.sfumato.serde.EventReader;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Skipped;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.serde.OutputEncoder;
import io.sfumato.serde.RejectedRecordException;
import io.sfumato.serde.RejectionCode;
import io.sfumato.serde.SourceRecord;
import io.sfumato.topology.clock.PartitionWatermark;
import io.sfumato.topology.clock.TickVerifier;
import io.sfumato.topology.clock.TimelinessFilter;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.OperatorOrders;
import io.sfumato.topology.context.PipelineStopException;
import io.sfumato.topology.context.ReadAgainException;
import io.sfumato.topology.context.SourceTopics;
import io.sfumato.topology.context.ThreadProgress;
import io.sfumato.topology.journal.Journal;
import io.sfumato.topology.store.PreCommitHooks;
import io.sfumato.topology.version.ChangeAdvice;
import io.sfumato.topology.version.StateIdentity;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * Validates records, keeps only the named fields, judges lateness by the clock of each record's own
 * source, a partition of one of the topics, and writes what is left to the journal. A dataset is
 * then a function of the source logs, however fast each is read.
 */
public final class IntakeProcessor implements Processor<byte[], byte[], byte[], byte[]> {
  /** Dropped and counted only: nothing is wrong with the record itself. */
  private static final Set<RejectionCode> UNTIMELY =
      EnumSet.of(RejectionCode.LATE, RejectionCode.EARLY);

  private final Plan plan;
  private final Deployment deployment;
  private final StateIdentity.Maker maker;
  private final WindowSpec window;
  private final EventReader reader;
  private final SelectedRecords selections;
  private final TickVerifier ticks;

  /** Whether only some of a dataset's, or a user's, records may count. */
  private final boolean ranked;

  private ProcessorContext<byte[], byte[]> context;
  private ThreadProgress pace;
  private Journal journal;
  private AcceptedRecords accepted;
  private DeadLetters deadLetters;
  private PartitionWatermarks watermarks;

  /** What operators had said when this task began to work. */
  private OperatorOrders orders;

  private TimelinessFilter timeliness;

  /**
   * Where a record lies.
   *
   * @param number of its source
   */
  private record Place(int number, String topic, int partition, long offset) {
    static Place of(RecordMetadata record, SourceTopics sources) {
      return new Place(
          number(record, sources), record.topic(), record.partition(), record.offset());
    }

    /** A topic that has grown meanwhile: its records would count from somewhere in the middle. */
    private static int number(RecordMetadata record, SourceTopics sources) {
      try {
        return sources.number(record.topic(), record.partition());
      } catch (IllegalArgumentException e) {
        throw new PipelineStopException(
            "partition %s-%d was added after the pipeline started, which reads only those that were there: carry the ledger over (sfumato ledger export OLD --stopped --for NEW, sfumato ledger import NEW)"
                .formatted(record.topic(), record.partition()));
      }
    }

    String name() {
      return topic + "-" + partition;
    }
  }

  public IntakeProcessor(Plan plan, Deployment deployment) {
    this.plan = plan;
    this.deployment = deployment;
    this.maker = StateIdentity.Maker.of(plan, deployment);
    this.window = plan.pipeline().window();
    this.ranked =
        plan.pipeline().reservoir().isPresent() || plan.pipeline().population().isPresent();
    this.reader = EventReader.of(plan.pipeline(), deployment.schemas());
    this.selections = new SelectedRecords(plan.pipeline(), deployment.schemas());
    this.ticks =
        new TickVerifier(
            window, Optional.of(deployment.noiseKey().tickKey(plan.pipeline().budget().name())));
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> context) {
    this.context = context;
    this.pace = ThreadProgress.ofThisThread();
    this.journal = new Journal(context, Names.ENTRIES, maker.stamp());
    this.deadLetters =
        new DeadLetters(
            context,
            Names.DEAD_LETTERS,
            OutputEncoder.of(plan.pipeline().format(), deployment.schemas()),
            deployment.meters());
    this.watermarks =
        new PartitionWatermarks(
            context.getStateStore(Names.SOURCE_STORE),
            maker,
            plan.pipeline(),
            ChangeAdvice.file(plan.pipeline()));
    // After this instance has joined: who says more has seen that it is a member, or comes first.
    this.orders = deployment.orders().get();
    this.timeliness = new TimelinessFilter(plan.pipeline(), orders.caughtUp());
    PreCommitHooks commit = context.getStateStore(Names.INTAKE_COMMIT);
    this.accepted =
        plan.pipeline().population().isPresent()
            ? AcceptedRecords.ofUsers(
                journal, deployment.journalPartitions(), deployment.noiseKey())
            : AcceptedRecords.ofSubjects(
                journal, deployment.journalPartitions(), deployment.noiseKey());
    commit.run(context, "accepted", accepted::flush);
    commit.run(context, "clocks", watermarks::write);
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    pace.processed();
    Place source = Place.of(context.recordMetadata().orElseThrow(), deployment.sources());
    Optional<PartitionWatermark> known = watermarks.of(source.number());
    if (known.isEmpty()) {
      journal.broadcast(
          record.timestamp(), new Genesis(source.number(), deployment.epochs().get()));
    } else {
      refuseRewind(source, known.get());
    }
    PartitionWatermark watermark =
        known.orElseGet(
            () ->
                new PartitionWatermark(
                    source.offset(), PartitionWatermark.UNSET, PartitionWatermark.UNSET));
    PartitionWatermark open = opened(record, source, watermark);
    PartitionWatermark next =
        orders.contains(source.number(), source.offset())
            ? skipped(record, source, open)
            : advance(record, source, open);
    watermarks.put(source.number(), next, record.timestamp());
  }

  /**
   * Before anything else of a source: windows begin where the file says, a continued ledger's not
   * before the place where it was sealed, and those of a topic that joined with a version not
   * before that version's. Whatever comes first, and whenever, changes nothing of that.
   */
  private PartitionWatermark opened(
      Record<byte[], byte[]> record, Place source, PartitionWatermark watermark) {
    if (watermark.boundary() != PartitionWatermark.UNSET) {
      return watermark;
    }
    OptionalLong begin = firstOpen(source.number());
    if (begin.isEmpty()) {
      if (window.lacksBegin()) {
        throw PipelineStopException.withoutBegin();
      }
      return watermark;
    }
    journal.broadcast(record.timestamp(), new Watermark(source.number(), begin.getAsLong()));
    return new PartitionWatermark(source.offset(), watermark.latestTime(), begin.getAsLong());
  }

  /** Start of the first window that may take records, if file, ledger or version say it. */
  private OptionalLong firstOpen(int source) {
    OptionalLong sealed =
        watermarks.floor().stream()
            .mapToLong(floor -> window.firstStartFrom(floor.time()))
            .findFirst();
    LongStream joined = joined(source) ? LongStream.of(since(source)) : LongStream.empty();
    return LongStream.concat(joined, LongStream.concat(sealed.stream(), window.begin().stream()))
        .max();
  }

  private long since(int source) {
    return deployment.sources().since(source);
  }

  /** Whether its topic joined when a version took over. */
  private boolean joined(int source) {
    return since(source) != SourceTopics.Topic.FROM_THE_BEGINNING;
  }

  /** In each selection of the file by itself. */
  private void accept(SourceRecord record, Event event, Place source) {
    for (SelectedRecords.Selected one : selections.of(record, event)) {
      accept(record.timestamp(), one, source);
    }
  }

  /** Each of its items on its own, as if it had come in a record of its own. */
  private void accept(long timestamp, SelectedRecords.Selected one, Place source) {
    Event event = one.event();
    // By places: records are many, and most have one item.
    for (int i = 0; i < event.items().size(); i++) {
      Event.Item item = event.items().get(i);
      accepted.add(timestamp, event, item, one.windowStart(), rank(source, item), one.selection());
    }
  }

  private long rank(Place source, Event.Item item) {
    return ranked
        ? deployment
            .noiseKey()
            .rank(source.topic(), source.partition(), source.offset(), item.place())
        : 0;
  }

  /** An operator has said that this record, or tick, does not count: it is not looked at. */
  private PartitionWatermark skipped(
      Record<byte[], byte[]> record, Place source, PartitionWatermark watermark) {
    accepted.flush();
    journal.broadcast(record.timestamp(), new Skipped(source.number(), source.offset()));
    reject(record, new RejectedRecordException(RejectionCode.SKIPPED));
    return new PartitionWatermark(source.offset(), watermark.latestTime(), watermark.boundary());
  }

  /** Validates one record or tick and returns the watermark after it. */
  private PartitionWatermark advance(
      Record<byte[], byte[]> record, Place source, PartitionWatermark watermark) {
    long time = watermark.latestTime();
    Header tick = record.headers().lastHeader(Names.TICK_HEADER);
    try {
      TickVerifier.refuseSecond(record.headers());
      if (tick != null && TickVerifier.isProbe(tick.value())) {
        // It tells its writer what time it is at the broker, and nobody else anything.
        return new PartitionWatermark(
            source.offset(), watermark.latestTime(), watermark.boundary());
      } else if (tick != null) {
        OptionalLong told =
            ticks.time(tick.value(), source.topic(), source.partition(), record.timestamp());
        count(source.number(), told);
        time = Math.max(time, told.orElse(time));
      } else {
        SourceRecord read = sourceRecord(record, source);
        Optional<Event> event = reader.read(read);
        if (event.isEmpty()) {
          deployment.meters().unselected();
        } else {
          timeliness.require(event.get(), record.timestamp(), watermark);
          accept(read, event.get(), source);
          deployment.meters().accepted();
          if (window.clock() == Clock.RECORDS) {
            time = Math.max(time, event.get().time());
          }
        }
      }
    } catch (RejectedRecordException e) {
      reject(record, e);
      if (tick != null && e.code() == RejectionCode.TIME_OUT_OF_RANGE) {
        deployment.meters().tickOutOfRange();
      }
    }
    return new PartitionWatermark(source.offset(), time, announce(record, source, watermark, time));
  }

  private static SourceRecord sourceRecord(Record<byte[], byte[]> record, Place source) {
    return new SourceRecord(
        source.topic(), record.key(), record.value(), record.timestamp(), record.headers());
  }

  /**
   * @param told by a tick that was not refused; nothing if it is another budget's
   */
  private void count(int source, OptionalLong told) {
    if (told.isPresent()) {
      deployment.meters().tickTaken(source, told.getAsLong());
    } else {
      deployment.meters().tickOfOtherBudget();
    }
  }

  /** Broadcasts the boundary that the latest time has passed, if it is a new one. */
  private long announce(
      Record<byte[], byte[]> record, Place source, PartitionWatermark watermark, long time) {
    if (time == PartitionWatermark.UNSET) {
      return watermark.boundary();
    }
    long boundary = window.boundaryOf(time);
    if (watermark.boundary() != PartitionWatermark.UNSET) {
      if (boundary <= watermark.boundary()) {
        return watermark.boundary();
      }
      refuseJump(source, watermark.boundary(), boundary);
    }
    // What it closes lies before it.
    accepted.flush();
    journal.broadcast(record.timestamp(), new Watermark(source.number(), boundary));
    return boundary;
  }

  private void refuseJump(Place source, long from, long to) {
    OptionalLong first = firstOpen(source.number());
    JumpAdvice.Start start =
        first.isEmpty() || first.getAsLong() != from || joined(source.number())
            ? JumpAdvice.Start.WINDOW
            : watermarks.floor().isPresent() ? JumpAdvice.Start.FLOOR : JumpAdvice.Start.BEGIN;
    JumpAdvice jump = new JumpAdvice(window, source.name(), source.offset(), from, to, start);
    if (plan.pipeline().subjects().isFixed()
        && jump.windows() > window.maxJump()
        && deployment.jumps() == Deployment.JumpPolicy.STOP) {
      throw jump.refusal();
    }
  }

  private void refuseRewind(Place source, PartitionWatermark watermark) {
    if (source.offset() <= watermark.offset()) {
      throw new ReadAgainException(watermark.offset(), context.recordMetadata().orElseThrow());
    }
  }

  private void reject(Record<byte[], byte[]> record, RejectedRecordException rejected) {
    if (UNTIMELY.contains(rejected.code())) {
      deployment.meters().rejected(rejected.code());
    } else {
      deadLetters.publish(record.timestamp(), rejected);
    }
  }
}
