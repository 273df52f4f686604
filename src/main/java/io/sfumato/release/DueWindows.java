// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.ReleaseSpec;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/** Of which windows a file's outputs are due: by the calendar alone, hence public. */
public record DueWindows(Pipeline pipeline) {
  /**
   * A window of which an output is due.
   *
   * @param output its name
   * @param start of the window, inclusive, milliseconds since 1970
   * @param end of the window, exclusive
   * @param closes from when on a clock closes it, grace included
   */
  public record Due(String output, long start, long end, long closes) {}

  /** The output that is published to a topic. */
  public Optional<ReleaseSpec> releaseOf(String topic) {
    return pipeline.releases().stream().filter(spec -> spec.topic().equals(topic)).findFirst();
  }

  /**
   * The first window of which an output is due, from the window on in which a time lies; nothing
   * where no calendar says so.
   */
  public Optional<Due> from(ReleaseSpec release, long time) {
    return pipeline.nextDue(release, time).stream()
        .mapToObj(start -> due(release, start))
        .findFirst();
  }

  /** Those outputs for which the window in which a time lies is passed over: each's next one. */
  public List<Due> instead(long time) {
    long start = pipeline.window().startOf(time);
    return pipeline.releases().stream()
        .flatMap(release -> from(release, time).stream())
        .filter(due -> due.start() > start)
        .toList();
  }

  /** Those outputs that are not due of every window: each's first one, from a time on. */
  public List<Due> sparse(long time) {
    return pipeline.releases().stream()
        .filter(this::passesOver)
        .flatMap(release -> from(release, time).stream())
        .toList();
  }

  /** Whether windows are passed over: then one of the two behind the first one is. */
  private boolean passesOver(ReleaseSpec release) {
    long first = pipeline.window().begin().orElse(pipeline.window().origin());
    long size = pipeline.window().size().toMillis();
    return LongStream.of(first + size, first + 2 * size)
        .anyMatch(start -> from(release, start).filter(due -> due.start() == start).isEmpty());
  }

  private Due due(ReleaseSpec release, long start) {
    long end = pipeline.window().endOf(start);
    return new Due(release.name(), start, end, end + pipeline.window().grace().toMillis());
  }
}
