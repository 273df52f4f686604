package io.sfumato.topology;

import io.sfumato.schema.ControlEntry;
import io.sfumato.serde.CorruptBytesException;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.Outputs;
import io.sfumato.serde.RejectionCode;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** Brings operators' commands into the journal, where they get their place in its one order. */
final class ControlProcessor implements Processor<byte[], byte[], byte[], byte[]> {
  private final PipelineMeters meters;
  private Journal journal;
  private DeadLetters deadLetters;

  ControlProcessor(PipelineMeters meters) {
    this.meters = meters;
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> context) {
    journal = new Journal(context, Names.ENTRIES);
    deadLetters = new DeadLetters(context, Names.DEAD_LETTERS, meters);
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    ControlEntry command;
    try {
      command = Outputs.decodeControl(record.value());
    } catch (CorruptBytesException e) {
      deadLetters.bury(record.timestamp(), RejectionCode.BAD_CONTROL);
      return;
    }
    long from = command.getFrom().toEpochMilli();
    JournalEntry entry =
        switch (command.getCommand()) {
          case ENROL -> new JournalEntry.Enrolment(command.getSubject(), from);
          case LEAVE -> new JournalEntry.Departure(command.getSubject(), from);
        };
    journal.append(record.timestamp(), command.getSubject(), entry);
  }
}
