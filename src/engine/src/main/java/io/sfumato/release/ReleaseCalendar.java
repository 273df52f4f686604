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
        .mapToObj(start -> due(List.of(release.name()), stretch(release, start)))
        .findFirst();
  }

  /**
   * Where nothing is due of the window in which a time lies, what is due next, the earliest first;
   * empty where something is.
   */
  public List<Due> instead(long time) {
    // A longer window of an output is decided with the last one of the file's that it has.
    long end = pipeline.window().endOf(pipeline.window().startOf(time));
    List<Due> next = each(release -> true, time);
    return next.stream().anyMatch(due -> due.end() == end) ? List.of() : next;
  }

  /**
   * Of those outputs that are not due of every window of the file the next ones, from a time on:
   * those that pass windows over, and those whose windows are longer.
   */
  public List<Due> sparse(long time) {
    return each(this::passesOver, time);
  }

  private List<Due> each(Predicate<ReleaseSpec> which, long time) {
    SortedMap<Stretch, List<String>> outputs = new TreeMap<>();
    for (ReleaseSpec release : pipeline.releases()) {
      if (which.test(release)) {
        pipeline
            .nextDue(release, time)
            .ifPresent(
                start ->
                    outputs
                        .computeIfAbsent(stretch(release, start), s -> new ArrayList<>())
                        .add(release.name()));
      }
    }
    return outputs.entrySet().stream().map(one -> due(one.getValue(), one.getKey())).toList();
  }

  /** A window, which may be an output's own; the first that closes comes first. */
  private record Stretch(long start, long end) implements Comparable<Stretch> {
    @Override
    public int compareTo(Stretch other) {
      int byEnd = Long.compare(end, other.end);
      return byEnd != 0 ? byEnd : Long.compare(start, other.start);
    }
  }

  private Stretch stretch(ReleaseSpec release, long start) {
    return new Stretch(start, pipeline.windowOf(release).endOf(start));
  }

  /** Whether windows are passed over: then one of the two behind the first one is. */
  private boolean passesOver(ReleaseSpec release) {
    WindowSpec window = pipeline.window();
    return LongStream.of(window.plus(window.first(), 1), window.plus(window.first(), 2))
        .anyMatch(start -> from(release, start).filter(due -> due.start() == start).isEmpty());
  }

  private Due due(List<String> outputs, Stretch window) {
    return new Due(
        outputs, window.start(), window.end(), window.end() + pipeline.window().grace().toMillis());
  }
}
