// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.readers;

import io.sfumato.rows.Column;
import io.sfumato.rows.Group;
import io.sfumato.rows.OutputHead;
import io.sfumato.rows.OutputRow;
import io.sfumato.rows.Reading;
import io.sfumato.schema.Guarantee;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What one output has published, window by window. Not safe for several threads. */
final class OutputWindows {
  /** Of one release: of a longer one, the rows with the largest values are kept. */
  static final int MOST_ROWS = 20_000;

  /** Of one output: a kind has a handful. */
  private static final int MOST_MEASURES = 1_000;

  private static final long WINDOW_BYTES = 200;

  private final Map<Line, Integer> numbers = new HashMap<>();
  private final Map<Integer, Kept> lines = new HashMap<>();
  private final Map<ChartMeasure, Short> measures = new LinkedHashMap<>();

  /** Releases by subject, by the start of their window in milliseconds since 1970. */
  private final NavigableMap<Long, Map<String, ReleaseRows>> windows = new TreeMap<>();

  private int nextLine;
  private long bytes;
  private long left;
  private OptionalLong droppedThrough = OptionalLong.empty();
  private Optional<Newest> newest = Optional.empty();

  /** A line, and how many rows are about it. */
  private static final class Kept {
    private final Line line;
    private int rows;

    Kept(Line line) {
      this.line = line;
    }
  }

  /** What the newest window's record says beside its numbers. */
  record Newest(long window, Guarantee guarantee, OptionalDouble leftOut) {}

  /**
   * One line to choose.
   *
   * @param average of its published values, without those that the noise hides; NaN if all are such
   * @param windows that it is the average of
   */
  record LineChoice(int number, Line line, double average, int windows) {}

  /** Adds up the published values of one line. */
  private static final class Average {
    private double sum;
    private int values;

    void add(double value) {
      sum += value;
      values++;
    }

    double value() {
      return values == 0 ? Double.NaN : sum / values;
    }
  }

  /** Adds a release. A later record of the same subject and window replaces an earlier one. */
  void add(List<OutputRow> rows, Reading reading, Guarantee guarantee, Instant released) {
    List<OutputRow> shown = shown(rows, reading);
    if (shown.isEmpty()) {
      return;
    }
    OutputHead head = shown.get(0).head();
    long window = head.windowStart().toEpochMilli();
    if (newest.isEmpty() || newest.get().window() <= window) {
      newest = Optional.of(new Newest(window, guarantee, head.leftOut()));
    }
    List<ReleaseRows.Row> kept = new ArrayList<>(shown.size());
    for (OutputRow row : shown) {
      Optional<Short> measure = measure(ChartMeasure.of(row));
      if (measure.isPresent()) {
        int line = line(new Line(head.subject(), row.group()));
        kept.add(new ReleaseRows.Row(line, measure.get(), row));
      }
    }
    ReleaseRows release = new ReleaseRows(head, released, kept);
    Map<String, ReleaseRows> subjects =
        windows.computeIfAbsent(
            window,
            made -> {
              bytes += WINDOW_BYTES;
              return new TreeMap<>();
            });
    bytes += release.bytes();
    Optional.ofNullable(subjects.put(head.subject(), release)).ifPresent(this::forget);
  }

  /** The numbers that the kind reads out, but for ranks and marks; all drawn ones without any. */
  private List<OutputRow> shown(List<OutputRow> rows, Reading reading) {
    Set<String> read =
        reading.columns().stream()
            .filter(column -> column.style() != Column.Style.RANK)
            .filter(column -> column.style() != Column.Style.MARK)
            .map(Column::measure)
            .collect(Collectors.toSet());
    List<OutputRow> shown =
        rows.stream()
            .filter(row -> read.isEmpty() ? row.drawn() : read.contains(row.measure().name()))
            .toList();
    if (shown.size() <= MOST_ROWS) {
      return shown;
    }
    left += shown.size() - MOST_ROWS;
    return shown.stream()
        .sorted(Comparator.comparingDouble(row -> -Math.abs(row.quantity().value().doubleValue())))
        .limit(MOST_ROWS)
        .toList();
  }

  private Optional<Short> measure(ChartMeasure measured) {
    if (!measures.containsKey(measured) && measures.size() == MOST_MEASURES) {
      left++;
      return Optional.empty();
    }
    return Optional.of(measures.computeIfAbsent(measured, m -> (short) measures.size()));
  }

  private int line(Line line) {
    int number =
        numbers.computeIfAbsent(
            line,
            made -> {
              bytes += made.bytes();
              lines.put(nextLine, new Kept(made));
              return nextLine++;
            });
    lines.get(number).rows++;
    return number;
  }

  /** Frees what only this release needs. */
  private void forget(ReleaseRows release) {
    bytes -= release.bytes();
    for (int row = 0; row < release.size(); row++) {
      Kept kept = lines.get(release.line(row));
      kept.rows--;
      if (kept.rows == 0) {
        lines.remove(release.line(row));
        numbers.remove(kept.line);
        bytes -= kept.line.bytes();
      }
    }
  }

  /** Drops the oldest window, unless it is the only one; says whether it did. */
  boolean dropOldest() {
    if (windows.size() < 2) {
      return false;
    }
    Map.Entry<Long, Map<String, ReleaseRows>> oldest = windows.pollFirstEntry();
    oldest.getValue().values().forEach(this::forget);
    bytes -= WINDOW_BYTES;
    droppedThrough =
        OptionalLong.of(Math.max(oldest.getKey(), droppedThrough.orElse(Long.MIN_VALUE)));
    return true;
  }

  /** Drops what one subject has in one window, which does not fit. */
  void drop(String subject, long window) {
    Map<String, ReleaseRows> subjects = windows.getOrDefault(window, new TreeMap<>());
    Optional.ofNullable(subjects.remove(subject))
        .ifPresent(
            release -> {
              left += release.size();
              forget(release);
            });
    if (subjects.isEmpty() && windows.remove(window) != null) {
      bytes -= WINDOW_BYTES;
    }
  }

  /** About what all of it takes in memory. */
  long bytes() {
    return bytes;
  }

  /** How many rows were left out because there was no room for them. */
  long left() {
    return left;
  }

  /** The newest window that was dropped to make room, if one was. */
  OptionalLong droppedThrough() {
    return droppedThrough;
  }

  Optional<Newest> newest() {
    return newest;
  }

  /** What charts can show, in the order in which the kind reads it out. */
  List<ChartMeasure> measures() {
    return List.copyOf(measures.keySet());
  }

  /** The number of the lines that some window has. */
  int lines() {
    return lines.size();
  }

  /** Starts of all windows, the oldest first. */
  List<Long> windows() {
    return List.copyOf(windows.keySet());
  }

  /**
   * Lines with a measure, the one with the largest average first. An average of many windows keeps
   * its place while the noise of single windows changes.
   *
   * @param measure its place in {@link #measures}
   */
  List<LineChoice> choices(int measure) {
    Map<Integer, Average> averages = new LinkedHashMap<>();
    for (Map<String, ReleaseRows> window : windows.descendingMap().values()) {
      for (ReleaseRows release : window.values()) {
        for (int row = 0; row < release.size(); row++) {
          if (release.measure(row) == measure) {
            Average average = averages.computeIfAbsent(release.line(row), l -> new Average());
            if (!release.unknown(row)) {
              average.add(release.value(row));
            }
          }
        }
      }
    }
    List<LineChoice> choices = new ArrayList<>();
    averages.forEach(
        (line, average) ->
            choices.add(
                new LineChoice(line, lines.get(line).line, average.value(), average.values)));
    // The sort is stable: equal ones stay in the output's order. Those without a value are last.
    choices.sort(
        Comparator.comparingDouble(
            choice -> Double.isNaN(choice.average()) ? Double.MAX_VALUE : -choice.average()));
    return choices;
  }

  /** Takes one number of a release. */
  interface PointReader {
    /**
     * Takes the next number.
     *
     * @param line its number
     * @param row as it was published
     * @param released when its record was written
     */
    void read(int line, OutputRow row, Instant released);
  }

  /**
   * Every number of some lines in some windows, window by window.
   *
   * @param measure its place in {@link #measures}
   * @param chosen numbers of the lines
   */
  void points(List<Long> chosenWindows, int measure, Set<Integer> chosen, PointReader reader) {
    for (long window : chosenWindows) {
      for (ReleaseRows release : windows.getOrDefault(window, Map.of()).values()) {
        for (int row = 0; row < release.size(); row++) {
          int line = release.line(row);
          if (release.measure(row) == measure && chosen.contains(line)) {
            Group group = lines.get(line).line.group();
            reader.read(line, release.row(row, group), release.released());
          }
        }
      }
    }
  }
}
