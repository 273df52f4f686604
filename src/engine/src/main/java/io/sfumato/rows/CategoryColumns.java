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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The columns of category fields: one a field, in the order in which fields first occur. A column
 * has its field's name, unless a column of {@link RowColumn} has it: then {@code category_} stands
 * before it. Names that differ in case alone get a number.
 */
public final class CategoryColumns {
  private static final String PREFIX = "category_";

  private static final Pattern NUMBERED = Pattern.compile("(.+)_[0-9]+", Pattern.DOTALL);

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
   * @param names of the columns: each is given to the field that is called so
   * @throws AmbiguousException if a name may be that of two fields
   */
  public static CategoryColumns named(List<String> names) {
    CategoryColumns columns = new CategoryColumns();
    for (String name : names) {
      columns.requireOneField(name);
      columns.used.add(name.toLowerCase(Locale.ROOT));
      columns.names.add(name);
    }
    return columns;
  }

  /** A numbered name is a field's own, or it is that of one whose bare name differs in case. */
  private void requireOneField(String name) {
    Matcher numbered = NUMBERED.matcher(name);
    if (numbered.matches()) {
      String bare = numbered.group(1);
      names.stream()
          .filter(other -> other.equalsIgnoreCase(bare) && !other.equals(bare))
          .findFirst()
          .ifPresent(
              other -> {
                throw new AmbiguousException(other, bare, name);
              });
    }
  }

  /** The same columns of the same fields. */
  public CategoryColumns copy() {
    CategoryColumns copy = new CategoryColumns();
    copy.names.addAll(names);
    copy.byField.putAll(byField);
    copy.byName.putAll(byName);
    copy.used.addAll(used);
    return copy;
  }

  /** Whether every field of a row has its column. */
  public boolean hasAll(PublishedRow row) {
    return byField.keySet().containsAll(row.row().group().fields());
  }

  /** Names of columns that do not say which fields they are of. */
  public static final class AmbiguousException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    AmbiguousException(String column, String field, String name) {
      super(
          "its column '%s' may be of a category field '%s', or of '%s' beside '%s'. Write to a new file, or rename a field in the pipeline file so that names differ in more than case"
              .formatted(name, name, field, column));
    }
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

  /**
   * The field of a column whose name is not numbered.
   *
   * @param column of rows that were written
   */
  public static String field(String column) {
    String bare = column.toLowerCase(Locale.ROOT);
    while (bare.startsWith(PREFIX)) {
      bare = bare.substring(PREFIX.length());
    }
    return column.toLowerCase(Locale.ROOT).startsWith(PREFIX)
            && (bare.isEmpty() || TAKEN.contains(bare))
        ? column.substring(PREFIX.length())
        : column;
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
