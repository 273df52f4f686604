// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

/** How much of an output is written as text. */
public enum TextLength {
  /** What a terminal of 80 columns has room for; says how much it leaves out. */
  TERMINAL,

  /** All of it, however wide: for files and other programs. */
  WHOLE
}
