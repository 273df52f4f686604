// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import io.sfumato.serde.RejectionCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * What became of ticks. A pipeline whose every tick is refused looks well otherwise: nothing waits,
 * nothing lags, and a few dead letters are no great part of the records.
 */
public final class TickWatch {
  /** How long a refused tick is told of. */
  static final Duration NEWS = Duration.ofHours(1);

  private static final Set<RejectionCode> TICKS_ALONE =
      EnumSet.of(RejectionCode.UNSIGNED_TICK, RejectionCode.OTHER_KEY_TICK, RejectionCode.BAD_TICK);

  private final LongSupplier nanos;
  private final OwnTickLog own = new OwnTickLog();
  private final Map<RejectionCode, Long> last = new ConcurrentHashMap<>();
  private final KeyedCounts<RejectionCode> refused = new KeyedCounts<>();
  private final AtomicLong taken = new AtomicLong();

  /** The newest tick of each source partition that was taken here. */
  private final Map<Integer, Taken> newest = new ConcurrentHashMap<>();

  private final AtomicLong others = new AtomicLong();

  /**
   * A tick that moved a clock.
   *
   * @param time event time, milliseconds since 1970
   * @param nanos when it was taken, by the clock of this watch
   */
  private record Taken(long time, long nanos) {
    Taken later(Taken other) {
      return other.time > time ? other : this;
    }
  }

  /**
   * @param nanos a clock such as {@link System#nanoTime}
   */
  TickWatch(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Whether nothing but a tick is refused so. */
  static boolean isOfTicksAlone(RejectionCode code) {
    return TICKS_ALONE.contains(code);
  }

  /**
   * Notes a refused tick.
   *
   * @return whether it is the first of its kind for a while
   */
  boolean refused(RejectionCode code) {
    refused.add(code, 1);
    long now = nanos.getAsLong();
    Long before = last.put(code, now);
    return before == null || !isNews(before, now);
  }

  /** Notes a tick that was taken. One that is no later than an earlier one moves no clock. */
  void tickAccepted(int partition, long time) {
    taken.incrementAndGet();
    newest.merge(partition, new Taken(time, nanos.getAsLong()), Taken::later);
  }

  /**
   * When this instance took the last tick that moved the clock of a source partition, by the clock
   * of this watch.
   */
  Optional<Long> lastMove(int partition) {
    return Optional.ofNullable(newest.get(partition)).map(Taken::nanos);
  }

  /** What becomes of ticks that this instance writes itself. */
  public OwnTickLog own() {
    return own;
  }

  /** The clock of this watch. */
  long now() {
    return nanos.getAsLong();
  }

  /**
   * Notes a tick of another budget.
   *
   * @return whether it is the first, and none of this budget's came before
   */
  boolean ofOtherBudget() {
    return others.incrementAndGet() == 1 && taken.get() == 0;
  }

  /** How many were refused, by reason. */
  Map<RejectionCode, Long> refusedTicks() {
    return refused.counts();
  }

  long takenTicks() {
    return taken.get();
  }

  long ticksOfOthers() {
    return others.get();
  }

  /** Why ticks were refused lately. */
  Set<RejectionCode> lately() {
    long now = nanos.getAsLong();
    return last.entrySet().stream()
        .filter(entry -> isNews(entry.getValue(), now))
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(RejectionCode.class)));
  }

  private static boolean isNews(long then, long now) {
    return now - then <= NEWS.toNanos();
  }

  /** Whether ticks came, and all of them for other budgets. */
  boolean onlyOthers() {
    return taken.get() == 0 && others.get() > 0;
  }

  /** What to say of refused ticks; nothing if there are none. */
  static Optional<String> words(Set<RejectionCode> codes) {
    List<String> kinds = new ArrayList<>();
    codes.forEach(code -> kinds.add(code + " (" + meaning(code) + ")"));
    return kinds.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "ticks were refused within the last hour and advanced no clock: %s; see SfumatoTicksRefused in docs/operate/runbook.md"
                .formatted(String.join(", ", kinds)));
  }

  /** What to say where ticks alone close windows, and only other budgets have a ticker. */
  static String wordsForOthers() {
    return "every tick so far was for another budget, and only ticks close windows here: the "
        + "ticker needs a tick key of this budget (sfumato tick-key FILE KEYFILE)";
  }

  private static String meaning(RejectionCode code) {
    return switch (code) {
      case UNSIGNED_TICK -> "unsigned";
      case OTHER_KEY_TICK -> "signed with another key than this instance has";
      case TIME_OUT_OF_RANGE ->
          "time before 1900, or more than window.max-ahead after they were sent";
      default -> "not ticks, or not signed for their partition and time";
    };
  }
}
