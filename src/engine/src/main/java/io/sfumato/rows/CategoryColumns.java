// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The columns of category fields: one a field, in the order in which fields first occur. A column
 * has its field's name, unless a column of {@link RowColumn} has it: then {@code category_} stands
 * before it. Names that differ in case alone get a number.
 */
public final class CategoryColumns {
  private static final String PREFIX = "category_";

  private static final Set<String> TAKEN =
      Stream.of(RowColumn.values()).map(RowColumn::word).collect(Collectors.toUnmodifiableSet());

  private final List<String> names = new ArrayList<>();

  /** Columns by field. */
  private final Map<String, String> byField = new HashMap<>();

  /** Fields by column, where a field is known. */
  private final Map<String, String> byName = new LinkedHashMap<>();

  private final Set<String> used = new HashSet<>(TAKEN);

  /** Of these fields, in this order. */
  public static CategoryColumns of(List<String> fields) {
    CategoryColumns columns = new CategoryColumns();
    fields.forEach(columns::add);
    return columns;
  }

  /**
   * Those of a file that was begun earlier.
   *
   * @param names of the columns: each is given to the first field that would be called so
   */
  public static CategoryColumns named(List<String> names) {
    CategoryColumns columns = new CategoryColumns();
    columns.names.addAll(names);
    names.forEach(name -> columns.used.add(name.toLowerCase(Locale.ROOT)));
    return columns;
  }

  /**
   * The column of a field, which is added if it is not there.
   *
   * @param field of a group
   */
  public String add(String field) {
    return byField.computeIfAbsent(field, this::column);
  }

  /** Adds the columns of a row; whether one was not there. */
  public boolean addAll(PublishedRow row) {
    int before = names.size();
    row.row().group().fields().forEach(this::add);
    return names.size() > before;
  }

  private String column(String field) {
    String name = escaped(field);
    for (int number = 2; !isFree(name); number++) {
      name = escaped(field) + "_" + number;
    }
    if (used.add(name.toLowerCase(Locale.ROOT))) {
      names.add(name);
    }
    byName.put(name, field);
    return name;
  }

  private boolean isFree(String name) {
    return names.contains(name)
        ? !byName.containsKey(name)
        : !used.contains(name.toLowerCase(Locale.ROOT));
  }

  /** No two fields give one name. */
  private static String escaped(String field) {
    String bare = field.toLowerCase(Locale.ROOT);
    while (bare.startsWith(PREFIX)) {
      bare = bare.substring(PREFIX.length());
    }
    return bare.isEmpty() || TAKEN.contains(bare) ? PREFIX + field : field;
  }

  /** Their names, in their order. */
  public List<String> names() {
    return List.copyOf(names);
  }

  /** A row's values, one a column; empty text where all values of the field are taken together. */
  public List<String> of(PublishedRow row) {
    Group group = row.row().group();
    List<String> values = new ArrayList<>(names.size());
    for (String name : names) {
      String field = byName.get(name);
      int place = field == null ? -1 : group.fields().indexOf(field);
      values.add(place < 0 ? "" : group.values().get(place));
    }
    return values;
  }
}
