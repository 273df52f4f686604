// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import java.util.Locale;

/** What bounds the loss of releases. */
public enum Accountant {
  /** The privacy-loss distribution: exact for one release, within its width for many. */
  EXACT,
  /** The Rényi curve, at one order. */
  RENYI,
  /** The Rényi bound of the Dirichlet paper's Algorithm 1. */
  PAPER;

  /** The word of pipeline files and command lines. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
