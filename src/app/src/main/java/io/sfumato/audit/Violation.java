// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import java.util.Locale;

/**
 * Something that the promise does not allow. All names in it are made up.
 *
 * @param kind what is violated
 * @param where log, and how its neighbour differs
 * @param what was found
 */
public record Violation(Kind kind, String where, String what) {
  /** What a violation is of. */
  public enum Kind {
    /** Something that should not differ does, or the pipeline stops. */
    REPLAY,
    /** Outputs depend on where slices are cut. */
    SLICING,
    /** Exact inputs lie further apart than the charge assumes. */
    DISTANCE,
    /** More is lost than is charged. */
    LOSS
  }

  @Override
  public String toString() {
    return kind.name().toLowerCase(Locale.ROOT) + ": " + where + ": " + what;
  }
}
