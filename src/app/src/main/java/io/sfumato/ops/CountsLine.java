// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import io.sfumato.ops.RunningCounts.Wait;
import io.sfumato.pipeline.Plurals;
import io.sfumato.serde.RejectionCode;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.OptionalLong;

/** Counts in one line for the console. */
final class CountsLine {
  private CountsLine() {}

  static String of(RunningCounts counts) {
    Collection<ReleaseProgress> progress = counts.partitions().values();
    long silent = sum(counts.silences());
    long notEnrolled = counts.notEnrolledRecords();
    long failed = sum(counts.learnerFailures());
    String line =
        String.join(
            ", ",
            Plurals.of(counts.acceptedRecords(), "record accepted", "records accepted"),
            Plurals.of(counts.releases(), "release"),
            Plurals.of(counts.refusals(), "refusal"));
    OptionalLong closed = progress.stream().flatMapToLong(each -> each.released().stream()).min();
    if (closed.isPresent()) {
      line += ", all windows released up to " + Instant.ofEpochMilli(closed.getAsLong());
    }
    if (silent > 0) {
      line += ", %,d skipped after an exhausted budget".formatted(silent);
    }
    if (counts.unselectedRecords() > 0) {
      line += ", %,d not selected".formatted(counts.unselectedRecords());
    }
    if (notEnrolled > 0) {
      line += ", %,d not enrolled".formatted(notEnrolled);
    }
    if (failed > 0) {
      line += ", %,d learners failed".formatted(failed);
    }
    Map<Integer, Wait> waits = counts.waiting();
    if (!waits.isEmpty()) {
      Wait next = Collections.max(waits.values(), Comparator.comparingInt(Wait::version));
      line +=
          ", %s for version %d (windows from %s)"
              .formatted(
                  OperatorEvents.partitions(waits.keySet(), "waits", "wait"),
                  next.version(),
                  Instant.ofEpochMilli(next.from()));
    }
    for (Map.Entry<RejectionCode, Long> code : counts.rejections().entrySet()) {
      line += ", %,d %s".formatted(code.getValue(), code.getKey());
    }
    int slowest = progress.stream().mapToInt(ReleaseProgress::heldBackBy).max().orElse(-1);
    return slowest < 0
        ? line
        : line + ", windows held back by source partition " + counts.words(slowest);
  }

  private static long sum(Map<String, Long> counts) {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }
}
