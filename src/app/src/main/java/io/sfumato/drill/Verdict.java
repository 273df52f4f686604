// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.drill;

import java.util.Locale;

/** What a drill comes to, the worst last. */
public enum Verdict {
  /** Everything that can be compared is the same. */
  SAME,
  /** Nothing differs for certain, but the pipeline wrote too often to compare ledger totals. */
  UNSETTLED,
  /** Copies contradict each other, or ledgers their total. */
  DIFFERENT;

  /** For programs. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
