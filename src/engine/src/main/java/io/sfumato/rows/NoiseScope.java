// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * Which other rows can share a row's noise. Two rows have independent noise unless they agree in
 * every column that the scopes of both name.
 */
public enum NoiseScope {
  /** No other row. */
  ROW("no other row", Key.SUBJECT, Key.OUTPUT, Key.WINDOW, Key.CATEGORY, Key.MEASURE),
  /** Other measures of the same records. */
  GROUP(
      "rows of the same subject, output, window and category fields",
      Key.SUBJECT,
      Key.OUTPUT,
      Key.WINDOW,
      Key.CATEGORY),
  /** Measures of the same records in other windows too. */
  SERIES(
      "rows of the same subject, output and category fields, of all windows",
      Key.SUBJECT,
      Key.OUTPUT,
      Key.CATEGORY),
  /** All of one release. */
  WINDOW("rows of the same subject, output and window", Key.SUBJECT, Key.OUTPUT, Key.WINDOW),
  /** All of one output and subject. */
  OUTPUT("rows of the same subject and output, of all windows", Key.SUBJECT, Key.OUTPUT),
  /** Other outputs too, from whose releases the row is computed. */
  PIPELINE("rows of the same subject, of all outputs and windows", Key.SUBJECT);

  /** What identifies a row: a column, or several. */
  public enum Key {
    SUBJECT,
    OUTPUT,
    /** {@code window_start} and {@code window_end}. */
    WINDOW,
    /** All columns of category fields. */
    CATEGORY,
    MEASURE
  }

  private final String meaning;
  private final Set<Key> keys;

  NoiseScope(String meaning, Key... keys) {
    this.meaning = meaning;
    this.keys = EnumSet.noneOf(Key.class);
    this.keys.addAll(Set.of(keys));
  }

  /** Its word in rows, such as {@code window}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Which rows can share the noise, in words. */
  public String meaning() {
    return meaning;
  }

  /** In what two rows of this scope have to agree to share noise. */
  public Set<Key> keys() {
    return Set.copyOf(keys);
  }

  /** The same for a number about several windows: its noise is in other windows' numbers too. */
  NoiseScope overWindows() {
    return switch (this) {
      case ROW, GROUP, SERIES -> SERIES;
      case WINDOW, OUTPUT -> OUTPUT;
      case PIPELINE -> PIPELINE;
    };
  }
}
