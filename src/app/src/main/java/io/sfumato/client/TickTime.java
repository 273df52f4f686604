// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.pipeline.Durations;
import io.sfumato.pipeline.Plurals;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import io.sfumato.serde.EventReader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The time of a tick beside the records that are there: a tick cannot be taken back.
 *
 * @param time of the tick, milliseconds since 1970
 * @param newest event time of the newest record; nothing if there is none
 */
public record TickTime(WindowSpec window, long time, OptionalLong newest) {
  /**
   * A tick that closes the window of the newest record, if that is over, and none after it.
   *
   * @param now wall clock, milliseconds since 1970
   */
  public static TickTime after(WindowSpec window, long newest, long now) {
    long closes = window.endOf(window.startOf(newest)) + window.grace().toMillis();
    return new TickTime(window, Math.min(closes, now), OptionalLong.of(newest));
  }

  /**
   * Refuses what intake will refuse.
   *
   * @param now wall clock, milliseconds since 1970
   */
  public static void require(WindowSpec window, long time, long now) throws RefusedException {
    if (time < EventReader.EARLIEST) {
      throw new RefusedException(
          ExitCode.USAGE, "--at is before 1900: the pipeline would refuse the tick");
    }
    if (time > now + window.maxAhead().toMillis()) {
      throw new RefusedException(
          ExitCode.USAGE,
          "--at is more than window.max-ahead, %s, in the future: the pipeline would refuse the tick"
              .formatted(Durations.word(window.maxAhead())));
    }
  }

  /** That a tick does not follow some records, and why. */
  public static List<String> notes(WindowSpec window, NewestEvent.Found found) {
    List<String> notes = new ArrayList<>();
    found.furthest().ifPresent(furthest -> notes.add(tooFar(window, furthest)));
    if (!found.untold().isEmpty()) {
      notes.add(
          "this tick ignores the records of partition %s: no earlier tick and no window.begin decides which of them count"
              .formatted(String.join(", ", found.untold())));
    }
    return notes;
  }

  /** Why there may be no record to tick behind: that a ledger was imported. */
  public static Optional<String> closedBefore(OptionalLong sealedAt) {
    return sealedAt.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "windows that start before %s are closed, because a ledger was imported"
                .formatted(Instant.ofEpochMilli(sealedAt.getAsLong())));
  }

  private static String tooFar(WindowSpec window, long furthest) {
    String limit =
        switch (window.clock()) {
          case TICKS ->
              "window.ahead, %s, after the last tick".formatted(Durations.word(window.ahead()));
          case RECORDS ->
              "window.max-jump, %s, after the others"
                  .formatted(Plurals.of(window.maxJump(), "window"));
        };
    return "records up to %s are more than %s, so this tick ignores them and they do not count. If their times are right, tick with --at TIME before the next ones are sent"
        .formatted(Instant.ofEpochMilli(furthest), limit);
  }

  /** What whoever ticks loses by it, as a sentence; nothing if no empty window closes. */
  public Optional<String> crossing() {
    long boundary = window.boundaryOf(time);
    OptionalLong from =
        newest.isPresent()
            ? OptionalLong.of(window.endOf(window.startOf(newest.getAsLong())))
            : window.begin();
    if (from.isPresent() && boundary <= from.getAsLong()) {
      return Optional.empty();
    }
    String which =
        from.isPresent()
            ? Plurals.of(window.between(from.getAsLong(), boundary), "window")
                + " after "
                + newest.stream()
                    .mapToObj(found -> "the newest record (" + Instant.ofEpochMilli(found) + ")")
                    .findFirst()
                    .orElse(
                        "%s (earlier windows are closed; no record that counts has arrived yet)"
                            .formatted(window.startText(from.getAsLong())))
            : "every window before it (no usable record has arrived yet)";
    return Optional.of(
        "a tick at %s closes %s. Records up to %s that arrive afterwards are late and never count; this cannot be undone"
            .formatted(Instant.ofEpochMilli(time), which, Instant.ofEpochMilli(boundary)));
  }

  /** That it was not known which records do not count. */
  public String blind() {
    return "a tick at %s follows the newest record. Without the noise secret it is unknown whether operators skipped that record (sfumato skip-record), and a tick cannot be undone"
        .formatted(Instant.ofEpochMilli(time));
  }

  /** The newest record's window may not be over; empty if it closes. */
  public String open() {
    if (newest.isEmpty()) {
      return "";
    }
    long end = window.endOf(window.startOf(newest.getAsLong()));
    return window.boundaryOf(time) < end
        ? "; the newest record's window stays open until a tick at %s or later"
            .formatted(Instant.ofEpochMilli(end + window.grace().toMillis()))
        : "";
  }
}
