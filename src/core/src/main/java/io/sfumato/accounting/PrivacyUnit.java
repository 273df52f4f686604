// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import java.util.Locale;

/** What a guarantee protects. Stated in every output. */
public enum PrivacyUnit {
  /** One record's value is replaced; key, time, order and validity of every record are public. */
  RECORD("record"),
  /** All records of one user in one window are added or removed, of which at most C count. */
  USER("user"),
  /** Any two datasets of the subject (integral privacy). */
  DATASET("dataset");

  private final String word;

  PrivacyUnit(String word) {
    this.word = word;
  }

  /**
   * Whether a charge of this unit may enter a ledger of another, in a pipeline whose subjects are
   * users: {@code dataset} implies all, every unit implies itself, nothing else holds.
   */
  public boolean implies(PrivacyUnit ledger) {
    return this == ledger || this == DATASET;
  }

  /** The word that pipeline files and outputs use. */
  public String word() {
    return word;
  }

  /** As digests of plans have it: this text never changes. */
  public String canonical() {
    return word.toUpperCase(Locale.ROOT);
  }
}
