// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.mollifier;

import java.util.Arrays;

/**
 * One record, or one released item: a category, numbers, or both.
 *
 * @param category place in the list of categories; 0 where there are none
 * @param numbers finite; none where there are none
 */
public record Point(int category, double[] numbers) {
  @Override
  public boolean equals(Object other) {
    return other instanceof Point point
        && category == point.category
        && Arrays.equals(numbers, point.numbers);
  }

  @Override
  public int hashCode() {
    return 31 * category + Arrays.hashCode(numbers);
  }

  /** Never prints the values: they may be what must stay private. */
  @Override
  public String toString() {
    return "Point[" + numbers.length + " numbers]";
  }
}
