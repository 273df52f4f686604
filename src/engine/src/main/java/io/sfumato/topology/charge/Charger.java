// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.charge;

import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.topology.setting.PipelineMeters;

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

  /** Charges a subject's window, before any of its data is looked at. */
  Verdict charge(String subject, long windowStart);

  /** Takes back a charge for which nothing was ever drawn or skipped. */
  void handBack(String subject, long windowStart);

  /** Remembers that the end of a lifetime budget was announced. */
  void announced(String subject, long windowStart);

  /**
   * Where users are protected: whoever contributed to a dataset was charged for it, once for all
   * subjects, in the transaction that passed the records on.
   */
  static Charger ofContributors() {
    return new Charger() {
      @Override
      public Verdict charge(String subject, long windowStart) {
        return Verdict.CHARGED;
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
  static Charger ofCalendar(PlannedRelease release, PastPeriods periods, PipelineMeters meters) {
    return new Charger() {
      @Override
      public Verdict charge(String subject, long windowStart) {
        periods.chargeable(windowStart);
        meters.charged(release.share().name(), release.charge().mechanism());
        return Verdict.CHARGED;
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
