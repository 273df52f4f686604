// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.version;

import io.sfumato.accounting.Period;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.topology.context.PipelineStopException;
import io.sfumato.window.CalendarWindows;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/**
 * When the windows of a zone's calendar start, and the budget's periods, and how they are numbered,
 * as the zone data of the program say that began a state, or took it over: from its first window to
 * ten years ahead. Programs with other zone data would count the same record in another window, or
 * charge another ledger: numbers of parts of a day depend on every clock change since 1970. Times
 * beyond are compared from the next version on, which keeps them anew.
 *
 * @param from milliseconds since 1970
 * @param until the same
 * @param digest of all starts between them, and of the numbers of the first ones
 */
public record WindowStarts(long from, long until, byte[] digest) {
  /** What a state's layout calls them. */
  static final String KEY = "starts of windows";

  private static final long AHEAD = Duration.ofDays(3653).toMillis();

  /** Whatever timestamps say, nobody starts a state before this program was written. */
  private static final long EARLIEST = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

  private static final long LATEST = Instant.parse("2300-01-01T00:00:00Z").toEpochMilli();

  /**
   * Those of a program; nothing where windows have one length.
   *
   * @param since start of the first window of its version, or the beginning of time
   * @param now of the journal or of the records' topic, milliseconds since 1970
   */
  public static Optional<WindowStarts> of(Pipeline pipeline, long since, long now) {
    WindowSpec window = pipeline.window();
    if (window.calendar().isEmpty()) {
      return Optional.empty();
    }
    long from = Math.min(LATEST, Math.max(Math.max(since, 0), window.begin().orElse(0)));
    long present = Math.min(LATEST, Math.max(EARLIEST, now));
    long until = Math.max(from, present) + AHEAD;
    return Optional.of(new WindowStarts(from, until, digest(pipeline, from, until)));
  }

  /** Of windows; and of the budget's periods, where these are cut by a calendar of their own. */
  private static byte[] digest(Pipeline pipeline, long from, long until) {
    byte[] windows = pipeline.window().calendar().orElseThrow().digest(from, until);
    return pipeline.budget().period() instanceof Period.Local local
        ? new CanonicalEncoder().bytes(windows).bytes(local.periods().digest(from, until)).digest()
        : windows;
  }

  /** Those that a state's layout names. */
  public static Optional<WindowStarts> in(Map<String, String> layout) {
    return Optional.ofNullable(layout.get(KEY)).map(WindowStarts::parse);
  }

  /**
   * Throws if a program's zone data cut time otherwise.
   *
   * @param advice how a changed file goes on
   */
  public void requireSame(Pipeline pipeline, String advice) {
    WindowSpec window = pipeline.window();
    Optional<CalendarWindows> windows = window.calendar();
    if (windows.isPresent() && !Arrays.equals(digest, digest(pipeline, from, until))) {
      throw new PipelineStopException(
          "time zone data: between %s and %s, windows in %s start at other times, or are numbered otherwise, by the zone data of this Java runtime than by those that the state was made with. Run it with a Java runtime that has the former tzdata. To continue with the new ones, %s: the new version uses them from its first window on"
              .formatted(
                  window.startText(window.startOf(from)),
                  window.startText(window.startOf(until)),
                  windows.get().zone(),
                  advice));
    }
  }

  /** As layouts have it. */
  public String text() {
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
