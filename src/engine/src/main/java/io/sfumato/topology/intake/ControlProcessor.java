// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.intake;

import io.sfumato.bytes.CorruptBytesException;
import io.sfumato.record.CanonicalName;
import io.sfumato.release.Plan;
import io.sfumato.schema.ControlEntry;
import io.sfumato.serde.EventReader;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Activation;
import io.sfumato.serde.JournalEntry.Departure;
import io.sfumato.serde.JournalEntry.Enrolment;
import io.sfumato.serde.JournalEntry.Forgetting;
import io.sfumato.serde.JournalEntry.Seal;
import io.sfumato.serde.JournalEntry.Skip;
import io.sfumato.serde.Outputs;
import io.sfumato.serde.RejectedRecordException;
import io.sfumato.serde.RejectionCode;
import io.sfumato.topology.context.Deployment;

/** Brings operators' commands into the journal. */
public final class ControlProcessor extends EntryProcessor {
  private final String budget;

  public ControlProcessor(Plan plan, Deployment deployment) {
    super(plan, deployment, ReadUpTo.Source.COMMANDS);
    this.budget = plan.pipeline().budget().name();
  }

  @Override
  Addressed read(byte[] value) throws RejectedRecordException {
    ControlEntry command = decode(value);
    return switch (command.getCommand()) {
      case ENROL, LEAVE, FORGET -> ofSubject(command);
      case SKIP -> toAll(command, new Skip(command.getRelease()));
      case ACTIVATE ->
          toAll(
              command,
              new Activation(
                  command.getVersion(), from(command), command.getDigest(), command.getNoiseKey()));
      case SEAL -> toAll(command, new Seal());
    };
  }

  private static Addressed ofSubject(ControlEntry command) throws RejectedRecordException {
    String subject =
        CanonicalName.ofText(command.getSubject())
            .orElseThrow(() -> new RejectedRecordException(RejectionCode.BAD_CONTROL));
    return switch (command.getCommand()) {
      case ENROL -> to(subject, new Enrolment(subject, from(command)));
      case LEAVE -> to(subject, new Departure(subject, from(command)));
      default -> to(subject, new Forgetting(subject));
    };
  }

  private static ControlEntry decode(byte[] value) throws RejectedRecordException {
    try {
      return Outputs.decodeControl(value);
    } catch (CorruptBytesException e) {
      throw new RejectedRecordException(RejectionCode.BAD_CONTROL);
    }
  }

  /** Without a time a command holds from the first window that is open when it is read. */
  private static long from(ControlEntry command) {
    return command.getFrom() == null
        ? EventReader.EARLIEST
        : Math.max(EventReader.EARLIEST, command.getFrom().toEpochMilli());
  }

  private static Addressed to(String subject, JournalEntry entry) {
    return (journal, timestamp) -> journal.append(timestamp, subject, entry);
  }

  /** Ledgers that were continued elsewhere share the control topic: each has its own commands. */
  private Addressed toAll(ControlEntry command, JournalEntry entry) {
    return (journal, timestamp) -> {
      if (command.getBudget().equals(budget)) {
        journal.broadcast(timestamp, entry);
      }
    };
  }
}
