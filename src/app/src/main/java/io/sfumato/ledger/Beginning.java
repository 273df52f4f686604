// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.topology.StateReader;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Where windows begin, before it is for ever. Every file under {@code clock: ticks} must say it,
 * but for one that goes on with an imported ledger: there the state says it.
 */
public final class Beginning {
  /** What lies further ahead is a slip, and where windows begin never changes. */
  private static final Duration FURTHEST = Duration.ofDays(366);

  private Beginning() {}

  /**
   * Refuses a file without a beginning, unless its state has one, and a beginning that is a slip.
   *
   * @param found the state of the budget; an empty one if there is none
   * @param now wall clock, milliseconds since 1970: for advice, and what is too far ahead of it
   * @return a remark for the operator: what to write into the file, or that windows have not begun
   * @throws RefusedException if neither file nor state says where windows begin, or that is more
   *     than a year ahead
   */
  public static Optional<String> require(
      Pipeline pipeline, StateReader found, KafkaSettings settings, Cluster cluster, long now)
      throws RefusedException {
    WindowSpec window = pipeline.window();
    if (window.begin().isPresent()) {
      return remark(window, window.begin().getAsLong(), now);
    }
    if (!window.lacksBegin()) {
      return Optional.empty();
    }
    int partitions = cluster.topics().sources(pipeline).journalPartitions();
    OptionalLong begun =
        new StateTopics(pipeline).undecidedFrom(found, settings, cluster, partitions);
    if (begun.isEmpty()) {
      throw missing(window, now);
    }
    return Optional.of(
        "note: window.begin is missing in the file; the state has it. Write it beside 'clock: ticks': begin: %s"
            .formatted(window.startText(window.firstStartFrom(begun.getAsLong()))));
  }

  /**
   * The same of a budget that is to go on with a ledger: where that was sealed, windows begin.
   *
   * @param floor of the ledger, milliseconds since 1970; nothing if no window has closed
   * @param now wall clock, milliseconds since 1970
   * @throws RefusedException if neither file nor ledger says where windows begin, or that is more
   *     than a year ahead
   */
  static void requireAfter(WindowSpec window, OptionalLong floor, long now)
      throws RefusedException {
    if (window.begin().isPresent()) {
      remark(window, window.begin().getAsLong(), now);
    } else if (window.lacksBegin() && floor.isEmpty()) {
      throw missing(window, now);
    }
  }

  /**
   * Refuses a pipeline that has not begun and would release more windows than {@code
   * window.max-jump} by its first ticks of the wall clock.
   *
   * @param found the state of the budget; an empty one if there is none
   * @param now wall clock, milliseconds since 1970
   * @throws RefusedException with where windows should begin
   */
  public static void requireRecent(Pipeline pipeline, StateReader found, long now)
      throws RefusedException {
    WindowSpec window = pipeline.window();
    if (!found.hasRun() && isLongAgo(pipeline, begin(window, found), now)) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "with 'ticks: here' and windows from %s, more than window.max-jump (%d) windows ago, the first ticks would release all of them. For live data write begin: %s (the current window). To read the topic's records since then, start with --catch-up"
              .formatted(
                  window.startText(begin(window, found)),
                  window.maxJump(),
                  window.startText(window.startOf(now))));
    }
  }

  /**
   * A remark where the first tick of live data would jump over more windows than {@code
   * window.max-jump}. Where windows begin never changes, so that this is said before it is too
   * late.
   *
   * @param found the state of the budget; an empty one if there is none
   * @param now wall clock, milliseconds since 1970
   */
  public static Optional<String> distantPast(Pipeline pipeline, StateReader found, long now) {
    return found.hasRun() ? Optional.empty() : longAgo(pipeline, found, now);
  }

  private static Optional<String> longAgo(Pipeline pipeline, StateReader found, long now) {
    WindowSpec window = pipeline.window();
    long begin = begin(window, found);
    return isLongAgo(pipeline, begin, now)
        ? Optional.of(
            "note: window.begin is %s, more than window.max-jump (%d) windows ago. The first tick of live data would stop the pipeline: for live data write begin: %s (the current window) before the first start. For history, publish ticks between the records ('sfumato produce' does), or run with --accept-jump. To read the topic's records since then, start with --catch-up"
                .formatted(
                    window.startText(begin),
                    window.maxJump(),
                    window.startText(window.startOf(now))))
        : Optional.empty();
  }

  private static long begin(WindowSpec window, StateReader found) {
    return Math.max(window.begin().orElse(Long.MAX_VALUE), found.sealedAt().orElse(Long.MIN_VALUE));
  }

  private static boolean isLongAgo(Pipeline pipeline, long begin, long now) {
    WindowSpec window = pipeline.window();
    long running = window.startOf(now);
    return pipeline.subjects().isFixed()
        && begin < running
        && window.between(begin, running) > window.maxJump();
  }

  private static RefusedException missing(WindowSpec window, long now) {
    return new RefusedException(
        ExitCode.REFUSED_FILE,
        ("field 'window.begin': is missing. With 'clock: ticks', windows start at a public "
                + "time, not at the first record or tick. Write it beside 'clock: ticks': begin: "
                + "%s is the current window; use an earlier window's start if older records are "
                + "to count")
            .formatted(window.startText(window.startOf(now))));
  }

  private static Optional<String> remark(WindowSpec window, long begin, long now)
      throws RefusedException {
    if (begin > now + FURTHEST.toMillis()) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "field 'window.begin': found %s, more than a year ahead: all records until then would be late, and window.begin can never change. The current window starts %s"
              .formatted(window.startText(begin), window.startText(window.startOf(now))));
    }
    return begin > now
        ? Optional.of(
            "note: window.begin is %s: all earlier records are late"
                .formatted(window.startText(begin)))
        : Optional.empty();
  }
}
