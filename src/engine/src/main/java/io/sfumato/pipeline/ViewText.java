// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.schema.Estimate;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Parts of the lines in which outputs are shown. */
public final class ViewText {
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm").withZone(ZoneOffset.UTC);

  private static final DateTimeFormatter SECOND =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);

  private ViewText() {}

  /** A time, to the minute. */
  public static String day(Instant instant) {
    return DAY.format(instant);
  }

  /** Where a window begins: to the second where that is no whole minute. */
  public static String start(Instant window) {
    return isMinute(window) ? day(window) : SECOND.format(window);
  }

  /** The same, alike for all windows of a length. */
  public static String start(Instant window, Instant end) {
    return isMinute(window) && isMinute(end) ? day(window) : SECOND.format(window);
  }

  private static boolean isMinute(Instant instant) {
    return instant.getEpochSecond() % 60 == 0;
  }

  /**
   * How many records a window has, before what is made of them.
   *
   * @param records null where their number is protected: then nothing
   */
  public static String records(Number records) {
    return records == null ? "" : String.format(Locale.ROOT, "%5s records  ", records);
  }

  /**
   * What no error bar contains.
   *
   * @param ofExample 0 to 1; null where there is no example
   */
  public static String leftOut(Double ofExample) {
    return ofExample == null || ofExample == 0
        ? ""
        : String.format(
            Locale.ROOT, "  (limits drop %.0f%% of the example's records)", ofExample * 100);
  }

  /** Numbers, four digits each. */
  public static String numbers(List<Double> numbers) {
    return numbers.stream()
        .map(x -> String.format(Locale.ROOT, "%.4g", x))
        .collect(Collectors.joining(" "));
  }

  /**
   * A number with its 95% interval: as many digits as the interval leaves, and two more.
   *
   * @param low at most the number
   * @param high at least the number
   */
  public static String interval(double value, double low, double high) {
    String each = format(value, high - low);
    return String.format(
        Locale.ROOT,
        high > low ? each + " (" + each + " to " + each + ")" : each,
        positive(value, each),
        positive(low, each),
        positive(high, each));
  }

  /** An estimate with its interval; it says where the value was moved to what is possible. */
  public static String interval(Estimate estimate) {
    return interval(estimate.getValue(), estimate.getLow(), estimate.getHigh())
        + (estimate.getClamped() ? ", clamped" : "");
  }

  /** A number with half its interval, in fewer letters. */
  public static String around(double value, double half) {
    String each = format(value, 2 * half);
    return String.format(Locale.ROOT, half > 0 ? each + " ± " + each : each, value, half);
  }

  /** What would read as -0. */
  private static double positive(double value, String format) {
    return String.format(Locale.ROOT, format, value).matches("-[0.]+") ? 0 : value;
  }

  private static String format(double value, double width) {
    if (width == 0 && value == Math.rint(value)) {
      return "%,.0f";
    }
    double shown = Math.max(width, Math.abs(value) * 1e-9);
    int decimals =
        shown > 0 ? (int) Math.max(0, Math.min(9, 1 - Math.floor(StrictMath.log10(shown)))) : 0;
    return "%,." + decimals + "f";
  }

  /** What may be null. */
  public static OptionalDouble optional(Double value) {
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }
}
