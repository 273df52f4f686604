// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

import java.time.Instant;

/**
 * Which windows numbers of an output are about.
 *
 * @param kind how they lie to the output's window, which is always one of them
 * @param since start of the first one
 * @param windows how many they are, at least 1; 0 where nobody said
 */
public record Stretch(Kind kind, Instant since, long windows) {
  /** How windows lie to the one that was released. */
  public enum Kind {
    /** It alone. */
    OWN,
    /** All since a first one. */
    RUNNING,
    /** The last few. */
    LAST
  }

  /** The window alone. */
  public static Stretch own(Instant windowStart) {
    return new Stretch(Kind.OWN, windowStart, 1);
  }

  /**
   * All windows since a first one.
   *
   * @param windows null where an output does not say
   */
  public static Stretch running(Instant since, Long windows) {
    return new Stretch(Kind.RUNNING, since, windows == null ? 0 : windows);
  }

  /** The last few. */
  public static Stretch last(Instant since, long windows) {
    return new Stretch(Kind.LAST, since, windows);
  }

  /** Whether numbers of both lie on one course: of a count that began anew they do not. */
  public boolean goesOn(Stretch earlier) {
    return kind == earlier.kind && (kind != Kind.RUNNING || since.equals(earlier.since));
  }

  /** For people, in UTC. */
  public String words() {
    return words(LocalTimes.UTC);
  }

  /** For people, by the clocks of a zone. */
  public String words(LocalTimes times) {
    return switch (kind) {
      case OWN -> "this window";
      case RUNNING ->
          "running since "
              + times.start(since)
              + (windows == 0
                  ? ""
                  : windows == 1 ? " (1 window)" : " (%,d windows)".formatted(windows));
      case LAST ->
          (windows == 1 ? "the last window" : "last %,d windows".formatted(windows))
              + ", since "
              + times.start(since);
    };
  }
}
