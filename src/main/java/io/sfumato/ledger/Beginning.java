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
 * Where windows begin, before it is for ever. Every file under {@code clock: ticks} must, but
 * pipelines that ran before there was {@code window.begin} go on: their state says it.
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
      Optional<String> remark = remark(window, window.begin().getAsLong(), now);
      return remark.isPresent() || found.hasRun() ? remark : longAgo(pipeline, found, now);
    }
    if (!window.lacksBegin()) {
      return Optional.empty();
    }
    int partitions = cluster.topics().source(pipeline.input().topic()).partitions();
    OptionalLong begun =
        new StateTopics(pipeline).undecidedFrom(found, settings, cluster, partitions);
    if (begun.isEmpty()) {
      throw missing(window, now);
    }
    return Optional.of(
        "note: the file does not say where windows begin; its state does. Write it beside 'clock: ticks': begin: %s"
            .formatted(WindowSpec.beginText(window.firstStartFrom(begun.getAsLong()))));
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
   * Refuses a pipeline that has not begun and whose first tick of the wall clock would jump over
   * more windows than {@code window.max-jump}.
   *
   * @param found the state of the budget; an empty one if there is none
   * @param now wall clock, milliseconds since 1970
   * @throws RefusedException with where windows should begin
   */
  public static void requireRecent(Pipeline pipeline, StateReader found, long now)
      throws RefusedException {
    Optional<String> ago = found.hasRun() ? Optional.empty() : longAgo(pipeline, found, now);
    if (ago.isPresent()) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE, ago.get().replaceFirst("^note: ", "--auto-tick: "));
    }
  }

  /** Where windows begin never changes, so that this is said before it is too late. */
  private static Optional<String> longAgo(Pipeline pipeline, StateReader found, long now) {
    WindowSpec window = pipeline.window();
    long begin =
        Math.max(window.begin().orElse(Long.MAX_VALUE), found.sealedAt().orElse(Long.MIN_VALUE));
    long running = window.startOf(now);
    boolean jumps =
        begin < running && (running - begin) / window.size().toMillis() > window.maxJump();
    return pipeline.subjects().isFixed() && jumps
        ? Optional.of(
            "note: windows begin %s, more than window.max-jump (%d) windows ago. The first tick of live data would stop the pipeline: for live data write begin: %s (the window that runs now) before the first start. For history, publish ticks in between ('sfumato produce' does), or run with --accept-jump"
                .formatted(
                    WindowSpec.beginText(begin), window.maxJump(), WindowSpec.beginText(running)))
        : Optional.empty();
  }

  private static RefusedException missing(WindowSpec window, long now) {
    return new RefusedException(
        ExitCode.REFUSED_FILE,
        ("field 'window.begin': is missing. Under 'clock: ticks' windows count from a public time, not"
                + " from whenever the first record or tick comes. Write it beside 'clock: ticks':"
                + " begin: %s is the window that runs now; take an earlier window's start if older"
                + " records shall count")
            .formatted(WindowSpec.beginText(window.startOf(now))));
  }

  private static Optional<String> remark(WindowSpec window, long begin, long now)
      throws RefusedException {
    if (begin > now + FURTHEST.toMillis()) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "field 'window.begin': found %s, more than a year ahead: all records until then would be late, and where windows begin never changes. The window that runs now begins %s"
              .formatted(WindowSpec.beginText(begin), WindowSpec.beginText(window.startOf(now))));
    }
    return begin > now
        ? Optional.of(
            "note: windows begin on %s: all records before are late"
                .formatted(WindowSpec.beginText(begin)))
        : Optional.empty();
  }
}
