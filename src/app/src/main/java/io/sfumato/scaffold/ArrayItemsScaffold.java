// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import io.sfumato.pipeline.FieldPath;
import java.util.regex.Pattern;

/** Arrays of records, of which a population counts each item. */
public final class ArrayItemsScaffold {
  private static final Pattern PLACE = Pattern.compile("\\[\\d+\\]");

  private ArrayItemsScaffold() {}

  /**
   * The path to each item in the place of that to one; the field itself where it leads to no array.
   */
  public static String each(String field) {
    return PLACE.matcher(field).results().count() == 1
        ? PLACE.matcher(field).replaceAll(FieldPath.EACH)
        : field;
  }

  /** The path to the first item in the place of that to each. */
  static String first(String field) {
    return field.replace(FieldPath.EACH, "[0]");
  }
}
