// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * Where each item of an array may count, as a category of {@code tags[]} says: only where what one
 * user's records do together is bounded, in a population. Elsewhere a record is what is protected,
 * and it would change a release by as many items as somebody cares to write into it.
 */
public final class ArrayItems {
  /** Most items of one record, or units of its weight, that any file may take. */
  public static final int MOST = 10_000;

  /** Most of one record, unless a file says or needs more: room for what people send. */
  public static final int USUAL = 100;

  static final FieldSpec<Integer> MAX_ITEMS =
      FieldSpec.count("max-items", 1, MOST)
          .optional("100, or C + D if that is more")
          .means("The most items of one record that are taken, at least C + D.")
          .where("with a category of each item (`tags[]`)")
          .example("50");

  static final FieldSpec<Integer> MAX_WEIGHT =
      FieldSpec.count("max-weight", 1, MOST)
          .optional("100, or C + D if that is more")
          .means(
              "The most units of one record that are taken, at least C + D. Each is an entry of its own"
                  + " in the users' journal.")
          .where("with `input.weight`")
          .example("240");

  private ArrayItems() {}

  /** Refuses a category that leads to each item where that cannot be, or is not spelt so. */
  public static void check(Fields input, String category, Optional<String> user) {
    Optional<String> allowed =
        user.isEmpty() && FieldPath.namesEach(category)
            ? Optional.of(
                FieldPath.firstItem(category)
                    + ": each item would count, so that one record would change a release more than its"
                    + " noise hides. Where 'input.user' and 'contributions' bound what a user's records do"
                    + " together, 'tags[]' counts each")
            : FieldPath.refusalOfEach(category);
    allowed.ifPresent(what -> input.problem("category", "found '" + category + "'", what));
  }

  /**
   * Most items of one record that count, or most units of its weight.
   *
   * <p>At least as many as may count of a user or be told as left out: so what follows them would
   * only have been chosen among, and never adds to what a user's window does.
   *
   * @param contributions section of the file
   * @param enough C, and D where left-out records are told
   * @return nothing where a record counts as one
   */
  public static OptionalInt most(Fields contributions, InputSpec input, int enough) {
    boolean each = input.isEach();
    boolean weighed = input.weight().isPresent();
    if (!each && contributions.optional(MAX_ITEMS).isPresent()) {
      contributions.conflict(
          MAX_ITEMS.name(),
          "found without '[]' in 'input.category'",
          "only where each item of an array counts");
    }
    if (!weighed && contributions.optional(MAX_WEIGHT).isPresent()) {
      contributions.conflict(
          MAX_WEIGHT.name(), "found without 'input.weight'", "only where records have weights");
    }
    if (!each && !weighed) {
      return OptionalInt.empty();
    }
    FieldSpec<Integer> field = weighed ? MAX_WEIGHT : MAX_ITEMS;
    int most = contributions.optional(field).orElse(Math.max(USUAL, enough));
    if (most < enough) {
      contributions.conflict(
          field.name(),
          "found " + most,
          "at least %d, per-window and left-out together: else a single record could not reach them"
              .formatted(enough));
    }
    return OptionalInt.of(most);
  }
}
