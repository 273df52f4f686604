// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.pipeline.ValueType.Word;

/** What of a window's records is summarised apart. */
public enum Grouping {
  /** The records of every category. */
  CATEGORY,
  /** Nothing: all records together. */
  TOTAL;

  private static final FieldSpec<Grouping> BY =
      FieldSpec.word(
              "by",
              new Word<>(EnumWords.of(Grouping.values()))
                  .means(
                      "category",
                      "the records of each category, or of each cell of several fields.")
                  .means("total", "all records together."))
          .means("What is summarized separately.")
          .example("total");

  /**
   * Its field.
   *
   * @param otherwise where the file does not say
   */
  public static FieldSpec<Grouping> field(String otherwise) {
    return BY.optional(otherwise);
  }

  /**
   * Reads {@code by:} of a release, and tells where its categories are not counted one by one.
   *
   * @param unlessSaid where the file does not say
   */
  public static Grouping read(ReleaseFields release, Grouping unlessSaid) {
    Grouping found = release.fields().optional(BY.optional("")).orElse(unlessSaid);
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
