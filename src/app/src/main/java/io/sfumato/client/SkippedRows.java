// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.modeller.PseudoData;
import io.sfumato.pipeline.InputSpec;
import java.util.List;
import java.util.Optional;

/**
 * What a pipeline's own records have and synthetic ones lack: pseudo-data are numbers, or counts of
 * categories, or both, and never say which belong to one record.
 *
 * @param what the fields hold, as a plural
 * @param fields by their names; none if nothing is missing
 */
public record SkippedRows(String what, List<String> fields) {
  /** Nothing: rows are like the pipeline's records. */
  static final SkippedRows NOTHING = new SkippedRows("", List.of());

  public SkippedRows {
    fields = List.copyOf(fields);
  }

  /** Of rows that are written of such pseudo-data. */
  static SkippedRows of(PseudoData data, InputSpec input) {
    return data instanceof PseudoData.Counts
        ? new SkippedRows("numbers", input.numbers())
        : new SkippedRows("categories", input.categoryFields());
  }

  /** The same in a line for people. */
  public Optional<String> sentence() {
    return fields.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "note: %s are left out: %s, because pseudo-data do not link them to records"
                .formatted(what, String.join(", ", fields)));
  }
}
