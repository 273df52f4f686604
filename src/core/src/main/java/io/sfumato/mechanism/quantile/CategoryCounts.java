// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.quantile;

import io.sfumato.mechanism.ExactData;
import io.sfumato.mechanism.factorised.RowCounts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How many records of each category each bin has. Exact, hence secret. Immutable.
 *
 * @param each one a category, at least one, all over the same bins
 */
public record CategoryCounts(List<RowCounts> each) implements ExactData {
  public CategoryCounts {
    each = List.copyOf(each);
    if (each.isEmpty() || each.stream().mapToInt(RowCounts::rows).distinct().count() != 1) {
      throw new IllegalArgumentException("all categories have their records in the same bins");
    }
  }

  /**
   * As they lie in a tally.
   *
   * @param counts by category, in it by bin
   * @param bins of a category
   */
  public static CategoryCounts of(long[] counts, int bins) {
    List<RowCounts> each = new ArrayList<>();
    for (int from = 0; from < counts.length; from += bins) {
      each.add(new RowCounts(Arrays.copyOfRange(counts, from, from + bins)));
    }
    return new CategoryCounts(each);
  }

  /** Records of all categories. */
  public long total() {
    return each.stream().mapToLong(RowCounts::total).sum();
  }

  /** Never prints the counts: they are what must stay private. */
  @Override
  public String toString() {
    return "CategoryCounts[" + each.size() + " categories]";
  }
}
