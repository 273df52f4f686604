// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.intake;

import io.sfumato.bytes.CorruptBytesException;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.Plan;
import io.sfumato.schema.ControlCommand;
import io.sfumato.schema.ControlEntry;
import io.sfumato.serde.EventReader;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Activation;
import io.sfumato.serde.JournalEntry.Departure;
import io.sfumato.serde.JournalEntry.Enrolment;
import io.sfumato.serde.JournalEntry.Forgetting;
import io.sfumato.serde.JournalEntry.Seal;
import io.sfumato.serde.JournalEntry.Skip;
import io.sfumato.serde.OutputEncoder;
import io.sfumato.serde.Outputs;
import io.sfumato.serde.RejectionCode;
import io.sfumato.serde.Stamp;
import io.sfumato.topology.journal.Journal;
import io.sfumato.topology.lineage.Identity;
import io.sfumato.topology.setting.Deployment;
import io.sfumato.topology.setting.Names;
import io.sfumato.topology.setting.PipelineMeters;
import io.sfumato.topology.store.BeforeCommit;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** Brings operators' commands into the journal, where they get their place in its one order. */
public final class ControlProcessor implements Processor<byte[], byte[], byte[], byte[]> {
  private final String budget;
  private final boolean population;
  private final Stamp stamp;
  private final OutputEncoder encoder;
  private final PipelineMeters meters;
  private Journal journal;
  private ProcessorContext<byte[], byte[]> context;
  private BeforeCommit intake;
  private ReadUpTo read;
  private DeadLetters deadLetters;

  public ControlProcessor(Plan plan, Deployment deployment) {
    Pipeline pipeline = plan.pipeline();
    this.stamp = Identity.Maker.of(plan, deployment).stamp();
    this.budget = pipeline.budget().name();
    this.encoder = OutputEncoder.of(pipeline.format(), deployment.schemas());
    this.population = pipeline.population().isPresent();
    this.meters = deployment.meters();
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> context) {
    journal = new Journal(context, Names.ENTRIES, stamp);
    this.context = context;
    intake = context.getStateStore(Names.INTAKE_COMMIT);
    read = new ReadUpTo(ReadUpTo.Source.COMMANDS, context.getStateStore(Names.SOURCE_STORE));
    intake.run(context, Names.CONTROL_INTAKE, read::write);
    deadLetters = new DeadLetters(context, Names.DEAD_LETTERS, encoder, meters);
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    read.advance(context.recordMetadata().orElseThrow());
    ControlEntry command;
    try {
      command = Outputs.decodeControl(record.value());
    } catch (CorruptBytesException e) {
      deadLetters.publish(record.timestamp(), RejectionCode.BAD_CONTROL);
      return;
    }
    if (population && command.getCommand() == ControlCommand.ACTIVATE) {
      // Two stages would have to hand over at the same window; 'activate' refuses to write it.
      deadLetters.publish(record.timestamp(), RejectionCode.BAD_CONTROL);
      return;
    }
    // Records that were read before a command stand before it.
    intake.runNow();
    String subject = command.getSubject();
    switch (command.getCommand()) {
      case ENROL ->
          journal.append(record.timestamp(), subject, new Enrolment(subject, from(command)));
      case LEAVE ->
          journal.append(record.timestamp(), subject, new Departure(subject, from(command)));
      case FORGET -> journal.append(record.timestamp(), subject, new Forgetting(subject));
      case SKIP -> broadcast(record, command, new Skip(command.getRelease()));
      case ACTIVATE ->
          broadcast(
              record,
              command,
              new Activation(
                  command.getVersion(), from(command), command.getDigest(), command.getNoiseKey()));
      case SEAL -> broadcast(record, command, new Seal());
    }
  }

  /** Without a time a command holds from the first window that is open when it is read. */
  private static long from(ControlEntry command) {
    return command.getFrom() == null
        ? EventReader.EARLIEST
        : Math.max(EventReader.EARLIEST, command.getFrom().toEpochMilli());
  }

  /** Ledgers that were continued elsewhere share the control topic: each has its own commands. */
  private void broadcast(Record<byte[], byte[]> record, ControlEntry command, JournalEntry entry) {
    if (command.getBudget().equals(budget)) {
      journal.broadcast(record.timestamp(), entry);
    }
  }
}
