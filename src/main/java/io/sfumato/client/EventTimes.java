// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.pipeline.WindowSpec;
import io.sfumato.serde.EventReader;
import io.sfumato.serde.RejectedRecordException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How the times of a file are read: those that a pipeline takes, and those without an offset where
 * somebody says in which zone they are. A time that a zone has twice is the first of the two.
 *
 * @param zone of times without an offset; without one they are refused
 * @param now about what a broker will stamp the records with
 * @param maxAhead how far a pipeline lets event times lie after that
 */
public record EventTimes(Optional<ZoneId> zone, Instant now, Duration maxAhead) {
  /** Milliseconds since 1970, from 1973 on: shorter numbers may be seconds or days. */
  private static final Pattern MILLIS = Pattern.compile("\\d{12,13}");

  private static final Pattern LOCAL =
      Pattern.compile("\\d{4}-\\d{2}-\\d{2}([T ]\\d{2}:\\d{2}(:\\d{2}([.,]\\d{1,9})?)?)?");
  private static final int DATE = 10;

  private static final String NO_TIME =
      "is no time with an offset, such as 2026-01-05T14:05:00+01:00 (with --zone also 2026-01-05 14:05): rewrite others first";

  /** What a text is. */
  public sealed interface Reading {}

  /**
   * A time that a pipeline takes.
   *
   * @param millis since 1970
   * @param text as a pipeline reads it
   */
  public record Usable(long millis, String text) implements Reading {}

  /** None that a pipeline takes, and why. */
  public record Unusable(String reason, CsvEvents.Fate fate) implements Reading {}

  /** Times without an offset are refused; bounds are a pipeline's defaults. */
  public static EventTimes withOffsets() {
    return in(Optional.empty(), WindowSpec.MAX_AHEAD);
  }

  /** The same in a zone, now. */
  public static EventTimes in(Optional<ZoneId> zone, Duration maxAhead) {
    return new EventTimes(zone, Instant.now(), maxAhead);
  }

  /** Whether a text is a time of whose zone nothing is said. */
  public static boolean isLocal(String text) {
    return LOCAL.matcher(text).matches();
  }

  /** Whether a text is a time at all, of whatever range and zone. */
  public static boolean isTime(String text) {
    return isMillis(text) || isLocal(text) || EventReader.parseTime(iso(text)).isPresent();
  }

  /** Databases write a blank where ISO-8601 has its T. */
  private static String iso(String text) {
    return text.length() > DATE && text.charAt(DATE) == ' '
        ? text.substring(0, DATE) + "T" + text.substring(DATE + 1)
        : text;
  }

  /** Whether a text is milliseconds since 1970. */
  static boolean isMillis(String text) {
    return MILLIS.matcher(text).matches();
  }

  /** What a text is. */
  public Reading read(String text) {
    if (text.isEmpty()) {
      return new Unusable("is empty", CsvEvents.Fate.SENT);
    }
    if (isMillis(text)) {
      return inRange(Long.parseLong(text), text);
    }
    if (isLocal(text)) {
      return local(text);
    }
    String iso = iso(text);
    return EventReader.parseTime(iso)
        .map(millis -> inRange(millis, iso))
        .orElseGet(() -> new Unusable(NO_TIME, CsvEvents.Fate.SENT));
  }

  private Reading local(String text) {
    if (zone.isEmpty()) {
      return new Unusable(
          "is a time without an offset: say its zone, such as --zone Europe/Berlin",
          CsvEvents.Fate.NOT_SENT);
    }
    try {
      OffsetDateTime time =
          text.length() == DATE
              ? LocalDate.parse(text).atStartOfDay(zone.get()).toOffsetDateTime()
              : offset(LocalDateTime.parse(text.replace(' ', 'T').replace(',', '.')));
      return inRange(time.toInstant().toEpochMilli(), time.toString());
    } catch (DateTimeException e) {
      return new Unusable(
          "is no time that there is in zone " + zone.get(), CsvEvents.Fate.NOT_SENT);
    }
  }

  private OffsetDateTime offset(LocalDateTime local) {
    List<ZoneOffset> offsets = zone.orElseThrow().getRules().getValidOffsets(local);
    if (offsets.isEmpty()) {
      throw new DateTimeException("left out as clocks went forward");
    }
    return local.atOffset(offsets.get(0));
  }

  /** What intake surely refuses is known before it is sent. */
  private Reading inRange(long millis, String text) {
    try {
      EventReader.checkRange(millis, now.toEpochMilli(), maxAhead);
      return new Usable(millis, text);
    } catch (RejectedRecordException e) {
      return new Unusable(
          millis < EventReader.EARLIEST
              ? "is a time before 1900"
              : "is a time further after now than window.max-ahead",
          CsvEvents.Fate.SENT);
    }
  }
}
