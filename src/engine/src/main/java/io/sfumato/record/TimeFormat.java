// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.record;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How times are written: {@code input.time-format} of a pipeline file. */
public sealed interface TimeFormat {
  /** The word or pattern of the pipeline file. */
  String word();

  /**
   * A time as this format has it.
   *
   * @param zone of a pattern without an offset
   */
  default String written(long millis, Optional<ZoneId> zone) {
    return Instant.ofEpochMilli(millis).toString();
  }

  /** ISO-8601 with an offset and unambiguous machine forms; milliseconds since 1970. */
  record Auto() implements TimeFormat {
    @Override
    public String word() {
      return "auto";
    }
  }

  /** ISO-8601: {@code 2026-01-05T14:05:00+01:00}. */
  record Iso() implements TimeFormat {
    @Override
    public String word() {
      return "iso";
    }
  }

  /** A number of units since 1970. */
  enum Epoch implements TimeFormat {
    SECONDS("epoch-s", 3),
    MILLISECONDS("epoch-ms", 0),
    MICROSECONDS("epoch-us", -3),
    NANOSECONDS("epoch-ns", -6);

    private static final BigDecimal FIRST = millis("1990-01-01T00:00:00Z");
    private static final BigDecimal LAST = millis("2101-01-01T00:00:00Z");

    private final String word;

    /** Power of ten of the milliseconds in a unit. */
    private final int power;

    Epoch(String word, int power) {
      this.word = word;
      this.power = power;
    }

    private static BigDecimal millis(String time) {
      return BigDecimal.valueOf(Instant.parse(time).toEpochMilli());
    }

    @Override
    public String word() {
      return word;
    }

    @Override
    public String written(long millis, Optional<ZoneId> zone) {
      return BigDecimal.valueOf(millis).scaleByPowerOfTen(-power).toPlainString();
    }

    /** Milliseconds since 1970. */
    BigDecimal millis(BigDecimal units) {
      return units.scaleByPowerOfTen(power);
    }

    /** Whether so many units since 1970 lie from 1990 to 2100. */
    boolean isPlausible(BigDecimal units) {
      BigDecimal millis = millis(units);
      return millis.compareTo(FIRST) >= 0 && millis.compareTo(LAST) < 0;
    }

    /** The unit in which a number lies from 1990 to 2100. */
    static Optional<TimeFormat> fitting(BigDecimal units) {
      return Arrays.stream(values())
          .filter(epoch -> epoch.isPlausible(units))
          .map(epoch -> (TimeFormat) epoch)
          .findFirst();
    }
  }

  /**
   * A pattern of Java's {@link DateTimeFormatter}, such as {@code dd.MM.yyyy HH:mm}; names of
   * months are English.
   *
   * @param hasZone whether it has an offset or a zone's name, optional or not
   */
  record Pattern(String word, DateTimeFormatter formatter, boolean hasZone) implements TimeFormat {
    /** A time whose fields all differ. */
    private static final LocalDateTime SAMPLE = LocalDateTime.of(2026, 11, 28, 17, 45, 59, 0);

    /** Names of zones that several zones share, such as CST, or that are words of a language. */
    private static final java.util.regex.Pattern AMBIGUOUS =
        java.util.regex.Pattern.compile("[zvO]|ZZZZ");

    /** A zone as a mere word, which would be passed over: another zone would be read. */
    private static final java.util.regex.Pattern QUOTED =
        java.util.regex.Pattern.compile("' *(Z|UTC|GMT) *'");

    /**
     * Of a pattern.
     *
     * @throws IllegalArgumentException if it is none, or leaves the date or the time of day open;
     *     the message says what is allowed
     */
    public static Pattern of(String pattern) {
      DateTimeFormatter formatter = formatter(pattern);
      refuseZones(pattern);
      try {
        TemporalAccessor read = formatter.parse(example(formatter));
        LocalDateTime.from(read).getMinute();
        boolean whole = LocalDateTime.from(read).withSecond(59).equals(SAMPLE);
        if (whole && read.isSupported(ChronoField.HOUR_OF_DAY)) {
          return new Pattern(pattern, formatter, read.query(TemporalQueries.zone()) != null);
        }
      } catch (DateTimeException e) {
        throw incomplete(e);
      }
      throw incomplete(null);
    }

    private static void refuseZones(String pattern) {
      if (AMBIGUOUS.matcher(pattern.replaceAll("'[^']*'", "")).find()) {
        throw new IllegalArgumentException(
            "a pattern without z, v, O and ZZZZ, whose zone names are ambiguous: XXX reads an offset such as"
                + " +01:00 or Z, VV a zone such as Europe/Berlin");
      }
      if (QUOTED.matcher(pattern).find()) {
        throw new IllegalArgumentException(
            "a pattern without 'Z', 'UTC' or 'GMT' in quotes, which would be ignored: XXX reads Z, VV reads UTC and GMT");
      }
    }

    @Override
    public String written(long millis, Optional<ZoneId> zone) {
      return formatter.format(Instant.ofEpochMilli(millis).atZone(zone.orElse(ZoneOffset.UTC)));
    }

    /** A time written so. */
    String example() {
      return example(formatter);
    }

    private static String example(DateTimeFormatter formatter) {
      return formatter.format(SAMPLE.atZone(ZoneOffset.UTC));
    }

    private static IllegalArgumentException incomplete(Throwable cause) {
      return new IllegalArgumentException(
          "a pattern with year, month, day, hour and minute, such as 'dd.MM.yyyy HH:mm'", cause);
    }

    /** Strict: 31 February is no time. Years are counted as ISO-8601 does. */
    private static DateTimeFormatter formatter(String pattern) {
      try {
        return DateTimeFormatter.ofPattern(withIsoYears(pattern), Locale.ENGLISH)
            .withResolverStyle(ResolverStyle.STRICT);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "auto, iso, epoch-s, epoch-ms, epoch-us, epoch-ns, or a pattern such as 'dd.MM.yyyy HH:mm'",
            e);
      }
    }

    /** Under a strict resolver {@code y} is a year of an era, and {@code u} a year. */
    private static String withIsoYears(String pattern) {
      StringBuilder years = new StringBuilder();
      boolean quoted = false;
      for (char c : pattern.toCharArray()) {
        quoted ^= c == '\'';
        years.append(c == 'y' && !quoted ? 'u' : c);
      }
      return years.toString();
    }
  }

  /**
   * The format of a word or pattern.
   *
   * @throws IllegalArgumentException if it is none; the message says what is allowed
   */
  static TimeFormat of(String word) {
    if (word.equals("auto")) {
      return new Auto();
    }
    if (word.equals("iso")) {
      return new Iso();
    }
    return Arrays.stream(Epoch.values())
        .filter(epoch -> epoch.word().equals(word))
        .map(epoch -> (TimeFormat) epoch)
        .findFirst()
        .orElseGet(() -> Pattern.of(word));
  }
}
