// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.TypeConversionException;

/** How long to wait, as people write it. */
final class WaitingTime {
  private static final Pattern SHORT = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)");

  private WaitingTime() {}

  /** A number with a unit, or ISO-8601. */
  static Duration parse(String text) {
    Matcher matcher = SHORT.matcher(text.toLowerCase(Locale.ROOT));
    if (matcher.matches()) {
      long amount = Long.parseLong(matcher.group(1));
      return switch (matcher.group(2)) {
        case "ms" -> Duration.ofMillis(amount);
        case "s" -> Duration.ofSeconds(amount);
        case "m" -> Duration.ofMinutes(amount);
        case "h" -> Duration.ofHours(amount);
        default -> Duration.ofDays(amount);
      };
    }
    try {
      Duration iso = Duration.parse(text);
      if (!iso.isNegative()) {
        return iso;
      }
    } catch (DateTimeParseException e) {
      // Neither.
    }
    throw new TypeConversionException(
        "'%s' is not a duration such as 30s, 5m or 1h, or ISO-8601 such as PT30S".formatted(text));
  }
}
