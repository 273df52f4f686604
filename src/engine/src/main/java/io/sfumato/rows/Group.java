// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

import java.util.List;

/**
 * Which part of a subject's records a row is about.
 *
 * @param fields of the records, one exported column each; none where all records are taken together
 * @param values one a field
 */
public record Group(List<String> fields, List<String> values) {
  /** The field of groups that an output names without the fields of the records. */
  public static final String CATEGORY = "category";

  /** All records together. */
  public static final Group ALL = new Group(List.of(), List.of());

  public Group {
    fields = List.copyOf(fields);
    values = List.copyOf(values);
    if (fields.size() != values.size()) {
      throw new IllegalArgumentException("a group has a value for each field");
    }
  }

  /** One value of one field. */
  public static Group of(String field, String value) {
    return new Group(List.of(field), List.of(value));
  }

  /** A category, as outputs name it: of several fields all values in one name. */
  public static Group category(String name) {
    return of(CATEGORY, name);
  }

  /**
   * The category that a number of an output is about.
   *
   * @param names of all categories, in the order of the numbers; none where all records are counted
   *     together
   */
  public static Group category(List<String> names, int place) {
    return names.isEmpty() ? ALL : category(names.get(place));
  }

  /** Whether all records are taken together. */
  public boolean isAll() {
    return fields.isEmpty();
  }

  /** For people: empty where all records are taken together. */
  String label() {
    return String.join(" / ", values);
  }
}
