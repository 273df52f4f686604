// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.intake;

import io.sfumato.release.Plan;
import io.sfumato.serde.OutputEncoder;
import io.sfumato.serde.RejectedRecordException;
import io.sfumato.serde.Stamp;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.journal.Journal;
import io.sfumato.topology.store.PreCommitHooks;
import io.sfumato.topology.version.StateIdentity;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Brings what people say beside the records into the journal, where it gets its place in its one
 * order: after the records that were read before it.
 */
abstract class EntryProcessor implements Processor<byte[], byte[], byte[], byte[]> {
  private final ReadUpTo.Source source;
  private final Stamp stamp;
  private final OutputEncoder encoder;
  private final PipelineMeters meters;
  private Journal journal;
  private ProcessorContext<byte[], byte[]> context;
  private PreCommitHooks intake;
  private ReadUpTo read;
  private DeadLetters deadLetters;

  EntryProcessor(Plan plan, Deployment deployment, ReadUpTo.Source source) {
    this.source = source;
    this.stamp = StateIdentity.Maker.of(plan, deployment).stamp();
    this.encoder = OutputEncoder.of(plan.pipeline().format(), deployment.schemas());
    this.meters = deployment.meters();
  }

  /** Where an entry goes. */
  interface Addressed {
    void appendTo(Journal journal, long timestamp);
  }

  /**
   * Reads one record.
   *
   * @throws RejectedRecordException if nothing of it may go into the journal
   */
  abstract Addressed read(byte[] value) throws RejectedRecordException;

  @Override
  public void init(ProcessorContext<byte[], byte[]> context) {
    this.context = context;
    journal = new Journal(context, source.entries, stamp);
    intake = context.getStateStore(Names.INTAKE_COMMIT);
    read = new ReadUpTo(source, context.getStateStore(Names.SOURCE_STORE));
    intake.run(context, source.intake, read::write);
    deadLetters = new DeadLetters(context, source.deadLetters, encoder, meters);
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    read.advance(context.recordMetadata().orElseThrow());
    try {
      Addressed entry = read(record.value());
      // Records that were read before it stand before it.
      intake.runNow();
      entry.appendTo(journal, record.timestamp());
    } catch (RejectedRecordException e) {
      deadLetters.publish(record.timestamp(), e);
    }
  }
}
