// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ticker;

import io.sfumato.pipeline.WindowSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The way of a clock to a later time, by ticks of which none goes over more windows than {@code
 * window.max-jump}.
 */
public final class TickSteps {
  private final WindowSpec window;
  private final TickGrid grid;

  /** The steps of a file. */
  public TickSteps(WindowSpec window) {
    this.window = window;
    this.grid = new TickGrid(window);
  }

  /**
   * Where a clock stands.
   *
   * @param last tick; nothing before the first
   * @return nothing if neither a tick nor the file says it
   */
  public OptionalLong from(OptionalLong last) {
    OptionalLong begin = window.begin();
    return begin.isPresent() && last.isPresent()
        ? OptionalLong.of(Math.max(begin.getAsLong(), last.getAsLong()))
        : begin.isPresent() ? begin : last;
  }

  /** The next tick from a time on: on the public grid, unless a step is shorter than that. */
  public long next(long from, long to) {
    long furthest = window.furthestFrom(from, Math.max(1, window.maxJump()));
    if (to <= furthest) {
      return to;
    }
    long onGrid = grid.atOrBefore(furthest);
    return onGrid > from ? onGrid : furthest;
  }

  /** All ticks from a time on, up to another one. */
  public List<Long> all(long from, long to) {
    List<Long> ticks = new ArrayList<>();
    for (long last = from; last < to; ) {
      last = next(last, to);
      ticks.add(last);
    }
    return ticks.isEmpty() ? List.of(to) : ticks;
  }

  /** Whether one tick would go over more windows than the file allows. */
  public boolean isTooFar(long from, long to) {
    long begin = window.begin().orElse(Long.MIN_VALUE);
    long boundary = Math.max(begin, window.boundaryOf(from));
    return window.between(boundary, window.boundaryOf(to)) > window.maxJump();
  }
}
