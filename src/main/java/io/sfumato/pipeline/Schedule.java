// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.accounting.Period;
import java.util.OptionalLong;

/** In which windows an output is released: by the calendar, hence public. */
public enum Schedule {
  /** In every one; under a pace in every one whose turn that is. */
  EVERY_WINDOW {
    @Override
    boolean isDue(Period period, WindowSpec window, long windowStart) {
      return !(period instanceof Period.Any span)
          || SpanCalendar.of(span, window).isDue(windowStart);
    }
  },

  /**
   * In the first window of every budget period that counts: the first that starts in it, and that
   * of {@code window.begin}. Where every span of a length is a period: in one window of those that
   * a span touches, at most.
   */
  ONCE_A_PERIOD {
    @Override
    boolean isDue(Period period, WindowSpec window, long windowStart) {
      if (period instanceof Period.Any span) {
        return SpanCalendar.of(span, window).isFirst(windowStart);
      }
      long before = windowStart - window.size().toMillis();
      return window.begin().equals(OptionalLong.of(windowStart))
          || period.indexOf(before) != period.indexOf(windowStart);
    }
  };

  /** Whether a window's turn has come. */
  abstract boolean isDue(Period period, WindowSpec window, long windowStart);
}
