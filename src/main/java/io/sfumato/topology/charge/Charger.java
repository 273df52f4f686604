// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.charge;

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
}
