// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.pipeline.WindowSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The ticks of a history that is published at once, as a live source would have written them: event
 * times on a public grid, so that each event lies within {@code window.ahead} of the last tick,
 * each window closes when its end has passed, and no jump is larger than {@code window.max-jump}.
 */
public final class ReplayTicks {
  private final WindowSpec window;
  private final long begin;

  /** No tick goes beyond it, and events beyond it move none. */
  private final long limit;

  /** Time of the last tick; where windows begin before the first. */
  private long last;

  private OptionalLong newest = OptionalLong.empty();
  private long late;
  private long early;

  /**
   * @param begin where windows begin, milliseconds since 1970
   * @param limit the latest tick: the wall clock, since nobody ticks the future, or an earlier end
   */
  public ReplayTicks(WindowSpec window, long begin, long limit) {
    this.window = window;
    this.begin = begin;
    this.limit = limit;
    this.last = begin;
  }

  /** The ticks, in order, that go before an event; most often none. */
  public List<Long> before(long eventTime) {
    if (eventTime > limit) {
      without(eventTime);
      return List.of();
    }
    newest = OptionalLong.of(Math.max(eventTime, newest.orElse(eventTime)));
    List<Long> ticks =
        upTo(window.grid().pointAtOrBefore(eventTime, Math.max(1, window.ahead().toMillis())));
    without(eventTime);
    return ticks;
  }

  /**
   * An event that goes without ticks of its own. It is judged as intake does, if these are the only
   * ticks of the topic.
   */
  public void without(long eventTime) {
    long boundary = Math.max(begin, window.boundaryOf(last));
    late += window.endOf(window.startOf(eventTime)) <= boundary ? 1 : 0;
    early += eventTime > furthest() ? 1 : 0;
  }

  /** Whether an event lies beyond the limit, so that no tick goes before it. */
  public boolean isBehind(long eventTime) {
    return eventTime > limit;
  }

  /** The latest event time that is not too far ahead of the last tick so far. */
  public long furthest() {
    return Math.max(begin, last) + window.ahead().toMillis();
  }

  /** Events so far whose windows lie before the beginning, or were closed by a tick before. */
  public long late() {
    return late;
  }

  /** Events so far that lie too far beyond the last tick. */
  public long early() {
    return early;
  }

  /** The ticks after the last event: they close its window, unless that has not ended yet. */
  public List<Long> atEnd() {
    OptionalLong closing = closesNewest();
    return closing.isEmpty() ? List.of() : upTo(Math.min(closing.getAsLong(), limit));
  }

  /** The ticks up to the limit, whatever the last event is: an end that no record decides. */
  public List<Long> atLimit() {
    return upTo(limit);
  }

  /** The time of a tick that closes the window of the newest event; nothing without events. */
  public OptionalLong closesNewest() {
    return newest.isEmpty()
        ? newest
        : OptionalLong.of(
            window.endOf(window.startOf(newest.getAsLong())) + window.grace().toMillis());
  }

  /** The start of the newest event's window, if the ticks so far leave it open. */
  public OptionalLong leftOpen() {
    OptionalLong closes = closesNewest();
    return closes.isPresent() && closes.getAsLong() > last
        ? OptionalLong.of(window.startOf(newest.getAsLong()))
        : OptionalLong.empty();
  }

  private long furthestTick() {
    return window.furthestFrom(last, window.maxJump());
  }

  private List<Long> upTo(long time) {
    List<Long> ticks = new ArrayList<>();
    for (long next = furthestTick(); time > next; next = furthestTick()) {
      last = next;
      ticks.add(last);
    }
    if (time > last) {
      last = time;
      ticks.add(last);
    }
    return ticks;
  }
}
