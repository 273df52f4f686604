// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.combine;

import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.OptionalDouble;

/**
 * A number that was computed from rows, with its 95% interval.
 *
 * @param value whole numbers are a {@link Long}
 * @param low end, likewise
 * @param high end, likewise
 * @param deviation of its noise; empty where the interval is not made of one
 * @param window from the first start to the last end
 * @param rows how many it is made of
 * @param leftOut largest share of a row's example that contribution bounds leave out
 */
public record Combined(
    Number value,
    Number low,
    Number high,
    OptionalDouble deviation,
    FileRow.Window window,
    int rows,
    OptionalDouble leftOut) {
  static Combined of(
      Number value, Number low, Number high, OptionalDouble deviation, Collection<FileRow> rows) {
    Instant start =
        rows.stream().map(row -> row.place().window().start()).min(Comparator.naturalOrder()).get();
    Instant end =
        rows.stream().map(row -> row.place().window().end()).max(Comparator.naturalOrder()).get();
    OptionalDouble leftOut =
        rows.stream().flatMapToDouble(row -> row.marks().leftOut().stream()).max();
    return new Combined(
        value, low, high, deviation, new FileRow.Window(start, end), rows.size(), leftOut);
  }

  /** The same within a possible range. */
  Combined within(double least, double most) {
    return new Combined(
        clamp(value, least, most),
        clamp(low, least, most),
        clamp(high, least, most),
        deviation,
        window,
        rows,
        leftOut);
  }

  private static double clamp(Number number, double least, double most) {
    return Math.min(Math.max(number.doubleValue(), least), most);
  }
}
