// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.version;

import io.sfumato.pipeline.WindowSpec;
import io.sfumato.topology.context.PipelineStopException;
import io.sfumato.window.CalendarWindows;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/**
 * When the windows of a zone's calendar start, as the zone data of the program say that began a
 * state, or took it over: from its first window to ten years ahead. Programs with other zone data
 * would count the same record in another window. Times beyond are compared from the next version
 * on, which keeps them anew.
 *
 * @param from milliseconds since 1970
 * @param until the same
 * @param digest of all starts between them
 */
public record WindowStarts(long from, long until, byte[] digest) {
  /** What a state's layout calls them. */
  static final String KEY = "starts of windows";

  private static final long AHEAD = Duration.ofDays(3653).toMillis();

  /**
   * Those of a program; nothing where windows have one length.
   *
   * @param since start of the first window of its version, or the beginning of time
   * @param now of the journal or of the records' topic, milliseconds since 1970
   */
  public static Optional<WindowStarts> of(WindowSpec window, long since, long now) {
    return window
        .calendar()
        .map(
            windows -> {
              long from = Math.max(Math.max(since, 0), window.begin().orElse(0));
              return of(windows, from, Math.max(from, now) + AHEAD);
            });
  }

  private static WindowStarts of(CalendarWindows windows, long from, long until) {
    return new WindowStarts(from, until, windows.digest(from, until));
  }

  /** Those that a state's layout names. */
  static Optional<WindowStarts> in(Map<String, String> layout) {
    return Optional.ofNullable(layout.get(KEY)).map(WindowStarts::parse);
  }

  /**
   * Throws if a program's zone data cut time otherwise.
   *
   * @param advice how a changed file goes on
   */
  public void requireSame(WindowSpec window, String advice) {
    Optional<CalendarWindows> windows = window.calendar();
    if (windows.isPresent() && !Arrays.equals(digest, windows.get().digest(from, until))) {
      throw new PipelineStopException(
          "time zone data: between %s and %s, windows in %s start at other times by the zone data of this Java runtime than by those that the state was made with. Run it with a Java runtime that has the former tzdata. To continue with the new ones, %s: the new version uses them from its first window on"
              .formatted(
                  window.startText(window.startOf(from)),
                  window.startText(window.startOf(until)),
                  windows.get().zone(),
                  advice));
    }
  }

  /** As layouts have it. */
  String text() {
    return from + " " + until + " " + HexFormat.of().formatHex(digest);
  }

  /** Inverse of {@link #text}. */
  public static WindowStarts parse(String text) {
    String[] parts = text.split(" ");
    return new WindowStarts(
        Long.parseLong(parts[0]), Long.parseLong(parts[1]), HexFormat.of().parseHex(parts[2]));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof WindowStarts starts && text().equals(starts.text());
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(digest);
  }

  @Override
  public String toString() {
    return text();
  }
}
