// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Events of many users, cut into windows of event time.
 *
 * @param name for tables
 * @param categories in order; the last takes all others
 * @param planSize public guess of the number of records in a window
 * @param windows those with at least 20 events, in order
 */
record EventStream(String name, List<String> categories, long planSize, List<Window> windows) {
  EventStream {
    categories = List.copyOf(categories);
    windows = List.copyOf(windows);
  }

  /**
   * One window.
   *
   * @param place its number among all windows of its length since 1970
   * @param byUser categories of each user's events, in the file's order
   */
  record Window(long place, List<int[]> byUser) {
    long[] counts(int categories) {
      long[] counts = new long[categories];
      for (int[] events : byUser) {
        for (int category : events) {
          counts[category]++;
        }
      }
      return counts;
    }
  }

  /** Which columns of a file hold what, and how its time is cut. */
  record Layout(
      String file,
      String user,
      String time,
      String category,
      List<String> categories,
      Duration window,
      long planSize) {}

  /** The diabetes diary week by week, all patients together: UCI 34. */
  static final Layout DIARY =
      new Layout(
          "uci_diabetes_events",
          "patient",
          "timestamp",
          "code",
          List.of("33", "34", "35", "48", "57", "58", "60", "62", "64", "other"),
          Duration.ofDays(7),
          100);

  /** Edits of Wikipedia hour by hour, of its sampled feed of 2015-09-12. */
  static final Layout WIKI =
      new Layout(
          "wikipedia_edits_20150912",
          "user",
          "time",
          "namespace",
          List.of("Main", "Talk", "User", "User talk", "Wikipedia", "other"),
          Duration.ofHours(1),
          1500);

  /** Windows with fewer events are left out: the feed has some stray ones on other days. */
  private static final int FEWEST = 20;

  /** Reads one of them; rows without a usable time are left out. */
  static EventStream read(Path folder, Layout layout) throws ExperimentException {
    DataSet data = DataSet.read(folder, layout.file());
    String[] users = data.column(layout.user()).texts();
    String[] times = data.column(layout.time()).texts();
    String[] categories = data.column(layout.category()).texts();
    Map<Long, Map<String, List<Integer>>> windows = new TreeMap<>();
    for (int row = 0; row < users.length; row++) {
      long time;
      try {
        time = OffsetDateTime.parse(times[row]).toInstant().toEpochMilli();
      } catch (DateTimeParseException e) {
        continue;
      }
      int place = layout.categories().indexOf(categories[row]);
      windows
          .computeIfAbsent(
              Math.floorDiv(time, layout.window().toMillis()), window -> new HashMap<>())
          .computeIfAbsent(users[row], user -> new ArrayList<>())
          .add(place < 0 ? layout.categories().size() - 1 : place);
    }
    return new EventStream(
        layout.file(),
        layout.categories(),
        layout.planSize(),
        windows.entrySet().stream()
            .map(entry -> window(entry.getKey(), entry.getValue()))
            .filter(
                window -> window.byUser().stream().mapToInt(told -> told.length).sum() >= FEWEST)
            .toList());
  }

  private static Window window(long place, Map<String, List<Integer>> users) {
    // In an order that does not depend on hashing.
    return new Window(
        place,
        new TreeMap<>(users)
            .values().stream()
                .map(events -> events.stream().mapToInt(Integer::intValue).toArray())
                .toList());
  }
}
