// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Every value of each column with every one of the others: a place in mixed radix, the last column
 * fastest.
 *
 * @param columns 2 to {@value #MOST_COLUMNS}, with different fields
 */
public record Crossing(List<Column> columns) implements Columns {
  public static final int MOST_COLUMNS = 8;

  /** So that places, and what stands behind them, are longs. */
  public static final long MOST_PLACES = 1L << 60;

  /**
   * One column.
   *
   * @param field of the record
   * @param values that are listed, the one for all others last; none where nobody listed any
   * @param other which of them stands for all that are not listed; if absent, these are dead
   *     letters
   */
  public record Column(String field, List<String> values, Optional<String> other) {
    public Column {
      values = List.copyOf(values);
    }

    /** One whose values are listed, with one for the rest if {@code other} says so. */
    public static Column listed(String field, List<String> values, Optional<String> other) {
      List<String> all = new ArrayList<>(values);
      other.filter(name -> !values.contains(name)).ifPresent(all::add);
      return new Column(field, all, other);
    }

    /** One whose values nobody listed. */
    public static Column free(String field) {
      return new Column(field, List.of(), Optional.empty());
    }

    /** Whether anybody listed its values. */
    public boolean isListed() {
      return !values.isEmpty();
    }
  }

  public Crossing {
    columns = List.copyOf(columns);
  }

  @Override
  public List<String> fields() {
    return columns.stream().map(Column::field).toList();
  }

  @Override
  public String separator() {
    return " / ";
  }

  @Override
  public boolean isListed() {
    return columns.stream().allMatch(Column::isListed);
  }

  /** Number of values of each column, in order. */
  public int[] sizes() {
    return columns.stream().mapToInt(column -> column.values().size()).toArray();
  }

  /**
   * @throws ArithmeticException if they are more than {@link #MOST_PLACES}
   */
  @Override
  public long places() {
    long places = 1;
    for (int size : sizes()) {
      places = Math.multiplyExact(places, size);
      if (places > MOST_PLACES) {
        throw new ArithmeticException("too many places");
      }
    }
    return places;
  }

  @Override
  public List<String> values(long place) {
    int[] digits = digits(place, sizes());
    String[] values = new String[digits.length];
    Arrays.setAll(values, i -> columns.get(i).values().get(digits[i]));
    return Arrays.asList(values);
  }

  /**
   * Which value of each column a place stands for, from 0.
   *
   * @param sizes of a crossing: whoever looks at many places asks for them once
   */
  public static int[] digits(long place, int[] sizes) {
    int[] digits = new int[sizes.length];
    long left = place;
    for (int i = sizes.length - 1; i >= 0; i--) {
      digits[i] = (int) (left % sizes[i]);
      left /= sizes[i];
    }
    return digits;
  }

  @Override
  public Lookup lookup() {
    List<Map<String, Integer>> places = new ArrayList<>();
    for (Column column : columns) {
      Map<String, Integer> known = new HashMap<>();
      column.values().forEach(value -> known.put(value, known.size()));
      places.add(known);
    }
    return new Places(columns, places, isListed());
  }

  private record Places(List<Column> columns, List<Map<String, Integer>> known, boolean listed)
      implements Lookup {
    @Override
    public long place(List<String> values) {
      long place = 0;
      for (int i = 0; i < columns.size(); i++) {
        Column column = columns.get(i);
        if (column.isListed()) {
          Integer at = known.get(i).get(named(i, values.get(i)));
          if (at == null) {
            return UNKNOWN;
          }
          place = place * column.values().size() + at;
        }
      }
      return listed ? place : 0;
    }

    @Override
    public List<String> named(List<String> values) {
      return IntStream.range(0, columns.size()).mapToObj(i -> named(i, values.get(i))).toList();
    }

    private String named(int column, String value) {
      return !columns.get(column).isListed() || known.get(column).containsKey(value)
          ? value
          : columns.get(column).other().orElse(value);
    }
  }

  @Override
  public String canonical() {
    return columns.stream()
        .map(
            column ->
                "%s: %s%s"
                    .formatted(
                        Columns.quoted(column.field()),
                        Columns.canonical(column.values()),
                        column.other().map(name -> " other " + Columns.quoted(name)).orElse("")))
        .collect(Collectors.joining("; ", "crossing of ", ""));
  }
}
