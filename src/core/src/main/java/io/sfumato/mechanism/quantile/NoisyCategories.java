// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.quantile;

import io.sfumato.mechanism.ReleasedData;
import io.sfumato.mechanism.factorised.NoisyRows;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * What is published of the values of a window's categories.
 *
 * @param records N of all categories together where it is public, else nothing
 * @param each noisy rows, one a bin, of each category
 */
public record NoisyCategories(OptionalLong records, List<NoisyRows> each) implements ReleasedData {
  public NoisyCategories {
    each = List.copyOf(each);
    if (each.isEmpty()) {
      throw new IllegalArgumentException("there is at least one category");
    }
  }

  /** One category's; how many records it has is not public. */
  public NoisyBins of(int category) {
    return new NoisyBins(OptionalLong.empty(), each.get(category));
  }

  /** All categories' together: rows add up, and so does their noise. */
  public NoisyBins all() {
    List<long[]> steps = new ArrayList<>();
    each.forEach(rows -> steps.add(rows.steps()));
    long[] sums =
        IntStream.range(0, steps.get(0).length)
            .mapToLong(row -> steps.stream().mapToLong(rows -> rows[row]).reduce(0, Math::addExact))
            .toArray();
    return new NoisyBins(records, new NoisyRows(sums));
  }
}
