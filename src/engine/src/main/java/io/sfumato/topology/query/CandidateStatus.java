// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.query;

import io.sfumato.schema.RefusalCode;

/** What becomes of a candidate that waits. */
sealed interface CandidateStatus {
  /** Orders those of one window and subject as the journal decided them. */
  int place();

  /** Does it. */
  void carryOut(WaitingCandidate waiting, WaitingCandidates.Actions actions);

  /** Nothing is decided yet. */
  record Open() implements CandidateStatus {
    @Override
    public int place() {
      return Integer.MAX_VALUE;
    }

    @Override
    public void carryOut(WaitingCandidate waiting, WaitingCandidates.Actions actions) {}
  }

  /** It waited too long. */
  record Expired(int place, long timestamp) implements CandidateStatus {
    @Override
    public void carryOut(WaitingCandidate waiting, WaitingCandidates.Actions actions) {
      actions.giveUp(waiting, RefusalCode.EXPIRED, timestamp);
    }
  }

  /** Its window belongs to another version. */
  record Withdrawn(int place, long timestamp) implements CandidateStatus {
    @Override
    public void carryOut(WaitingCandidate waiting, WaitingCandidates.Actions actions) {
      actions.giveUp(waiting, RefusalCode.VERSION_CHANGED, timestamp);
    }
  }

  /** Its window is closed. */
  record Due() implements CandidateStatus {
    @Override
    public int place() {
      return Integer.MAX_VALUE;
    }

    @Override
    public void carryOut(WaitingCandidate waiting, WaitingCandidates.Actions actions) {
      actions.answer(waiting);
    }
  }
}
