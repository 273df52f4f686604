// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.draft;

import io.sfumato.client.EventTimes;
import io.sfumato.client.Rehearsal;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether a draft fits what was asked for and the records that were looked at. */
public final class DraftCheck {
  private static final Pattern WINDOW = Pattern.compile("(\\d{1,6})([smhd])");

  private DraftCheck() {}

  /** A wrong argument of {@code sfumato new}. */
  public static RefusedException wrong(String message) {
    return new RefusedException(ExitCode.USAGE, message);
  }

  /** A length of windows such as 7d. */
  public static Duration duration(String text) throws RefusedException {
    Matcher matcher = WINDOW.matcher(text);
    if (!matcher.matches() || Long.parseLong(matcher.group(1)) == 0) {
      throw wrong("--window: found '" + text + "', allowed are such as 30s, 15m, 1h, 7d");
    }
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      default -> Duration.ofDays(number);
    };
  }

  /** The start of the window that a time lies in, or that was given. */
  public static long begin(Optional<Instant> given, Duration size, long earliest)
      throws RefusedException {
    long time = given.map(Instant::toEpochMilli).orElse(earliest);
    long start = WindowSpec.startOf(time, size, WindowSpec.MONDAY);
    if (given.isPresent() && start != time) {
      throw wrong(
          "--begin: found %s, within a window: one starts %s, the next %s"
              .formatted(
                  WindowSpec.beginText(time),
                  WindowSpec.beginText(start),
                  WindowSpec.beginText(start + size.toMillis())));
    }
    return start;
  }

  /**
   * How far a topic's records may lie beyond the last tick, where what is there already is older
   * than a day: nobody ticks between records that were written long ago.
   */
  public static Optional<Duration> ahead(long begin, long now) {
    long days = Duration.ofMillis(now - begin).toDays() + 1;
    return days > 1 ? Optional.of(Duration.ofDays(days)) : Optional.empty();
  }

  /** Where a day begins for those who have another one. */
  public static Optional<String> utc(Optional<ZoneId> zone, Duration window) {
    if (zone.isEmpty() || window.compareTo(Duration.ofHours(1)) <= 0) {
      return Optional.empty();
    }
    ZonedDateTime monday = Instant.ofEpochMilli(WindowSpec.MONDAY).atZone(zone.get());
    return monday.toLocalTime().equals(LocalTime.MIDNIGHT)
        ? Optional.empty()
        : Optional.of(
            "Windows are cut in UTC, whatever zone times are written in: a day begins at 00:00Z, %s in winter in %s."
                .formatted(monday.toLocalTime(), zone.get()));
  }

  /** Each item of an array counts where a user's records are bounded alone. */
  public static void requireUser(Optional<String> user, String category) throws RefusedException {
    if (category.contains("[]") && user.isEmpty()) {
      throw wrong(
          "--category: found '%s'; each item of an array counts only with --user, in a pipeline of populations. Name one item: %s"
              .formatted(category, category.replace("[]", "[0]")));
    }
  }

  /**
   * A file that names other fields would make a dead letter of every record.
   *
   * @param counted the sample as it is counted, perhaps by items of an array
   */
  public static void requireFields(Sample sample, Sample counted, Fields fields)
      throws RefusedException {
    for (String field : fields.all()) {
      requireField(sample, counted, field);
    }
  }

  /** The same of one field, before others are guessed from it. */
  public static void requireField(Sample sample, String field) throws RefusedException {
    requireField(sample, sample, field);
  }

  private static void requireField(Sample sample, Sample counted, String field)
      throws RefusedException {
    if (!sample.fields().isEmpty()
        && !sample.fields().contains(field)
        && !counted.fields().contains(field)
        && !field.equals(InputSpec.RECORD_KEY)) {
      throw wrong(
          "no record has a field '%s'; there are %s"
              .formatted(field, String.join(", ", sample.fields())));
    }
  }

  /** Whether most times of a field lack what says when they were. */
  public static boolean lacksOffsets(Sample sample, String time) {
    List<String> texts = sample.values(time);
    return 2 * texts.stream().filter(EventTimes::isLocal).count() > texts.size();
  }

  /** What to say of numbers that are to be summarised, where some cannot be read. */
  public static List<String> numbers(Sample sample, List<MeasuredField> measured) {
    return measured.stream().flatMap(value -> value.unusable(sample).stream()).toList();
  }

  /**
   * What to say of records read with the file that is to be written.
   *
   * @throws RefusedException if none of them would count
   */
  public static List<String> notes(Rehearsal rehearsal) throws RefusedException {
    if (rehearsal.records() == 0) {
      return List.of();
    }
    List<String> notes = new ArrayList<>();
    Map.Entry<String, Long> commonest =
        rehearsal.commonest().orElse(Map.entry("every record counts", 0L));
    if (rehearsal.usable() == 0) {
      throw wrong(
          "wrote nothing: not one of %,d records would count. Of %,d, %s"
              .formatted(rehearsal.records(), commonest.getValue(), commonest.getKey()));
    }
    if (2 * rehearsal.usable() < rehearsal.records()) {
      notes.add(
          "WARNING: %,d of %,d records would count. Of %,d others, %s"
              .formatted(
                  rehearsal.usable(),
                  rehearsal.records(),
                  commonest.getValue(),
                  commonest.getKey()));
    }
    if (2 * rehearsal.others() > rehearsal.usable()) {
      notes.add(
          "WARNING: %,d of %,d records count as 'other': their categories are not in the list. Name them with --categories"
              .formatted(rehearsal.others(), rehearsal.usable()));
    }
    return notes;
  }
}
