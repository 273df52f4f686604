// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import io.sfumato.pipeline.Card;
import io.sfumato.pipeline.Stretch;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.avro.generic.IndexedRecord;

/** What was released lately of each subject of one output, window by window. */
final class Courses {
  private static final int MOST_SUBJECTS = 100;
  private static final int MOST_WINDOWS = 48;

  /** The subject that was heard of longest ago goes first. */
  private final Map<String, NavigableMap<Instant, Card>> bySubject =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, NavigableMap<Instant, Card>> eldest) {
          return size() > MOST_SUBJECTS;
        }
      };

  /** Adds a window's; the same again changes nothing. */
  void add(IndexedRecord output, Card card) {
    NavigableMap<Instant, Card> course =
        bySubject.computeIfAbsent(subject(output), name -> new TreeMap<>());
    if (!course.isEmpty() && course.lastEntry().getValue().rows().size() != card.rows().size()) {
      course.clear(); // another version of the file asks for other rows
    }
    course.put(from(output), card);
    if (course.size() > MOST_WINDOWS) {
      course.pollFirstEntry();
    }
  }

  /**
   * Those of an output's subject up to its window, the oldest first: each about its own window, or
   * all running since the same one.
   */
  List<Card> of(IndexedRecord output) {
    NavigableMap<Instant, Card> course = bySubject.get(subject(output));
    if (course == null || !course.containsKey(from(output))) {
      return List.of();
    }
    Stretch newest = course.get(from(output)).stretch();
    return course.headMap(from(output), true).values().stream()
        .filter(card -> newest.goesOn(card.stretch()))
        .toList();
  }

  static String output(IndexedRecord output) {
    return String.valueOf(field(output, "output"));
  }

  static String subject(IndexedRecord output) {
    return String.valueOf(field(output, "subject"));
  }

  static Instant from(IndexedRecord output) {
    return (Instant) field(output, "window_start");
  }

  private static Object field(IndexedRecord output, String name) {
    return output.get(output.getSchema().getField(name).pos());
  }
}
