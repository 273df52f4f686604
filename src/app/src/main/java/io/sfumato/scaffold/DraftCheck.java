// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import io.sfumato.client.Rehearsal;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.record.RecordPart;
import io.sfumato.record.TimeFormat;
import io.sfumato.record.TimeReader;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import io.sfumato.window.FixedWindows;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether a draft fits what was asked for and the records that were looked at. */
public final class DraftCheck {
  private static final Pattern WINDOW = Pattern.compile("(\\d{1,6})([smhdw])");

  private DraftCheck() {}

  /** A wrong argument of {@code sfumato new}. */
  public static RefusedException wrong(String message) {
    return new RefusedException(ExitCode.USAGE, message);
  }

  /** A length of windows such as 7d. */
  public static Duration duration(String text) throws RefusedException {
    Matcher matcher = WINDOW.matcher(text);
    if (!matcher.matches() || Long.parseLong(matcher.group(1)) == 0) {
      throw wrong("--window: found '" + text + "', allowed are such as 30s, 15m, 1h, 7d, 2w");
    }
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      case "d" -> Duration.ofDays(number);
      default -> Duration.ofDays(7 * number);
    };
  }

  private static FixedWindows windows(Duration size) {
    return new FixedWindows(size, WindowSpec.MONDAY);
  }

  /** The start of the window that is open at some time. */
  public static long open(Duration size, Instant now) {
    return windows(size).startOf(now.toEpochMilli());
  }

  /** The start of a window, if it is one. */
  public static long begin(Instant given, Duration size) throws RefusedException {
    long start = open(size, given);
    if (start != given.toEpochMilli()) {
      throw wrong(
          "--begin: found %s, within a window: one starts %s, the next %s"
              .formatted(
                  WindowSpec.beginText(given.toEpochMilli()),
                  WindowSpec.beginText(start),
                  WindowSpec.beginText(windows(size).endOf(start))));
    }
    return start;
  }

  /**
   * When a day of UTC begins by the clocks of a zone.
   *
   * @param year in which it is asked: rules of zones change
   */
  public static Optional<String> utc(Optional<ZoneId> zone, Duration window, int year) {
    if (zone.isEmpty() || window.compareTo(Duration.ofHours(1)) <= 0) {
      return Optional.empty();
    }
    LocalTime january = midnight(year, 1, zone.get());
    LocalTime july = midnight(year, 7, zone.get());
    if (january.equals(LocalTime.MIDNIGHT) && july.equals(LocalTime.MIDNIGHT)) {
      return Optional.empty();
    }
    String local =
        january.equals(july)
            ? january.toString()
            : january + " in January and " + july + " in July,";
    return Optional.of(
        "Windows are cut in UTC, whatever zone times are written in: a day begins at 00:00Z, which is %s in %s. For local days, write 'zone: %s' into 'window'."
            .formatted(local, zone.get(), zone.get()));
  }

  private static LocalTime midnight(int year, int month, ZoneId zone) {
    return LocalDate.of(year, month, 1)
        .atStartOfDay(ZoneOffset.UTC)
        .withZoneSameInstant(zone)
        .toLocalTime();
  }

  /** Each item of an array counts where a user's records are bounded, and by itself. */
  public static void requireCounted(Optional<String> user, List<String> category)
      throws RefusedException {
    Optional<String> each = category.stream().filter(field -> field.contains("[]")).findFirst();
    if (each.isPresent() && (user.isEmpty() || category.size() > 1)) {
      throw wrong(
          "--category: found '%s'; each item of an array counts only %s. Name one item: %s"
              .formatted(
                  each.get(),
                  user.isEmpty() ? "with --user, in a pipeline of populations" : "by itself",
                  each.get().replace("[]", "[0]")));
    }
    if (category.size() > Counted.MOST || Set.copyOf(category).size() < category.size()) {
      throw wrong(
          "--category: found %s, allowed are up to %d different fields"
              .formatted(String.join(", ", category), Counted.MOST));
    }
  }

  /** A file that names other fields would make a dead letter of every record. */
  public static void requireFields(SampleRecords sample, FieldRoles fields)
      throws RefusedException {
    for (String field : fields.all()) {
      requireField(sample, field);
    }
  }

  /** The same of one field, before others are guessed from it. */
  public static void requireField(SampleRecords sample, String field) throws RefusedException {
    if (!sample.fields().isEmpty()
        && !sample.fields().contains(field)
        && !sample.fields().contains(ArrayItemsScaffold.first(field))
        && RecordPart.isField(field)) {
      throw wrong(
          "no record has a field '%s'; there are %s"
              .formatted(field, String.join(", ", sample.fields())));
    }
  }

  /** Whether most times of a field lack what says when they were. */
  public static boolean lacksOffsets(SampleRecords sample, String time, TimeFormat format) {
    TimeReader times = new TimeReader(format, Optional.empty());
    List<String> texts = sample.values(time);
    return 2 * texts.stream().filter(times::lacksZone).count() > texts.size();
  }

  /** What to say of numbers that are to be summarised, where some cannot be read. */
  public static List<String> numbers(SampleRecords sample, List<MeasuredField> measured) {
    return measured.stream().flatMap(value -> value.unusable(sample).stream()).toList();
  }

  /**
   * What to say of records read with the file that is to be written.
   *
   * @throws RefusedException if none of them could be read
   */
  public static List<String> notes(Rehearsal rehearsal) throws RefusedException {
    if (rehearsal.records() == 0) {
      return List.of();
    }
    // How many there are of anything is nobody's business: what most of them are is their format.
    String commonest = rehearsal.commonest().orElse("");
    if (rehearsal.readable() == 0) {
      throw wrong("wrote nothing, because no record is readable this way: " + commonest);
    }
    return 2 * rehearsal.readable() < rehearsal.records()
        ? List.of("WARNING: most records would be dead letters: " + commonest)
        : List.of();
  }
}
