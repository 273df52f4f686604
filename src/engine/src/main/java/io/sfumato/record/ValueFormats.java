// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.record;

import java.util.Optional;

/**
 * How values of records are written that have more than one form.
 *
 * @param times event times
 * @param keys record keys
 */
public record ValueFormats(TimeReader times, KeyFormat keys) {
  /** The formats of a pipeline file that names none. */
  public static ValueFormats usual() {
    return new ValueFormats(TimeReader.auto(), KeyFormat.TEXT);
  }

  /**
   * What differs from {@link #usual}, for digests of plans, which hang on this text: it never
   * changes.
   */
  public String canonical() {
    StringBuilder text = new StringBuilder();
    if (!(times.format() instanceof TimeFormat.Auto)) {
      text.append(", timeFormat=").append(times.format().word());
    }
    Optional.of(times)
        .flatMap(TimeReader::zone)
        .ifPresent(zone -> text.append(", zone=").append(zone));
    if (keys != KeyFormat.TEXT) {
      text.append(", keyFormat=").append(keys.word());
    }
    return text.toString();
  }
}
