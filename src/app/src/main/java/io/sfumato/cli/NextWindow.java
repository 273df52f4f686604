// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.release.ReleaseCalendar;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * When something is published next, in words: whoever waits where most windows are passed over sees
 * nothing for days.
 */
final class NextWindow {
  private final Pipeline pipeline;
  private final ReleaseCalendar due;
  private final WindowSpec window;

  NextWindow(Pipeline pipeline) {
    this.pipeline = pipeline;
    this.due = new ReleaseCalendar(pipeline);
    this.window = pipeline.window();
  }

  /** The output of a topic; nothing where the file has none. */
  Optional<ReleaseSpec> releaseOf(String topic) {
    return due.releaseOf(topic);
  }

  /**
   * What comes after what was seen.
   *
   * @param seen start of the last window that was, milliseconds since 1970
   * @param now in which window the next one is looked for, where nothing was seen and the file does
   *     not say which is the first
   */
  String after(ReleaseSpec release, OptionalLong seen, long now) {
    long from =
        seen.isPresent()
            ? pipeline.windowOf(release).endOf(seen.getAsLong())
            : window.begin().orElse(now);
    return due.from(release, from)
        .map(next -> "next " + words(next))
        .orElseGet(
            () ->
                release.name()
                    + (release.answersQueries()
                        ? ": answers are published as candidates arrive"
                        : ": its calendar has no window due"));
  }

  /** What follows a tick whose last window is passed over; nothing where that is released. */
  Optional<String> instead(long time) {
    long closed = window.plus(window.boundaryOf(time), -1);
    return window.isBeforeBegin(closed)
        ? Optional.empty()
        : joined(due.instead(closed))
            .map(
                next ->
                    "the calendar skips the window that starts %s, so nothing is released for it; next %s"
                        .formatted(day(closed), next));
  }

  /** Of those that pass windows over, the next ones from a time on. */
  Optional<String> sparse(long now) {
    return joined(due.sparse(now));
  }

  private Optional<String> joined(List<ReleaseCalendar.Due> next) {
    return next.isEmpty()
        ? Optional.empty()
        : Optional.of(next.stream().map(this::words).collect(Collectors.joining("; ")));
  }

  private String words(ReleaseCalendar.Due next) {
    return "release of %s: window from %s to %s%s, after %s %s or later"
        .formatted(
            names(next),
            day(next.start()),
            day(next.end()),
            window.calendar().isPresent() ? "" : " (UTC)",
            window.clock() == WindowSpec.Clock.TICKS ? "a tick of" : "records of",
            day(next.closes()));
  }

  private static String names(ReleaseCalendar.Due next) {
    return String.join(", ", next.outputs());
  }

  private String day(long time) {
    return window.times().start(Instant.ofEpochMilli(time));
  }
}
