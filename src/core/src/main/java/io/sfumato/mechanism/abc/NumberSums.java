// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * All that is kept of a dataset's numbers for summaries, beside a sample where they have quantiles:
 * how many records there are, and a {@link NumberSum} of each field that is summed. Immutable.
 *
 * @param size N, number of records, at least 0
 * @param fields in the order of {@link Layout#exponents}
 */
public record NumberSums(long size, List<NumberSum> fields) {
  /**
   * @throws IllegalArgumentException if the size is below 0
   */
  public NumberSums {
    if (size < 0) {
      throw new IllegalArgumentException("a size is at least 0, was " + size);
    }
    fields = List.copyOf(fields);
  }

  /**
   * With one more record.
   *
   * @param numbers of the record, one a field
   */
  public NumberSums plus(Layout layout, double[] numbers) {
    List<NumberSum> more = new ArrayList<>(fields.size());
    int at = 0;
    for (int place : layout.exponents().keySet()) {
      more.add(fields.get(at).plus(numbers[place]));
      at++;
    }
    return new NumberSums(Math.addExact(size, 1), more);
  }

  /** Never prints the sums: they are what must stay private. */
  @Override
  public String toString() {
    return "NumberSums[" + fields.size() + " fields]";
  }

  /**
   * Which fields are summed, and how finely. Public, and fixed before the first record.
   *
   * @param exponents of the steps, by a field's place among the numbers
   */
  public record Layout(SortedMap<Integer, Integer> exponents) {
    /** What some summaries need: of each field, steps as fine as its smallest scale asks for. */
    public static Layout of(Collection<Summary> summaries) {
      SortedMap<Integer, Integer> exponents = new TreeMap<>();
      for (Summary summary : summaries) {
        if (summary instanceof Summary.OfAll all) {
          exponents.merge(all.field(), NumberSum.exponent(all.scale()), Math::min);
        }
      }
      return new Layout(exponents);
    }

    /** Of a dataset without records. */
    public NumberSums empty() {
      return new NumberSums(0, exponents.values().stream().map(NumberSum::empty).toList());
    }

    /** The sum of one field, which is among the exponents. */
    NumberSum sum(NumberSums sums, int field) {
      return sums.fields().get(exponents.headMap(field).size());
    }

    /** Live states hang on this text, so that it never changes. */
    public String canonical() {
      return exponents.entrySet().stream()
          .map(field -> field.getKey() + " in 2^" + field.getValue())
          .collect(Collectors.joining(", ", "[", "]"));
    }
  }
}
