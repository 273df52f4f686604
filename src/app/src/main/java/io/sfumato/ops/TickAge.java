// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import io.sfumato.pipeline.Durations;
import io.sfumato.pipeline.InputTopics;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.runtime.PipelineRun;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The time since the last tick that moved a clock, by the clock of this instance. Without it a
 * pipeline whose ticker has died looks healthy: no records are waiting, and no partition lags
 * behind the others.
 */
public final class TickAge {
  /** Beyond a window: nobody ticks to the second. */
  private static final Duration SLACK = Duration.ofSeconds(5);

  /**
   * A clock that was left further behind is that of a history, which is ticked by its own times.
   */
  private static final int LIVE_WINDOWS = 30;

  private final InputTopics topics;
  private final WindowSpec window;
  private final TickWatch ticks;
  private final Source source;

  /** When each source partition was seen first that this instance reads now. */
  private final Map<Integer, Long> since = new HashMap<>();

  /** What this instance reads. */
  interface Source {
    /** Numbers of the sources that this instance reads. */
    Set<Integer> partitions();

    /** The end of the last window that a source's own partition has released, if that is known. */
    OptionalLong released(int source);

    /** Whether records wait to be read. */
    boolean isBehind();

    /** By the wall clock, milliseconds since 1970. */
    long now();
  }

  /**
   * @param run nothing while the cluster is waited for
   */
  public TickAge(Pipeline pipeline, RunningCounts counts, Supplier<Optional<PipelineRun>> run) {
    this(pipeline, counts.ticks(), new RunningSource(counts, run));
  }

  TickAge(Pipeline pipeline, TickWatch ticks, Source source) {
    this.topics = pipeline.input().topics();
    this.window = pipeline.window();
    this.ticks = ticks;
    this.source = source;
  }

  /**
   * How long the source partition has waited for a tick that has waited longest, in milliseconds.
   * Nothing where records close windows, or where this instance reads no records.
   */
  public synchronized OptionalLong millis() {
    if (window.clock() != WindowSpec.Clock.TICKS) {
      return OptionalLong.empty();
    }
    Set<Integer> partitions = source.partitions();
    since.keySet().retainAll(partitions);
    long now = ticks.now();
    boolean unread = ticksHere() && ticks.own().words().isEmpty() && source.isBehind();
    return partitions.stream()
        .mapToLong(partition -> unread ? unread(partition, now) : millis(partition, now))
        .max();
  }

  private boolean ticksHere() {
    return window.ticks() == WindowSpec.Ticks.HERE || ticks.own().isUsed();
  }

  /** Its own ticks lie behind the records that are still to be read. */
  private long unread(int partition, long now) {
    since.put(partition, now);
    return 0;
  }

  private long millis(int partition, long now) {
    long came = since.computeIfAbsent(partition, unseen -> now);
    Optional<Long> tick = ticks.lastMove(partition).filter(moved -> moved >= came);
    long waited = Duration.ofNanos(now - tick.orElse(came)).toMillis();
    return tick.isPresent() ? waited : Math.max(waited, overdue(partition));
  }

  /** How long ago a tick was due that would have closed the next window, for a live pipeline. */
  private long overdue(int partition) {
    OptionalLong released = source.released(partition);
    if (released.isEmpty()) {
      return 0;
    }
    long due = closing(released.getAsLong(), 1);
    long late = Math.max(0, source.now() - due);
    boolean live = source.now() <= closing(released.getAsLong(), 1 + LIVE_WINDOWS);
    return ticksHere() || live ? late : 0;
  }

  /** When a clock closes the last of so many windows after those that are released. */
  private long closing(long released, int windows) {
    return window.plus(released, windows) + window.grace().toMillis();
  }

  /** The longest age that is no reason to worry: a window, the longest where they differ. */
  static Duration limit(WindowSpec window) {
    return window.grid().longest().plus(SLACK);
  }

  /** What is wrong, for people; nothing while ticks come. */
  public Optional<String> words() {
    OptionalLong age = millis();
    Duration limit = limit(window);
    return age.isPresent() && age.getAsLong() > limit.toMillis()
        ? Optional.of(
            "no tick has arrived for %s, which is longer than a window (%s). Without ticks no window closes and nothing is released. %s"
                .formatted(
                    Durations.word(rounded(Duration.ofMillis(age.getAsLong()))),
                    window.sizeWord(),
                    remedy()))
        : Optional.empty();
  }

  /** As people say it: nobody counts days in seconds. */
  private static Duration rounded(Duration age) {
    if (age.toDays() >= 3) {
      return Duration.ofDays(age.toDays());
    }
    if (age.toHours() >= 1) {
      return Duration.ofHours(age.toHours());
    }
    return age.toMinutes() >= 1
        ? Duration.ofMinutes(age.toMinutes())
        : Duration.ofSeconds(age.toSeconds());
  }

  private String remedy() {
    return ticksHere()
        ? "This instance ticks by itself; its log says why it cannot"
        : "Check the process that ticks %s, or set 'ticks: here' in the file to let the program tick"
            .formatted(topics.phrase());
  }
}
