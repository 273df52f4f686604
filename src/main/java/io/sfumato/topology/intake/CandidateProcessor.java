// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.intake;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.Plan;
import io.sfumato.serde.CandidateReader;
import io.sfumato.serde.JournalEntry.Candidate;
import io.sfumato.serde.OutputEncoder;
import io.sfumato.serde.RejectedRecordException;
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

/** Brings modellers' candidates into the journal, where they get their place in its one order. */
public final class CandidateProcessor implements Processor<byte[], byte[], byte[], byte[]> {
  private final CandidateReader reader;
  private final Stamp stamp;
  private final OutputEncoder encoder;
  private final PipelineMeters meters;
  private Journal journal;
  private ProcessorContext<byte[], byte[]> context;
  private BeforeCommit intake;
  private ReadUpTo read;
  private DeadLetters deadLetters;

  public CandidateProcessor(Plan plan, Deployment deployment) {
    Pipeline pipeline = plan.pipeline();
    this.stamp = Identity.Maker.of(plan, deployment).stamp();
    this.reader = new CandidateReader(pipeline);
    this.meters = deployment.meters();
    this.encoder = OutputEncoder.of(pipeline.format(), deployment.schemas());
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> context) {
    journal = new Journal(context, Names.CANDIDATE_ENTRIES, stamp);
    this.context = context;
    intake = context.getStateStore(Names.INTAKE_COMMIT);
    read = new ReadUpTo(ReadUpTo.Source.CANDIDATES, context.getStateStore(Names.SOURCE_STORE));
    intake.run(context, Names.CANDIDATE_INTAKE, read::write);
    deadLetters = new DeadLetters(context, Names.CANDIDATE_DEAD_LETTERS, encoder, meters);
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    read.advance(context.recordMetadata().orElseThrow());
    try {
      Candidate candidate = reader.read(record.value());
      // Records that were read before it stand before it.
      intake.runNow();
      journal.append(record.timestamp(), candidate.subject(), candidate);
    } catch (RejectedRecordException e) {
      deadLetters.publish(record.timestamp(), e.code());
    }
  }
}
