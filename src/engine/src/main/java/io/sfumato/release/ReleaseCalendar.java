// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.WindowSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/** Of which windows a file's outputs are due: by the calendar alone, hence public. */
public record ReleaseCalendar(Pipeline pipeline) {
  /**
   * A window of which outputs are due.
   *
   * @param outputs their names, one or more
   * @param start of the window, inclusive, milliseconds since 1970
   * @param end of the window, exclusive
   * @param closes from when on a clock closes it, grace included
   */
  public record Due(List<String> outputs, long start, long end, long closes) {
    public Due {
      outputs = List.copyOf(outputs);
    }
  }

  /** The output that is published to a topic, or of whose records that one is made. */
  public Optional<ReleaseSpec> releaseOf(String topic) {
    List<String> sources =
        pipeline.derived().stream()
            .filter(made -> made.topic().equals(topic))
            .flatMap(made -> made.sources().stream())
            .toList();
    return pipeline.releases().stream()
        .filter(spec -> spec.topic().equals(topic) || sources.contains(spec.name()))
        .findFirst();
  }

  /**
   * The first window of which an output is due, from the window on in which a time lies; nothing
   * where no calendar says so.
   */
  public Optional<Due> from(ReleaseSpec release, long time) {
    return pipeline.nextDue(release, time).stream()
        .mapToObj(start -> due(List.of(release.name()), start))
        .findFirst();
  }

  /**
   * Where nothing is due of the window in which a time lies, what is due next, the earliest first;
   * empty where something is.
   */
  public List<Due> instead(long time) {
    long start = pipeline.window().startOf(time);
    List<Due> next = each(release -> true, time);
    return next.stream().anyMatch(due -> due.start() == start) ? List.of() : next;
  }

  /** Of those outputs that are not due of every window the next ones, from a time on. */
  public List<Due> sparse(long time) {
    return each(this::passesOver, time);
  }

  private List<Due> each(Predicate<ReleaseSpec> which, long time) {
    SortedMap<Long, List<String>> byStart = new TreeMap<>();
    for (ReleaseSpec release : pipeline.releases()) {
      if (which.test(release)) {
        pipeline
            .nextDue(release, time)
            .ifPresent(
                start ->
                    byStart.computeIfAbsent(start, s -> new ArrayList<>()).add(release.name()));
      }
    }
    return byStart.entrySet().stream().map(due -> due(due.getValue(), due.getKey())).toList();
  }

  /** Whether windows are passed over: then one of the two behind the first one is. */
  private boolean passesOver(ReleaseSpec release) {
    WindowSpec window = pipeline.window();
    return LongStream.of(window.plus(window.first(), 1), window.plus(window.first(), 2))
        .anyMatch(start -> from(release, start).filter(due -> due.start() == start).isEmpty());
  }

  private Due due(List<String> outputs, long start) {
    long end =
        pipeline.releases().stream()
            .filter(release -> outputs.contains(release.name()))
            .mapToLong(release -> pipeline.windowOf(release).endOf(start))
            .max()
            .orElseGet(() -> pipeline.window().endOf(start));
    return new Due(outputs, start, end, end + pipeline.window().grace().toMillis());
  }
}
