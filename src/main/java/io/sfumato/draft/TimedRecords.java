// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.draft;

import io.sfumato.pipeline.WindowSpec;
import io.sfumato.serde.EventReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The records of a sample by their event times.
 *
 * @param time the field that holds them
 */
record TimedRecords(List<Map<String, String>> records, String time) {
  private static final long LEAST_MILLIS = 315_532_800_000L; // 1980
  private static final long MOST_MILLIS = 4_102_444_800_000L; // 2100

  /** Milliseconds since 1970, if a value is a time. */
  static Optional<Long> millis(String value) {
    if (value.matches("\\d{12,13}")) {
      long number = Long.parseLong(value);
      return number > LEAST_MILLIS && number < MOST_MILLIS ? Optional.of(number) : Optional.empty();
    }
    return EventReader.parseTime(value);
  }

  private Optional<Long> at(Map<String, String> record) {
    return Optional.ofNullable(record.get(time)).flatMap(TimedRecords::millis);
  }

  /** In ascending order, milliseconds since 1970. */
  long[] times() {
    return records.stream()
        .flatMap(record -> at(record).stream())
        .mapToLong(Long::longValue)
        .sorted()
        .toArray();
  }

  /**
   * What a field holds in each window of each person.
   *
   * @param person field
   */
  Map<String, List<String>> windows(String person, String field, Duration size) {
    Map<String, List<String>> windows = new HashMap<>();
    for (Map<String, String> record : records) {
      Optional<Long> at = at(record);
      if (at.isPresent() && record.get(person) != null && record.get(field) != null) {
        windows
            .computeIfAbsent(
                record.get(person) + "@" + WindowSpec.startOf(at.get(), size, WindowSpec.MONDAY),
                window -> new ArrayList<>())
            .add(record.get(field));
      }
    }
    return windows;
  }

  /** The upper median of windows that have records; 0 without any. */
  int medianSize(String person, Duration size) {
    int[] sorted = sizes(person, size);
    return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
  }

  /**
   * The size of the window that a typical record lies in: half of all records lie in windows of
   * this size or more. Where few have most of the records, the many small windows of others would
   * hide them from a median of windows.
   *
   * @return 0 without any
   */
  int typicalSize(String person, Duration size) {
    int[] sorted = sizes(person, size);
    long all = Arrays.stream(sorted).asLongStream().sum();
    int place = sorted.length;
    for (long above = 0; 2 * above < all; above += sorted[place]) {
      place--;
    }
    return place == sorted.length ? 0 : sorted[place];
  }

  /** Records of each window that has any, in ascending order. */
  private int[] sizes(String person, Duration size) {
    return windows(person, person, size).values().stream().mapToInt(List::size).sorted().toArray();
  }
}
