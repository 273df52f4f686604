// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import io.sfumato.rows.Card;
import io.sfumato.rows.Card.Spot;
import io.sfumato.rows.OutputHead;
import io.sfumato.rows.Stretch;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** What was released lately of each subject of one output, window by window. */
final class TimeSeries {
  /** As many rows as the page has colours for. */
  private static final int MOST_LINES = 4;

  private static final int MOST_SUBJECTS = 100;
  private static final int MOST_WINDOWS = 48;

  /**
   * A window on a course.
   *
   * @param about which windows the numbers are about
   * @param to end of the window
   * @param rows how many the output has
   * @param spots of the first of them
   */
  record Point(Stretch about, Instant to, int rows, List<Spot> spots) {
    private static Point of(Card card) {
      return new Point(
          card.stretch(),
          card.to(),
          card.rows().size(),
          card.rows().stream().limit(MOST_LINES).flatMap(row -> row.spot().stream()).toList());
    }
  }

  /** The subject that was heard of longest ago goes first. */
  private final Map<String, NavigableMap<Instant, Point>> bySubject =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(
            Map.Entry<String, NavigableMap<Instant, Point>> eldest) {
          return size() > MOST_SUBJECTS;
        }
      };

  /** Adds a window's; the same again changes nothing. */
  void add(HeadedCard output) {
    NavigableMap<Instant, Point> course =
        bySubject.computeIfAbsent(output.head().subject(), name -> new TreeMap<>());
    Point point = Point.of(output.card());
    if (!course.isEmpty() && course.lastEntry().getValue().rows() != point.rows()) {
      course.clear(); // another version of the file asks for other rows
    }
    course.put(output.head().windowStart(), point);
    if (course.size() > MOST_WINDOWS) {
      course.pollFirstEntry();
    }
  }

  /**
   * Those of an output's subject up to its window, the oldest first: each about its own window, or
   * all running since the same one.
   */
  List<Point> of(OutputHead output) {
    NavigableMap<Instant, Point> course = bySubject.get(output.subject());
    if (course == null || !course.containsKey(output.windowStart())) {
      return List.of();
    }
    Stretch newest = course.get(output.windowStart()).about();
    return course.headMap(output.windowStart(), true).values().stream()
        .filter(point -> newest.goesOn(point.about()))
        .toList();
  }
}
