// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.record;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Which formats read most of some times: one, none, or several between which somebody must choose,
 * as day and month in {@code 05/01/2026 14:05}.
 *
 * @param formats those that fit, the usual one first
 */
public record TimeFormatGuess(List<TimeFormat> formats) {
  /** Dates of spreadsheets, databases and logs, each with seconds and without. */
  private static final List<String> PATTERNS =
      Stream.of(
              "dd.MM.yyyy",
              "dd/MM/yyyy",
              "MM/dd/yyyy",
              "d/M/yyyy",
              "M/d/yyyy",
              "dd-MM-yyyy",
              "yyyy/MM/dd",
              "yyyyMMdd")
          .flatMap(
              date ->
                  Stream.of("HH:mm", "HH:mm:ss", "H:mm", "h:mm a", "h:mm:ss a")
                      .map(time -> date + " " + time))
          .toList();

  /** Texts that are looked at. */
  private static final int ENOUGH = 100;

  /** Every format has some digits. */
  private static final Pattern MAY_BE_TIME = Pattern.compile("\\d\\D{0,3}\\d{2}");

  private static final List<String> OTHERS =
      List.of("yyyyMMddHHmmss", "MMM d, yyyy, h:mm:ss a", "dd/MMM/yyyy:HH:mm:ss xx");

  /** All that are tried, the usual one first. */
  private static final List<TimeFormat> FORMATS =
      Stream.of(
              Stream.of(new TimeFormat.Auto()),
              Stream.of(TimeFormat.Epoch.values()),
              Stream.concat(PATTERNS.stream(), OTHERS.stream()).map(TimeFormat::of))
          .<TimeFormat>flatMap(formats -> formats)
          .toList();

  /** Any zone: whether a text fits a format does not depend on it, but for an hour a year. */
  private static final Optional<ZoneId> ANY = Optional.of(ZoneId.of("UTC"));

  public TimeFormatGuess {
    formats = List.copyOf(formats);
  }

  /**
   * Of some times.
   *
   * @param all as found in a field or column
   */
  public static TimeFormatGuess of(List<String> all) {
    List<String> texts = spread(all);
    return texts.stream().anyMatch(MAY_BE_TIME.asPredicate())
        ? ofFew(texts)
        : new TimeFormatGuess(List.of());
  }

  /** Some of many, from all places: days of the first records may all be the same. */
  private static List<String> spread(List<String> all) {
    int step = Math.max(1, all.size() / ENOUGH);
    return IntStream.iterate(0, i -> i < all.size(), i -> i + step).mapToObj(all::get).toList();
  }

  private static TimeFormatGuess ofFew(List<String> texts) {
    List<TimeFormat> fitting = FORMATS.stream().filter(format -> readsMost(format, texts)).toList();
    return new TimeFormatGuess(
        fitting.isEmpty() || !(fitting.get(0) instanceof TimeFormat.Pattern)
            ? fitting.stream().limit(1).toList()
            : different(fitting, texts));
  }

  private static boolean readsMost(TimeFormat format, List<String> texts) {
    TimeReader reader = new TimeReader(format, ANY);
    return 2 * texts.stream().filter(text -> isPlausible(reader, text)).count() > texts.size();
  }

  /** Every number is a time in any unit: one from 1990 to 2100 counts. */
  private static boolean isPlausible(TimeReader reader, String text) {
    if (reader.format() instanceof TimeFormat.Epoch epoch) {
      String number = JsonNumber.trimmed(text);
      return JsonNumber.isNumber(number)
          && TimeReader.auto().number(number) instanceof TimeReading.Implausible other
          && other.fits().equals(Optional.of(epoch));
    }
    return reader.text(text) instanceof TimeReading.Time;
  }

  /** The first of those that read every text alike. */
  private static List<TimeFormat> different(List<TimeFormat> fitting, List<String> texts) {
    List<TimeFormat> kept = new ArrayList<>();
    for (TimeFormat format : fitting) {
      List<TimeReading> mine = readings(format, texts);
      boolean known = kept.stream().anyMatch(other -> agree(readings(other, texts), mine));
      if (!known) {
        kept.add(format);
      }
    }
    return kept;
  }

  /** Whether two formats never read a text as two times. */
  private static boolean agree(List<TimeReading> one, List<TimeReading> other) {
    for (int i = 0; i < one.size(); i++) {
      boolean both =
          one.get(i) instanceof TimeReading.Time && other.get(i) instanceof TimeReading.Time;
      if (both && !one.get(i).equals(other.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static List<TimeReading> readings(TimeFormat format, List<String> texts) {
    TimeReader reader = new TimeReader(format, ANY);
    return texts.stream().map(reader::text).toList();
  }
}
