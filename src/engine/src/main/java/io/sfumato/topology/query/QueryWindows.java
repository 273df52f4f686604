// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.query;

import io.sfumato.accounting.Period;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.serde.JournalEntry.Candidate;
import io.sfumato.topology.journal.Watermarks;
import java.util.OptionalLong;

/**
 * Which windows candidates may ask: read off the boundaries, hence off the journal, never off the
 * progress of slices.
 */
final class QueryWindows {
  private final WindowSpec window;
  private final Period period;
  private final int longest;
  private final Watermarks watermarks;

  /** Windows that start before this were another version's. */
  private final long since;

  /** Windows that start at this or later will be another version's. */
  private long end = Long.MAX_VALUE;

  QueryWindows(Pipeline pipeline, Watermarks watermarks, long since) {
    this.window = pipeline.window();
    this.period = pipeline.budget().period();
    this.longest = pipeline.keep();
    this.watermarks = watermarks;
    this.since = since;
  }

  /** Windows that start before this were another version's. */
  long since() {
    return since;
  }

  /** Windows that start at {@code from} or later belong to the next version. */
  void leaveFrom(long from) {
    end = from;
  }

  /** Whether a window is another version's. */
  boolean areOthers(long windowStart) {
    return windowStart < since || windowStart >= end;
  }

  /** Number of the budget period that a window lies in. */
  long period(long windowStart) {
    return period.indexOf(windowStart);
  }

  boolean isClosed(long windowStart) {
    return watermarks.isClosed(window.endOf(windowStart));
  }

  /** Whether a dataset is gone that was kept for some windows. */
  boolean isGone(long windowStart, int keep) {
    OptionalLong through = watermarks.closedThrough();
    return through.isPresent() && windowStart < goneBefore(through.getAsLong(), keep);
  }

  /** Whether every window of its period is gone, and the memory of it with them. */
  boolean isForgotten(long windowStart) {
    OptionalLong through = watermarks.closedThrough();
    return through.isPresent()
        && period(goneBefore(through.getAsLong(), longest)) > period(windowStart);
  }

  /** Windows that start before this are gone. */
  long goneBefore(long closedThrough, int keep) {
    return window.plus(closedThrough, -keep);
  }

  /** That of the candidate or of its window's close, whichever is later: who waited is the same. */
  long timestamp(Candidate candidate, long asked) {
    return Math.max(asked, watermarks.timestampOf(window.endOf(candidate.windowStart())));
  }
}
