// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import io.sfumato.window.WindowGrid;
import java.util.OptionalLong;

/**
 * Where a budget may release again whose earlier charges are unknown. Whatever may have been
 * released before a time counts as spent, and with it every period that holds any of it
 * (docs/theory/periods-and-accounts.md, Theorem V).
 */
public final class UnspentWindows {
  private UnspentWindows() {}

  /**
   * Start of the first window from which on no window shares a period, or a span, with a window
   * that starts before a time.
   *
   * @param spentUntil every earlier window counts as released, milliseconds since 1970
   * @param grid of all windows, before that time and after it
   * @return milliseconds since 1970; nothing if there is no such window, as in a lifetime
   */
  public static OptionalLong first(long spentUntil, Period period, WindowGrid grid) {
    if (period instanceof Period.Lifetime) {
      return OptionalLong.empty();
    }
    long lastSpent = grid.startOf(spentUntil - 1);
    long lastPeriod = period.lastWith(period.indexOf(lastSpent));
    return OptionalLong.of(grid.firstStartFrom(period.endOf(lastPeriod)));
  }
}
