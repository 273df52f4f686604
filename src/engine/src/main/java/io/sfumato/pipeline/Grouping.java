// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.Optional;

/** What of a window's records is summarised apart. */
public enum Grouping {
  /** The records of every category. */
  CATEGORY,
  /** Nothing: all records together. */
  TOTAL;

  /**
   * Reads {@code by:} of a release, and tells where its categories are not counted one by one.
   *
   * @param unlessSaid where the file does not say
   */
  public static Grouping read(ReleaseFields release, Grouping unlessSaid) {
    Grouping found =
        release.fields().choice("by", EnumWords.of(Grouping.values()), Optional.of(unlessSaid));
    if (found == CATEGORY) {
      release.requireCategories("by", "found 'category'", ", or 'total'");
    }
    return found;
  }

  /** How many groups there are: all records are one, and so are those of a file that is wrong. */
  public int groups(InputSpec input) {
    return this == CATEGORY ? Math.max(1, input.allCategories().size()) : 1;
  }
}
