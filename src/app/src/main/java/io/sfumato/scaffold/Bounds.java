// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import io.sfumato.runtime.RefusedException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What of a user counts in a window: public, and never taken from records.
 *
 * @param records C: so many, at least 1
 * @param subjects S: for so many subjects, 1 to C
 */
public record Bounds(int records, int subjects) {
  /** Where nobody says. */
  public static final Bounds USUAL = new Bounds(4, 1);

  private static final Pattern PAIR = Pattern.compile("(\\d{1,4}),(\\d{1,4})");

  /**
   * From C,S.
   *
   * @throws RefusedException if it is anything else
   */
  public static Bounds parse(String text) throws RefusedException {
    Matcher matcher = PAIR.matcher(text);
    if (matcher.matches()) {
      Bounds bounds =
          new Bounds(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
      if (bounds.subjects >= 1 && bounds.subjects <= bounds.records) {
        return bounds;
      }
    }
    throw DraftCheck.wrong(
        "--contributions: found '%s', allowed is RECORDS,SUBJECTS, such as 4,1: how many records of a user count in a window, for how many subjects at most (not more than records). Both become public"
            .formatted(text));
  }
}
