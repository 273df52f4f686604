// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.histogram;

import io.sfumato.rows.Column;
import io.sfumato.rows.Column.Style;
import io.sfumato.rows.Reading;
import io.sfumato.rows.Scale;
import java.util.Locale;

/** How shares of categories read best, whatever they were made of. */
final class Shares {
  static final String SHARE = "share";

  /** So many are shown on a terminal. */
  private static final int ON_TERMINAL = 4;

  private Shares() {}

  /**
   * The largest first, behind the number of records.
   *
   * @param records null where their number is protected
   */
  static Reading reading(Long records) {
    return Reading.of(Column.of(SHARE, "", Style.SHARE))
        .saying(records == null ? "" : String.format(Locale.ROOT, "%5s records ", records), "")
        .withBars(Scale.SHARE)
        .largest(ON_TERMINAL, Integer.MAX_VALUE);
  }
}
