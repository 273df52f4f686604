// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.accounting.Period;
import java.util.Locale;
import java.util.Optional;

/**
 * One release of a file as its kind reads it, and what of the file it may look at.
 *
 * @param fields of the release: name, topic and share are read already
 * @param head of the release
 * @param input where records come from
 * @param features that the pipeline keeps of numbers
 * @param population whose records count, where many users feed one subject
 * @param period of the budget
 */
public record ReleaseFields(
    Fields fields,
    ReleaseSpec.Head head,
    InputSpec input,
    Optional<FeatureSpec> features,
    Optional<Population> population,
    Period period) {
  /** The number that a release is about. */
  public static final FieldSpec<String> VALUE =
      FieldSpec.typed("value", FieldTypes.text("one of 'input.values'"))
          .means("The number that the release is about, one of `input.values`.")
          .example("amount");

  /** How many records a window is expected to have. */
  public static final FieldSpec<Long> PLAN_SIZE =
      FieldSpec.whole("plan-size", 1, 1_000_000_000)
          .means(
              "A public guess of a window's records (in one category), for the plan's words only.")
          .example("500");

  /** The number of the records that the release is about, one of {@code input.values}. */
  public String value() {
    return fields.get(VALUE);
  }

  /**
   * Tells where a release needs categories that are counted one by one, and there are none.
   *
   * @param field that says it needs them
   * @param found in it, in words
   * @param instead what else the release might be about, with a comma before; or empty
   */
  public void requireCategories(String field, String found, String instead) {
    if (input.category().isEmpty()) {
      fields.conflict(field, found, "only where 'input.category' is named" + instead);
    } else if (input.discovers()) {
      fields.conflict(
          field,
          found,
          "only where 'input.categories' lists them: what 'discover' finds has its counts in that"
              + " output"
              + instead);
    } else if (input.isWide()) {
      fields.conflict(
          field,
          found,
          String.format(
              Locale.ROOT,
              "only for at most %,d categories, and the columns have %,d together: 'table' tells"
                  + " of each two of them%s",
              Columns.MOST_COUNTED,
              input.places(),
              instead));
    }
  }

  /**
   * Where a number stands among {@code input.values}, from 0; 0, and a conflict, where it does not.
   *
   * @param field that names it
   */
  public int placeOf(String value, String field) {
    int place = input.values().indexOf(value);
    if (place < 0) {
      fields.conflict(
          field,
          "found '" + value + "'",
          input.values().isEmpty()
              ? "a field that 'input.values' names: it names none"
              : "one of 'input.values': " + String.join(", ", input.values()));
    }
    return Math.max(0, place);
  }
}
