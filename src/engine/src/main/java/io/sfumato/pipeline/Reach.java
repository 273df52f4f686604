// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

/** From which releases of a subject what is published is made. */
public enum Reach {
  /** That of the window alone. */
  WINDOW,
  /** Those before it as well: their noisy counts are published, and so is all they say. */
  HISTORY
}
