// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.intake;

import io.sfumato.release.Plan;
import io.sfumato.serde.CandidateReader;
import io.sfumato.serde.JournalEntry.Candidate;
import io.sfumato.serde.RejectedRecordException;
import io.sfumato.topology.context.Deployment;

/** Brings modellers' candidates into the journal. */
public final class CandidateProcessor extends EntryProcessor {
  private final CandidateReader reader;

  public CandidateProcessor(Plan plan, Deployment deployment) {
    super(plan, deployment, ReadUpTo.Source.CANDIDATES);
    this.reader = new CandidateReader(plan.pipeline());
  }

  @Override
  Addressed read(byte[] value) throws RejectedRecordException {
    Candidate candidate = reader.read(value);
    return (journal, timestamp) -> journal.append(timestamp, candidate.subject(), candidate);
  }
}
