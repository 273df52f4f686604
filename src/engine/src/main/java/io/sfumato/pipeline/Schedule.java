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
      return !(period instanceof Period.Span span)
          || SpanCalendar.of(span, window).isDue(windowStart);
    }

    @Override
    OptionalLong nextDue(Period period, WindowSpec window, long windowStart) {
      return OptionalLong.of(
          period instanceof Period.Span span
              ? SpanCalendar.of(span, window).nextDue(windowStart)
              : windowStart);
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
      if (period instanceof Period.Span span) {
        return SpanCalendar.of(span, window).isFirst(windowStart);
      }
      long before = window.plus(windowStart, -1);
      return window.begin().equals(OptionalLong.of(windowStart))
          || period.indexOf(before) != period.indexOf(windowStart);
    }

    @Override
    OptionalLong nextDue(Period period, WindowSpec window, long windowStart) {
      if (period instanceof Period.Span span) {
        return OptionalLong.of(SpanCalendar.of(span, window).nextFirst(windowStart));
      }
      if (isDue(period, window, windowStart)) {
        return OptionalLong.of(windowStart);
      }
      long end = period.endOf(period.indexOf(windowStart));
      return end == Long.MAX_VALUE
          ? OptionalLong.empty()
          : OptionalLong.of(window.firstStartFrom(end));
    }
  };

  /** Whether a window's turn has come. */
  abstract boolean isDue(Period period, WindowSpec window, long windowStart);

  /**
   * Start of the first window whose turn comes, from one on that counts; nothing if it never does.
   */
  abstract OptionalLong nextDue(Period period, WindowSpec window, long windowStart);
}
