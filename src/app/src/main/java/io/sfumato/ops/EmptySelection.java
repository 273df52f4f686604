// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import java.util.Optional;

/** A filter that selects nothing, which is hardly what anybody means. */
public final class EmptySelection {
  /** So few records may all be others. */
  private static final int SUSPICIOUS = 100;

  private EmptySelection() {}

  /** A warning, if many records were read and none was selected. */
  public static Optional<String> words(RunningCounts counts) {
    return counts.acceptedRecords() == 0 && counts.unselectedRecords() >= SUSPICIOUS
        ? Optional.of(
            "WARNING: input.where selected none of %,d records: check the names of its fields, and their values"
                .formatted(counts.unselectedRecords()))
        : Optional.empty();
  }
}
