// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.client.CsvEvents;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.time.Instant;
import java.util.List;

/**
 * Events that would all be late, since the program ticks by itself and has closed their windows.
 */
final class ClosedRows {
  private ClosedRows() {}

  /**
   * Refuses them.
   *
   * @param now wall clock, milliseconds since 1970
   * @throws RefusedException if there are any
   */
  static void refuse(WindowSpec window, List<CsvEvents.Row> rows, long now)
      throws RefusedException {
    long open = window.boundaryOf(now);
    long closed =
        rows.stream().flatMap(row -> row.time().stream()).filter(time -> time < open).count();
    if (closed > 0) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "%,d of %,d events are before %s: with 'ticks: here' the pipeline has closed their windows and would drop all of them as LATE. To publish history, write 'ticks: external' into the file: produce then writes the ticks. Otherwise send recent events only, or send these anyway with --no-ticks. Nothing was sent"
              .formatted(closed, rows.size(), Instant.ofEpochMilli(open)));
    }
  }
}
