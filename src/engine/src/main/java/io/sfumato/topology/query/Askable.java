// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.query;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.schema.RefusalCode;
import io.sfumato.serde.JournalEntry.Candidate;
import io.sfumato.topology.dataset.Dataset;
import io.sfumato.topology.dataset.DatasetStore;
import io.sfumato.topology.dataset.ForgottenSubjects;
import io.sfumato.topology.roster.Roster;
import java.util.Optional;

/** Which datasets candidates may be compared with. */
record Askable(
    Pipeline pipeline, DatasetStore datasets, Roster roster, ForgottenSubjects forgotten) {
  /** Where subjects are fixed: nothing of this one is released in the candidate's window. */
  boolean isNotEnrolled(Candidate candidate) {
    return pipeline.subjects().isFixed()
        && !roster.covers(candidate.subject(), candidate.windowStart());
  }

  /** What speaks against comparing a candidate with a closed window. */
  Optional<RefusalCode> refusal(Candidate candidate) {
    Optional<Dataset> dataset = dataset(candidate);
    if (isNotEnrolled(candidate) || dataset.isEmpty()) {
      return Optional.of(RefusalCode.UNKNOWN_SUBJECT);
    }
    return dataset.get().hasTooManyEvents()
        ? Optional.of(RefusalCode.TOO_MANY_EVENTS)
        : Optional.empty();
  }

  /** What a candidate is compared with. */
  Optional<Dataset> dataset(Candidate candidate) {
    if (forgotten.contains(candidate.subject(), pipeline.window().endOf(candidate.windowStart()))) {
      // It may still be there, for its scheduled releases.
      return Optional.empty();
    }
    // An enrolled subject without records has no dataset either: N is public, and 0.
    return datasets.get(new DatasetStore.Key(candidate.windowStart(), candidate.subject()));
  }
}
