// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.accounting.Period;
import java.util.OptionalLong;

/** In which windows an output is released: by the calendar, hence public. */
public enum Schedule {
  /** In every one. */
  EVERY_WINDOW {
    @Override
    boolean isDue(Period period, WindowSpec window, long windowStart) {
      return true;
    }
  },

  /**
   * In the first window of every budget period that counts: the first that starts in it, and that
   * of {@code window.begin}.
   */
  ONCE_A_PERIOD {
    @Override
    boolean isDue(Period period, WindowSpec window, long windowStart) {
      long before = windowStart - window.size().toMillis();
      return window.begin().equals(OptionalLong.of(windowStart))
          || period.indexOf(before) != period.indexOf(windowStart);
    }
  };

  /** Whether a window's turn has come. */
  abstract boolean isDue(Period period, WindowSpec window, long windowStart);
}
