// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.budget;

import io.sfumato.gate.Permit;
import io.sfumato.gate.ReleaseId;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.topology.context.PipelineMeters;
import java.util.Optional;

/** What has to be charged before anything is drawn. */
public interface Charger {
  /** What came of a charge. */
  enum Verdict {
    /** It stands. */
    CHARGED,
    /** It does not fit; nothing was changed. */
    SPENT,
    /** It does not fit, and that was announced before. */
    EXHAUSTED
  }

  /**
   * What came of a charge.
   *
   * @param permit for the draw, exactly where the charge stands
   */
  record Outcome(Verdict verdict, Optional<Permit> permit) {
    static final Outcome SPENT = new Outcome(Verdict.SPENT, Optional.empty());
    static final Outcome EXHAUSTED = new Outcome(Verdict.EXHAUSTED, Optional.empty());

    static Outcome charged(Permit permit) {
      return new Outcome(Verdict.CHARGED, Optional.of(permit));
    }
  }

  /**
   * Charges a subject's window, before any of its data is looked at.
   *
   * @param id of the draw
   */
  Outcome charge(ReleaseId id);

  /**
   * Charges a subject's window for a query, before any of its data is looked at; the query's draws
   * may come long after, and have permits of their own.
   *
   * @return whether the charge stands; if not, nothing was changed
   */
  boolean reserve(String subject, long windowStart);

  /** Takes back a charge for which nothing was ever drawn or skipped. */
  void handBack(String subject, long windowStart);

  /** Remembers that the end of a lifetime budget was announced. */
  void announced(String subject, long windowStart);

  /**
   * Where users are protected: whoever contributed to a dataset was charged for it, once for all
   * subjects, in the transaction that passed the records on.
   */
  static Charger ofContributors(PlannedRelease release) {
    return new Charger() {
      @Override
      public Outcome charge(ReleaseId id) {
        return Outcome.charged(Permit.coveredByContributors(id, release.plan().mechanism()));
      }

      @Override
      public boolean reserve(String subject, long windowStart) {
        return true;
      }

      @Override
      public void handBack(String subject, long windowStart) {
        throw new IllegalStateException("what users contributed stays charged");
      }

      @Override
      public void announced(String subject, long windowStart) {
        throw new IllegalStateException("subjects of many users have no budget that could end");
      }
    };
  }

  /**
   * Where a share affords all that the calendar releases of any span: a window is charged once and
   * for all, and nothing is remembered but which windows are decided.
   */
  static Charger ofCalendar(PlannedRelease release, ExpiredLedgers periods, PipelineMeters meters) {
    return new Charger() {
      @Override
      public Outcome charge(ReleaseId id) {
        reserve(id.subject(), id.windowStart());
        return Outcome.charged(Permit.coveredByCalendar(id, release.plan().mechanism()));
      }

      @Override
      public boolean reserve(String subject, long windowStart) {
        periods.chargeable(windowStart);
        meters.charged(release.share().name(), release.charge().mechanism());
        return true;
      }

      @Override
      public void handBack(String subject, long windowStart) {
        throw new IllegalStateException("what the calendar releases stays charged");
      }

      @Override
      public void announced(String subject, long windowStart) {
        throw new IllegalStateException("what the calendar releases is never spent");
      }
    };
  }
}
