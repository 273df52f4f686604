// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.Period;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.Schedule;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.release.Plan;
import io.sfumato.window.FixedWindows;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What an account must know of a budget's windows, to say how many of its periods a stretch of time
 * touches (docs/theory/periods-and-accounts.md, Theorem P).
 *
 * @param size of a window, milliseconds, from 1 to {@value #LONGEST}
 * @param origin start of a window, milliseconds since 1970, from 0 to size - 1
 * @param everyWindow whether the shares afford every window of a period, so that what counts in one
 *     window does not depend on others
 * @param apart whether no two windows share noise
 */
public record ClaimedWindows(long size, long origin, boolean everyWindow, boolean apart) {
  /** Some 300 years: sums of several stay far below 2^63. */
  private static final long LONGEST = 10_000_000_000_000L;

  public ClaimedWindows {
    if (size < 1 || size > LONGEST || origin < 0 || origin >= size) {
      throw new IllegalArgumentException(
          "windows of 1 to %d ms with an origin below their size: %d, %d"
              .formatted(LONGEST, size, origin));
    }
  }

  /**
   * Those of a pipeline; nothing where its windows are longer than accounts can tell, or of several
   * lengths.
   */
  static Optional<ClaimedWindows> of(Plan plan) {
    Pipeline pipeline = plan.pipeline();
    WindowSpec window = pipeline.window();
    Period period = pipeline.budget().period();
    boolean every =
        pipeline.releases().stream().allMatch(release -> affordsEvery(release, period, window));
    boolean apart = pipeline.releases().stream().allMatch(r -> r.windowsCounted() == 1);
    return window.grid() instanceof FixedWindows fixed && fixed.size() <= LONGEST
        ? Optional.of(new ClaimedWindows(fixed.size(), fixed.start(0), every, apart))
        : Optional.empty();
  }

  private static boolean affordsEvery(ReleaseSpec release, Period period, WindowSpec window) {
    if (period instanceof Period.Window || period instanceof Period.Span) {
      // Under users, spans have calendars and no ledgers (Theorem L).
      return true;
    }
    // What is drawn once a period may be drawn in any of its windows, whichever comes first.
    OptionalLong windows = window.mostIn(period);
    if (windows.isEmpty()
        || release.chargesRecords()
        || release.answersQueries()
        || release.schedule() == Schedule.ONCE_A_PERIOD) {
      return false;
    }
    return release.horizon() >= windows.getAsLong();
  }

  ObjectNode json() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("size_ms", size)
        .put("origin_ms", origin)
        .put("every_window", everyWindow)
        .put("apart", apart);
  }

  /** Inverse of {@link #json}; nothing if it is none. */
  static Optional<ClaimedWindows> read(JsonNode value) {
    for (String field : List.of("size_ms", "origin_ms")) {
      if (!value.path(field).isIntegralNumber() || !value.path(field).canConvertToLong()) {
        return Optional.empty();
      }
    }
    try {
      return Optional.of(
          new ClaimedWindows(
              value.path("size_ms").longValue(),
              value.path("origin_ms").longValue(),
              value.path("every_window").asBoolean(false),
              value.path("apart").asBoolean(false)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  boolean sameGrid(ClaimedWindows other) {
    return size == other.size && origin == other.origin;
  }

  /** Whether whatever these cost in an account, the others cost no more. */
  boolean covers(ClaimedWindows other) {
    return sameGrid(other) && (!everyWindow || other.everyWindow) && (!apart || other.apart);
  }

  /** Windows of the same grid that cost as much as either. */
  ClaimedWindows and(ClaimedWindows other) {
    return new ClaimedWindows(size, origin, everyWindow && other.everyWindow, apart && other.apart);
  }
}
