// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.pipeline.WindowSpec;
import io.sfumato.record.TimeFormat;
import io.sfumato.record.TimeReader;
import io.sfumato.record.TimeReading;
import io.sfumato.record.ValueFormats;
import io.sfumato.record.WrittenTime;
import io.sfumato.serde.EventReader;
import io.sfumato.serde.RejectedRecordException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * How the times of a file are read, and sent to a pipeline.
 *
 * @param reader of the file's times
 * @param sent the pipeline's reader
 * @param now about what a broker will stamp the records with
 * @param maxAhead how far a pipeline lets event times lie after that
 */
public record EventTimes(TimeReader reader, TimeReader sent, Instant now, Duration maxAhead) {
  /** Any zone: whether a text is a time does not depend on it. */
  private static final TimeReader LOCAL =
      new TimeReader(new TimeFormat.Auto(), Optional.of(ZoneId.of("UTC")));

  /** What a text is. */
  public sealed interface Reading {}

  /**
   * A time that a pipeline takes.
   *
   * @param millis since 1970
   * @param text as the pipeline reads it
   */
  public record Usable(long millis, String text) implements Reading {}

  /** None that a pipeline takes, and why. */
  public record Unusable(String reason, CsvEvents.Fate status) implements Reading {}

  /** Times without an offset are refused; bounds are a pipeline's defaults. */
  public static EventTimes withOffsets() {
    return in(Optional.empty(), WindowSpec.MAX_AHEAD);
  }

  /** Those of a pipeline with the usual formats, now. */
  public static EventTimes in(Optional<ZoneId> zone, Duration maxAhead) {
    return of(Optional.empty(), zone, ValueFormats.usual(), maxAhead);
  }

  /**
   * Those of a file for a pipeline, now.
   *
   * @param format of the file's times; by default the pipeline's
   * @param zone of times without an offset; by default the pipeline's
   */
  public static EventTimes of(
      Optional<TimeFormat> format,
      Optional<ZoneId> zone,
      ValueFormats pipeline,
      Duration maxAhead) {
    TimeReader sent = pipeline.times();
    return new EventTimes(
        new TimeReader(format.orElse(sent.format()), zone.or(sent::zone)),
        sent,
        Instant.now(),
        maxAhead);
  }

  /** Of the file's times without an offset. */
  public Optional<ZoneId> zone() {
    return reader.zone();
  }

  /** Whether a text is a time, in the usual format, of whose zone nothing is said. */
  public static boolean isLocal(String text) {
    return TimeReader.auto().lacksZone(text);
  }

  /** Whether a text is a time at all, of whatever range and zone. */
  public static boolean isTime(String text) {
    return LOCAL.text(text) instanceof TimeReading.Time;
  }

  /** Those of records that hold a time itself, not a text. */
  EventTimes exact() {
    TimeReader millis = new TimeReader(TimeFormat.Epoch.MILLISECONDS, Optional.empty());
    return new EventTimes(reader, millis, now, maxAhead);
  }

  /** Whether the pipeline reads times that are numbers. */
  boolean areNumbers() {
    return sent.format() instanceof TimeFormat.Auto || sent.format() instanceof TimeFormat.Epoch;
  }

  /** What a text is. */
  public Reading read(String text) {
    TimeReading found = reader.text(text);
    if (found instanceof TimeReading.Time time) {
      return inRange(time.millis(), text);
    }
    if (found instanceof TimeReading.Implausible other) {
      return new Unusable(
          other
              .fits()
              .map(
                  format ->
                      "is not in milliseconds since 1970: use --time-format %s"
                          .formatted(format.word()))
              .orElse("is a number that is not a time from 1990 to 2100 in any unit"),
          CsvEvents.Fate.NOT_SENT);
    }
    if (reader.zone().isEmpty() && isLocal(text)) {
      return new Unusable(
          "has no offset such as Z or +01:00: give the time zone, for example --zone "
              + "Europe/Berlin",
          CsvEvents.Fate.NOT_SENT);
    }
    String reason = found instanceof TimeReading.Unreadable other ? other.reason() : "is empty";
    return unusable(reason, !(sent.text(text) instanceof TimeReading.Time));
  }

  /**
   * A cell goes to the dead letters as it is, unless the pipeline would read another time there.
   *
   * @param refused whether the pipeline refuses it as well
   */
  private static Unusable unusable(String reason, boolean refused) {
    return refused
        ? new Unusable(reason, CsvEvents.Fate.SENT)
        : new Unusable(
            reason + "; the pipeline would read it as a different time", CsvEvents.Fate.NOT_SENT);
  }

  /** What intake surely refuses is known before it is sent. */
  private Reading inRange(long millis, String text) {
    try {
      EventReader.checkRange(millis, now.toEpochMilli(), maxAhead);
    } catch (RejectedRecordException e) {
      return unusable(
          millis < EventReader.EARLIEST
              ? "is a time before 1900"
              : "is a time more than window.max-ahead in the future",
          isSentAs(millis, text) || !(sent.text(text) instanceof TimeReading.Time));
    }
    return asSent(millis, text)
        .<Reading>map(form -> new Usable(millis, form))
        .orElseGet(
            () ->
                new Unusable(
                    "is a time that the pipeline's input.time-format '%s' cannot express; auto, iso and epoch-ms can"
                        .formatted(sent.format().word()),
                    CsvEvents.Fate.NOT_SENT));
  }

  private boolean isSentAs(long millis, String text) {
    return sent.text(text).equals(new TimeReading.Time(millis));
  }

  /** As it stands where the pipeline reads the same; else in the pipeline's form, if it does. */
  private Optional<String> asSent(long millis, String text) {
    return isSentAs(millis, text)
        ? Optional.of(text)
        : WrittenTime.of(sent, millis)
            .filter(written -> written.millis() == millis)
            .map(WrittenTime::text);
  }
}
