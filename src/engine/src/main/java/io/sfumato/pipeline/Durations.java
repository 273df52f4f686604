// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/**
 * Lengths of time as pipeline files write them: {@code 500ms}, {@code 15m}, {@code 7d}, {@code 2w}.
 */
public final class Durations {
  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h|d|w)");

  private Durations() {}

  /**
   * Of a number and a unit (ms, s, m, h, d, w), or ISO 8601's {@code PT15M}.
   *
   * @return nothing for any other text, and for what is below 0
   */
  public static Optional<Duration> parse(String text) {
    Matcher matcher = DURATION.matcher(text);
    try {
      if (!matcher.matches()) {
        return Optional.of(Duration.parse(text)).filter(d -> !d.isNegative());
      }
      long amount = Long.parseLong(matcher.group(1));
      return Optional.of(
          switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            case "w" -> Duration.ofDays(7 * amount);
            default -> Duration.ofDays(amount);
          });
    } catch (DateTimeParseException | ArithmeticException e) {
      return Optional.empty();
    }
  }

  /**
   * A span that a budget could bound, as files write it: of two windows at least, and 30 days at
   * least.
   */
  public static String spanWord(Duration window) {
    long windows = Math.max(2, -Math.floorDiv(-Duration.ofDays(30).toMillis(), window.toMillis()));
    return word(window.multipliedBy(windows));
  }

  /** A period of whole windows, as files write it: of 30 days or a few more, if such days do. */
  public static String periodWord(Duration window) {
    return LongStream.rangeClosed(30, 60)
        .mapToObj(Duration::ofDays)
        .filter(days -> days.toMillis() % window.toMillis() == 0)
        .findFirst()
        .map(Durations::word)
        .orElseGet(() -> spanWord(window));
  }

  /**
   * How many pieces of a grid a stretch of time meets at most, wherever it begins: whole ones
   * within it, and parts of one at each end.
   *
   * @param time above 0
   * @param piece above 0
   */
  public static long mostMet(Duration time, Duration piece) {
    return 1 - Math.floorDiv(-time.toMillis(), piece.toMillis());
  }

  /** The shortest way to write a duration in a pipeline file. */
  public static String word(Duration duration) {
    long millis = duration.toMillis();
    if (millis % 86_400_000 == 0 && millis > 0) {
      return millis / 86_400_000 + "d";
    }
    if (millis % 3_600_000 == 0 && millis > 0) {
      return millis / 3_600_000 + "h";
    }
    if (millis % 60_000 == 0 && millis > 0) {
      return millis / 60_000 + "m";
    }
    return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
  }
}
