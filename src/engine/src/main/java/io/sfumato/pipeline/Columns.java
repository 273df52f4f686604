// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.List;
import java.util.stream.Collectors;

/** Several fields of a record whose values together are its category. */
public sealed interface Columns permits Crossing, Hierarchy {
  /** Most categories that are counted one by one: of more, tables alone are kept. */
  int MOST_COUNTED = 10_000;

  /** Stands for a record's values that are not all known. */
  long UNKNOWN = -1;

  /** What canonical texts separate values by. */
  String SEPARATORS = ",;:[]\"\\";

  /** Of the record, in order; at least two. */
  List<String> fields();

  /** What separates their values in the name of a category. */
  String separator();

  /** Whether all that may stand in them is listed. */
  boolean isListed();

  /** Number of categories, where all is listed: what the fields may hold together. */
  long places();

  /**
   * The values of a category, one a field.
   *
   * @param place from 0, below {@link #places}
   */
  List<String> values(long place);

  /** Looks categories up. */
  Lookup lookup();

  /**
   * All that bears on which record counts where: states that live were made with this very text.
   */
  String canonical();

  /** What a record's values come to. */
  interface Lookup {
    /**
     * The place of the category.
     *
     * @param values one a field, none null
     * @return {@link #UNKNOWN} where one of them is not listed and no other value stands for it; 0
     *     for all that is known where not all is listed
     */
    long place(List<String> values);

    /**
     * Values that have a place, as they are named where not all is listed: those that stand for the
     * rest are in place of what they stand for.
     */
    default List<String> named(List<String> values) {
      return values;
    }
  }

  /** The name of a category of such values: different ones have different names. */
  default String name(List<String> values) {
    return values.stream().map(Columns::escaped).collect(Collectors.joining(separator()));
  }

  /** What the fields are called together. */
  default String label() {
    return String.join(separator(), fields());
  }

  /** Listed values in brackets, so that no two lists have one text, whatever is written in them. */
  static String canonical(List<String> values) {
    return CanonicalText.of(values.stream().map(Columns::quoted).toList());
  }

  /** As it is, unless it holds what separates values. */
  static String quoted(String value) {
    return value.chars().allMatch(c -> SEPARATORS.indexOf(c) < 0)
        ? value
        : '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static String escaped(String value) {
    return value.indexOf('/') < 0 && value.indexOf('>') < 0 && value.indexOf('\\') < 0
        ? value
        : value.replace("\\", "\\\\").replace("/", "\\/").replace(">", "\\>");
  }
}
